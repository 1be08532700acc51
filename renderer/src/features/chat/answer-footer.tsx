/** Below an answer: which model, attention and device made it, and how fast; in full on request. */
import { useId, useState } from 'react';
import { strings } from '../../strings.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { InfoIcon } from '../../ui/icons.tsx';
import { toldReason } from '../../ui/told.ts';
import { type AnswerResult, answerFigures } from './answer-figures.ts';
import { AnswerWork } from './answer-work.tsx';

export function AnswerFooter({ result }: { result: AnswerResult }) {
  const [open, setOpen] = useState(false);
  const detailsId = useId();
  const figures = answerFigures(result);
  return (
    <div className="footer" data-testid="answer-footer">
      <div className="footer-line">
        <div className="footer-clip">
          <ul className="footer-figures">
            {figures.map(({ key, text, explain }) => (
              <li key={key} title={explain}>
                {text}
              </li>
            ))}
          </ul>
        </div>
        <IconButton
          label={open ? strings.figures.hide : strings.figures.show}
          size="small"
          on={open}
          aria-expanded={open}
          aria-controls={detailsId}
          onClick={() => setOpen(!open)}
        >
          <InfoIcon size={16} />
        </IconButton>
      </div>
      {result.deviceProblems?.map(({ device, part, reason }) => (
        <p key={`${device} ${part}`} className="footer-problem">
          {strings.figures.problem(strings.deviceWords(device), part, toldReason(reason))}
        </p>
      ))}
      <div id={detailsId} className="footer-details" hidden={!open}>
        <dl>
          {figures.map(({ key, text, explain }) => (
            <div key={key}>
              <dt>{strings.figures.names[key]}</dt>
              <dd>
                <strong>{text}</strong>
                <span>{explain}</span>
              </dd>
            </div>
          ))}
        </dl>
        {result.work !== undefined && <AnswerWork work={result.work} />}
      </div>
    </div>
  );
}
