/** A layer as the planner would run it on a device, beside what was measured: by this machine's costs or the paper's. */
import { useEffect, useState } from 'react';
import { type LayerPlan, type PlanCosts, STAGES, type Stage } from '../../../../contract/trace.ts';
import { formatMilliseconds } from '../../format.ts';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Choice } from '../../ui/choice.tsx';
import { Gantt } from './gantt.tsx';
import type { Bar, BarRow, Pass } from './trace-model.ts';

interface PlanSectionProps {
  readonly layer: number;
  readonly pass: Pass;
  /** The answer whose layer it is. */
  readonly request: number;
  /** How long the heads of the layer took. */
  readonly measuredMs: number | undefined;
}

export function PlanSection({ layer, pass, request, measuredMs }: PlanSectionProps) {
  const words = strings.pipeline;
  const commands = useCommands();
  const [costs, setCosts] = useState<PlanCosts>('machine');
  const [order, setOrder] = useState<'planned' | 'serial'>('planned');
  const [plans, setPlans] = useState<{ planned: LayerPlan | undefined; serial: LayerPlan | undefined }>();
  const keys = pass.position + pass.rows;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another answer has other heads
  useEffect(() => {
    let current = true;
    void Promise.all([true, false].map((planned) => commands.readLayerPlan({ layer, keys, costs, planned }))).then(
      ([planned, serial]) => {
        if (current) setPlans({ planned, serial });
      },
    );
    return () => {
      current = false;
    };
  }, [commands, layer, keys, costs, request]);
  const shown = plans?.[order];
  return (
    <section className="pipeline-section" data-testid="plan">
      <h2>{words.planTitle}</h2>
      <p className="pipeline-note">{words.planNote}</p>
      <div className="resources-bar">
        <Choice
          label={words.planCosts}
          value={costs}
          options={(['machine', 'paper'] as const).map((value) => ({ value, label: words.planCostsOf[value] }))}
          onChange={setCosts}
        />
        <Choice
          label={words.planOrder}
          value={order}
          options={(['planned', 'serial'] as const).map((value) => ({ value, label: words.planOrders[value] }))}
          onChange={setOrder}
        />
      </div>
      {plans?.planned === undefined || plans.serial === undefined || shown === undefined ? (
        <p className="is-missing">{words.noPlan}</p>
      ) : (
        <>
          <p data-testid="plan-times">
            {words.planTimes(
              formatMilliseconds(plans.planned.makespan),
              formatMilliseconds(plans.serial.makespan),
              measuredMs === undefined ? '' : formatMilliseconds(measuredMs),
            )}
          </p>
          <p className="pipeline-note">{words.planSource(shown.source, shown.simulated)}</p>
          <Gantt
            rows={rowsOf(shown)}
            tell={({ span, stage }) => `${words.stages[stage]}: ${formatMilliseconds(span.end - span.start)}`}
          />
        </>
      )}
    </section>
  );
}

/** A row for each head, in the order of the plan. */
function rowsOf({ heads }: LayerPlan): BarRow[] {
  return heads.map(({ head, pilot, topk, qkv }) => ({
    key: String(head),
    label: strings.pipeline.head(head),
    bars: [barOf('pilot', head, pilot), barOf('topk', head, topk), barOf('sparse', head, qkv)],
  }));
}

function barOf(stage: Stage, head: number, { start, end }: { start: number; end: number }): Bar {
  const span = {
    stage: STAGES.indexOf(stage),
    lane: 0,
    layer: 0,
    head,
    heads: 1,
    position: 0,
    rows: 0,
    kept: 0,
    bucket: 0,
  };
  return { stage, span: { ...span, start, end } };
}
