/** The compare screen: one prompt answered in several ways, and the speed of prompts over their length. */
import { useEffect, useState } from 'react';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Choice } from '../../ui/choice.tsx';
import { Page } from '../frame/page.tsx';
import { CompareStart } from './compare-start.tsx';
import { ComparisonView } from './comparison-view.tsx';
import { CurveStart } from './curve-start.tsx';
import { CurveView } from './curve-view.tsx';
import { KeptBar } from './kept-bar.tsx';
import { useKept } from './use-kept.ts';
import './compare.css';

const SUBJECTS = ['answers', 'curve'] as const;
type Subject = (typeof SUBJECTS)[number];

export function CompareView() {
  const words = strings.compare;
  const commands = useCommands();
  const [subject, setSubject] = useState<Subject>('answers');
  useEffect(() => void commands.readComparisons(), [commands]);
  return (
    <Page title={words.title} className="compare" content="compare-content">
      <Choice
        label={words.subject}
        value={subject}
        options={SUBJECTS.map((value) => ({ value, label: words.subjects[value] }))}
        onChange={setSubject}
      />
      {subject === 'answers' ? <Answers /> : <Curves />}
    </Page>
  );
}

function Answers() {
  const kept = useKept('answers');
  return (
    <>
      <KeptBar kept={kept} />
      {kept.shownId === undefined ? (
        <CompareStart onStarted={() => kept.choose(undefined)} />
      ) : kept.shown === undefined ? (
        <p className="row-note">{strings.compare.opening}</p>
      ) : (
        <ComparisonView key={kept.shown.id} comparison={kept.shown} />
      )}
    </>
  );
}

function Curves() {
  const kept = useKept('curve');
  return (
    <>
      <KeptBar kept={kept} />
      {kept.shownId === undefined ? (
        <CurveStart onStarted={() => kept.choose(undefined)} />
      ) : kept.shown === undefined ? (
        <p className="row-note">{strings.compare.opening}</p>
      ) : (
        <CurveView key={kept.shown.id} curve={kept.shown} />
      )}
    </>
  );
}
