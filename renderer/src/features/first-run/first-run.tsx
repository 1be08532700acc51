/** What a new user sees once: what the app promises, what the machine can do, a model, and something to try. */
import { useEffect } from 'react';
import type { ModelInfo } from '../../../../contract/engine.ts';
import { formatBytes } from '../../format.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Mark } from '../../ui/icons.tsx';
import { TestRow } from '../devices/test-row.tsx';
import { useDevices } from '../devices/use-devices.ts';
import { EngineChip } from '../engine/engine-status.tsx';
import { focusComposer } from '../frame/focus.ts';
import { OfferCard } from '../models/offer-card.tsx';
import { LanguageSelect } from '../settings/appearance-settings.tsx';
import { Section } from '../settings/parts.tsx';
import './first-run.css';
import { fittingOffer } from './fitting-offer.ts';

export function FirstRun() {
  const words = strings.firstRun;
  const commands = useCommands();
  const language = useAppState((state) => state.settings?.language ?? 'system');

  function finish(): void {
    void commands.changeSettings({ welcomed: true });
    focusComposer();
  }

  async function trySample(): Promise<void> {
    if (await commands.attachSample()) commands.newChat();
    finish();
  }

  return (
    <main className="first-run" data-testid="first-run">
      <div className="first-run-content">
        <header className="first-run-head">
          <Mark size={40} />
          <LanguageSelect language={language} />
          <button type="button" className="link-button" data-testid="first-run-skip" onClick={finish}>
            {words.skip}
          </button>
        </header>
        <h1>{words.title}</h1>
        <p className="first-run-promise">{words.privacy}</p>
        <Machine />
        <Model />
        <Section title={words.sample.title} help={words.sample.help}>
          <div className="first-run-row">
            <button type="button" className="button" onClick={() => void trySample()}>
              {words.sample.open}
            </button>
          </div>
        </Section>
        <button type="button" className="button is-primary first-run-start" onClick={finish}>
          {words.start}
        </button>
      </div>
    </main>
  );
}

/** The devices, each with its state; those that have not been tested are tested at once where they can be used. */
function Machine() {
  const words = strings.firstRun.machine;
  const commands = useCommands();
  const devices = useDevices();
  const untested = devices?.some(
    ({ type, usable, virtual, selfTest }) => type !== 'CPU' && usable && !virtual && selfTest === undefined,
  );
  useEffect(() => {
    if (untested === true) void commands.testDevices(null);
  }, [commands, untested]);

  const present = devices?.filter(({ virtual }) => !virtual) ?? [];
  return (
    <Section title={words.title} help={present.some(({ type }) => type !== 'CPU') ? words.help : words.cpuOnly}>
      {devices === null && <p className="row-note">{strings.devices.loading}</p>}
      <ul className="entries">
        {present.map(({ id, name, usable, reason, selfTest }) => (
          <li key={id} className="entry">
            <div className="entry-words">
              <p className="entry-name">{name}</p>
              {!usable && <p className="entry-facts">{reason ?? strings.devices.noReason}</p>}
            </div>
            <span className={`badge${usable && selfTest?.passed !== false ? ' is-good' : ''}`}>
              {usable ? strings.devices.states.tested : strings.devices.states.unusable}
            </span>
          </li>
        ))}
      </ul>
      {untested === true && <TestRow />}
    </Section>
  );
}

/** The model that is here, or one that fits and can be got. */
function Model() {
  const words = strings.firstRun.model;
  const models = useAppState((state) => state.models);
  const catalog = useAppState((state) => state.catalog);
  const wanted = useAppState((state) => state.settings?.modelId);
  const usable = models?.filter(({ problem }) => problem === undefined) ?? [];
  const model = usable.find(({ id }) => id === wanted) ?? usable[0];
  if (model !== undefined) return <ModelHere model={model} />;
  const offer = catalog === null ? undefined : fittingOffer(catalog);
  return (
    <Section title={words.title} help={words.help}>
      {offer !== undefined && (
        <ul className="first-run-offer">
          <OfferCard offer={offer} />
        </ul>
      )}
      <ImportRow />
    </Section>
  );
}

function ModelHere({ model: { name, architecture, bytes } }: { model: ModelInfo }) {
  const words = strings.firstRun.model;
  const state = useAppState(({ engine }) => engine.state);
  return (
    <Section title={words.title} help={words.found}>
      <div className="entries">
        <div className="entry">
          <div className="entry-words">
            <p className="entry-name">{name}</p>
            <p className="entry-facts">{[architecture, formatBytes(bytes)].join(' · ')}</p>
          </div>
          {state === 'ready' ? <span className="badge is-good">{words.ready}</span> : <EngineChip />}
        </div>
      </div>
    </Section>
  );
}

function ImportRow() {
  const words = strings.firstRun.model;
  const commands = useCommands();
  return (
    <div className="first-run-row">
      <button type="button" className="button" onClick={() => void commands.importModel('file')}>
        {words.have}
      </button>
    </div>
  );
}
