/** What if a device did the scores: by a table of costs, for the last prompt. Nothing of it is run, and it says so. */
import { useEffect, useMemo, useState } from 'react';
import type { TracedAnswer } from '../../../../contract/engine.ts';
import { ALL_ON, type CostTableFile, readCostTable, type WhatIf } from '../../../../contract/what-if.ts';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { saveText } from '../../ui/save-text.ts';
import { Toggle } from '../../ui/toggle.tsx';
import { NumberSelect } from './number-select.tsx';
import { type Bar, layerTimes, passesOf } from './trace-model.ts';
import { WhatIfResult } from './what-if-result.tsx';

const SWITCHES = ['planner', 'pipeline', 'fuse', 'buckets'] as const;

interface WhatIfProps {
  readonly traced: TracedAnswer;
  readonly bars: readonly Bar[];
  /** The layer whose plan is drawn. */
  readonly layer: number;
}

export function WhatIfSection({ traced: { trace, figures }, bars, layer }: WhatIfProps) {
  const words = strings.whatIf;
  const commands = useCommands();
  const [tables, setTables] = useState<readonly CostTableFile[]>([]);
  const [costs, setCosts] = useState<'machine' | CostTableFile>('machine');
  const [switches, setSwitches] = useState(ALL_ON);
  const [pass, setPass] = useState<number>();
  const [found, setFound] = useState<WhatIf>();
  const passes = useMemo(() => passesOf(bars), [bars]);
  const measured = useMemo(() => layerTimes(bars, trace, passes), [bars, trace, passes]);
  const shown = pass ?? Math.max(0, passes.length - 2);

  useEffect(() => {
    void commands.readCostTables().then((read = []) => {
      setTables(read);
      setCosts(read[0] ?? 'machine');
    });
  }, [commands]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another answer has other heads
  useEffect(() => {
    let current = true;
    void commands.readWhatIf({ costs, switches, layer, pass: shown }).then((read) => {
      if (current) setFound(read);
    });
    return () => {
      current = false;
    };
  }, [commands, costs, switches, layer, shown, trace.request]);

  async function open(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    try {
      const table = readCostTable(JSON.parse(await file.text()));
      setTables([...tables, table]);
      setCosts(table);
    } catch (error) {
      commands.report(error);
    }
  }

  const dense = figures.attention.mode !== 'shadow';
  return (
    <section className="pipeline-section" data-testid="what-if">
      <h2>{words.title}</h2>
      <p className="simulation-note">{words.note}</p>
      <div className="resources-bar">
        <select
          className="select"
          aria-label={words.costs}
          value={costs === 'machine' ? -1 : tables.indexOf(costs)}
          onChange={({ target }) => setCosts(tables[Number(target.value)] ?? 'machine')}
        >
          {tables.map(({ name }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: tables are only added
            <option key={index} value={index}>
              {words.table(name)}
            </option>
          ))}
          <option value={-1}>{words.machine}</option>
        </select>
        <label className="button file-button">
          {words.openTable}
          <input
            type="file"
            className="visually-hidden"
            accept=".json,application/json"
            data-testid="open-costs"
            onChange={({ target }) => void open(target.files?.[0])}
          />
        </label>
        <button
          type="button"
          className="button"
          disabled={costs === 'machine'}
          onClick={() => saveText('costs.json', 'application/json', JSON.stringify(costs, null, 2))}
        >
          {words.saveTable}
        </button>
        {passes.length > 1 && (
          <NumberSelect
            label={strings.pipeline.passLabel}
            count={passes.length}
            value={shown}
            name={(index) => {
              const { position, rows } = passes[index] ?? { position: 0, rows: 0 };
              return strings.pipeline.rows(position, position + rows - 1);
            }}
            onChange={setPass}
          />
        )}
      </div>
      <ul className="what-if-switches">
        {SWITCHES.map((name) => (
          <li key={name} title={words.switchHints[name]}>
            <Toggle
              label={words.switches[name]}
              checked={switches[name]}
              onChange={(on) => setSwitches({ ...switches, [name]: on })}
            />
            <span aria-hidden="true">{words.switches[name]}</span>
          </li>
        ))}
      </ul>
      {found === undefined ? (
        <p className="is-missing">{dense ? words.keepsAll : words.noCosts}</p>
      ) : (
        <WhatIfResult found={found} layer={layer} measured={measured} figures={figures} />
      )}
    </section>
  );
}
