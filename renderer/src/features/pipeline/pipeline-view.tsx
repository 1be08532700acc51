/** The pipeline screen: what ran when in the last prompt, which keys heads kept, and which words those were. */
import { useEffect, useMemo, useState } from 'react';
import type { TracedAnswer } from '../../../../contract/engine.ts';
import { fromTraceFile, toTraceFile } from '../../../../contract/trace-file.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { isAnswering } from '../../store/resources.ts';
import { strings } from '../../strings.ts';
import { saveText } from '../../ui/save-text.ts';
import { Page } from '../frame/page.tsx';
import { AnswerSummary } from './answer-summary.tsx';
import { KeptSection } from './kept-section.tsx';
import './pipeline.css';
import { ReplaySection } from './replay-section.tsx';
import { TimelineSection } from './timeline-section.tsx';
import { barsOf } from './trace-model.ts';
import { WhatIfSection } from './what-if-section.tsx';

export function PipelineView() {
  const words = strings.pipeline;
  const commands = useCommands();
  const answering = useAppState((state) => isAnswering(state.glance));
  const engineState = useAppState(({ engine }) => engine.state);
  const [last, setLast] = useState<TracedAnswer>();
  const [opened, setOpened] = useState<TracedAnswer>();
  // Read again when an answer has ended, or another model is there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (answering) return;
    let current = true;
    void commands.readTrace().then((traced) => {
      if (current) setLast(traced);
    });
    return () => {
      current = false;
    };
  }, [commands, answering, engineState]);
  const traced = opened ?? last;

  async function open(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    try {
      setOpened(fromTraceFile(JSON.parse(await file.text())));
    } catch (error) {
      commands.report(error);
    }
  }

  return (
    <Page title={words.title} className="pipeline" content="pipeline-content">
      <div className="resources-bar">
        {opened !== undefined && (
          <button type="button" className="button" onClick={() => setOpened(undefined)}>
            {words.backToLast}
          </button>
        )}
        <label className="button file-button">
          {words.open}
          <input
            type="file"
            className="visually-hidden"
            accept=".json,application/json"
            data-testid="open-trace"
            onChange={({ target }) => void open(target.files?.[0])}
          />
        </label>
        <button
          type="button"
          className="button"
          disabled={traced === undefined}
          onClick={() => {
            if (traced !== undefined) saveText('trace.json', 'application/json', JSON.stringify(toTraceFile(traced)));
          }}
        >
          {words.save}
        </button>
      </div>
      {traced === undefined ? (
        <p className="row-note" data-testid="no-trace">
          {answering ? words.answering : words.nothing}
        </p>
      ) : (
        <Traced key={traced.trace.request} traced={traced} fromFile={opened !== undefined} />
      )}
    </Page>
  );
}

function Traced({ traced, fromFile }: { traced: TracedAnswer; fromFile: boolean }) {
  const [cell, setCell] = useState({ layer: 0, head: 0 });
  const bars = useMemo(() => barsOf(traced.trace), [traced]);
  return (
    <>
      <AnswerSummary traced={traced} bars={bars} />
      <TimelineSection trace={traced.trace} bars={bars} cell={cell} onCell={setCell} />
      <KeptSection traced={traced} cell={cell} onCell={setCell} fromFile={fromFile} />
      {!fromFile && (
        <>
          <ReplaySection traced={traced} layer={cell.layer} onLayer={(layer) => setCell({ ...cell, layer })} />
          <WhatIfSection traced={traced} bars={bars} layer={cell.layer} />
        </>
      )}
    </>
  );
}
