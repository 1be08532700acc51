/** What a curve will take, and the button that begins it. */
import { useEffect, useState } from 'react';
import type { CurvePlan } from '../../../../contract/compare.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';

export function CurveStart({ onStarted }: { onStarted: () => void }) {
  const words = strings.compare;
  const commands = useCommands();
  const model = useAppState(({ engine }) => (engine.state === 'ready' ? engine.model : undefined));
  const [plan, setPlan] = useState<CurvePlan>();
  const [starting, setStarting] = useState(false);
  useEffect(() => {
    let current = true;
    setPlan(undefined);
    if (model === undefined) return;
    void commands.planCurve().then((made) => {
      if (current) setPlan(made);
    });
    return () => {
      current = false;
    };
  }, [commands, model]);

  async function start(): Promise<void> {
    setStarting(true);
    const begun = await commands.startCurve();
    setStarting(false);
    if (begun) onStarted();
  }

  return (
    <div className="compare-start">
      <p className="compare-note">{words.curveIntro}</p>
      <p className="compare-note" role="status" data-testid="curve-plan">
        {model === undefined ? words.waitingForModel : plan === undefined ? words.planning : words.curvePlan(plan)}
      </p>
      <button
        type="button"
        className="button is-primary"
        data-testid="curve-run"
        disabled={plan === undefined || starting}
        onClick={() => void start()}
      >
        {words.startCurve}
      </button>
    </div>
  );
}
