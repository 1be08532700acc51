/** The resources screen: what this computer is doing, now and over the last minutes. */
import { lazy, Suspense, useEffect, useState } from 'react';
import { type Sample, WATCH_MS } from '../../../../contract/resources.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Choice } from '../../ui/choice.tsx';
import { saveText } from '../../ui/save-text.ts';
import { Page } from '../frame/page.tsx';
import { EnginePanel } from './engine-panel.tsx';
import { lastSeconds, type Reading, readingsOf, summary, toCsv } from './readings.ts';
import { ReadingsTable } from './readings-table.tsx';
import './resources.css';

/** Charts come with their library when they are first shown. */
const TimeChart = lazy(async () => ({ default: (await import('./time-chart.tsx')).TimeChart }));

const SPANS = { minute: 60, 'ten-minutes': 600 } as const;
type Span = keyof typeof SPANS;

export function ResourcesView() {
  const words = strings.resources;
  const commands = useCommands();
  const live = useAppState((state) => state.samples);
  const [frozen, setFrozen] = useState<readonly Sample[]>();
  const [span, setSpan] = useState<Span>('minute');
  const [form, setForm] = useState<'charts' | 'table'>('charts');
  useEffect(() => {
    const watch = () => {
      if (!document.hidden) void commands.watchResources(true);
    };
    watch();
    void commands.readSamples();
    const timer = setInterval(watch, WATCH_MS / 3);
    return () => {
      clearInterval(timer);
      void commands.watchResources(false);
    };
  }, [commands]);
  const samples = lastSeconds(frozen ?? live, SPANS[span]);
  const latest = samples.at(-1);
  return (
    <Page title={words.title} className="resources" content="resources-content">
      <div className="resources-bar">
        <Choice
          label={words.span}
          value={span}
          options={(['minute', 'ten-minutes'] as const).map((value) => ({ value, label: words.spans[value] }))}
          onChange={setSpan}
        />
        <Choice
          label={words.form}
          value={form}
          options={(['charts', 'table'] as const).map((value) => ({ value, label: words.forms[value] }))}
          onChange={setForm}
        />
        <button
          type="button"
          className="button"
          aria-pressed={frozen !== undefined}
          data-testid="pause-samples"
          onClick={() => setFrozen(frozen === undefined ? live : undefined)}
        >
          {frozen === undefined ? words.pause : words.goOn}
        </button>
        <button
          type="button"
          className="button"
          disabled={latest === undefined}
          // Spreadsheets take a file for UTF-8 by its mark alone.
          onClick={() => saveText('resources.csv', 'text/csv', `\uFEFF${toCsv(samples)}`)}
        >
          {words.saveCsv}
        </button>
        <button
          type="button"
          className="button"
          disabled={latest === undefined}
          onClick={() => saveText('resources.json', 'application/json', JSON.stringify(samples))}
        >
          {words.saveJson}
        </button>
      </div>
      {latest === undefined ? (
        <p className="row-note">{words.waiting}</p>
      ) : form === 'table' ? (
        <ReadingsTable samples={samples} />
      ) : (
        <Readings samples={samples} latest={latest} seconds={SPANS[span]} />
      )}
    </Page>
  );
}

interface ReadingsProps {
  readonly samples: readonly Sample[];
  readonly latest: Sample;
  readonly seconds: number;
}

function Readings({ samples, latest, seconds }: ReadingsProps) {
  const words = strings.resources;
  // Lines that this machine never reported are left out of the chart.
  const readings = readingsOf(latest).map((reading) => ({
    ...reading,
    lines: reading.lines.filter((line) => summary(samples, line) !== null),
  }));
  const missing = readings.filter(({ lines }) => lines.length === 0);
  return (
    <>
      <div className="resource-grid">
        {readings
          .filter(({ lines }) => lines.length > 0)
          .map((reading) => (
            <ReadingCard key={reading.key} reading={reading} samples={samples} latest={latest} seconds={seconds} />
          ))}
        <EnginePanel sample={latest} />
      </div>
      {missing.length > 0 && (
        <div className="resource-grid is-unreported">
          {missing.map(({ key, title }) => (
            <section key={key} className="resource-card" data-testid={`reading-${key}`}>
              <h2>{title}</h2>
              <p className="is-missing">{words.notReported}</p>
            </section>
          ))}
        </div>
      )}
    </>
  );
}

function ReadingCard({ reading, samples, latest, seconds }: ReadingsProps & { readonly reading: Reading }) {
  const words = strings.resources;
  const now = reading.lines.map((line) => {
    const value = line.value(latest);
    return value === null ? words.notReported : reading.format(value);
  });
  return (
    <section className="resource-card" data-testid={`reading-${reading.key}`}>
      <h2>{reading.title}</h2>
      <p className="resource-now">
        {now[0]}
        <span className="visually-hidden">
          {' '}
          {reading.lines.map(({ name }, i) => `${name} ${now[i] ?? ''}`).join(', ')}
        </span>
      </p>
      <Suspense fallback={<div className="time-chart-place" />}>
        <TimeChart reading={reading} samples={samples} seconds={seconds} />
      </Suspense>
    </section>
  );
}
