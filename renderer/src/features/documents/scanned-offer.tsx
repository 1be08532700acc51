/** Offers to recognise the text of scanned pages: which languages, what fetching one takes, and the start. */
import { useEffect, useState } from 'react';
import type { OcrLanguage } from '../../../../contract/documents.ts';
import type { OcrData } from '../../../../contract/library-documents.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { ErrorText } from '../../ui/error-text.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';

export function ScannedOffer({ documentId, pages }: { documentId: string; pages: number }) {
  const commands = useCommands();
  const words = strings.documents.ocr;
  const languages = useAppState((state) => state.ocr);
  /** Languages that are here and are not wanted. */
  const [unwanted, setUnwanted] = useState<readonly OcrLanguage[]>([]);
  useEffect(() => void commands.readOcrLanguages(), [commands]);
  const wanted = languages
    .filter(({ language, state }) => state === 'here' && !unwanted.includes(language))
    .map(({ language }) => language);
  return (
    <section className="document-ocr" aria-label={words.title} data-testid="scanned-offer">
      <p>{words.offer(pages)}</p>
      <ul>
        {languages.map((data) => (
          <Language
            key={data.language}
            data={data}
            wanted={wanted.includes(data.language)}
            onWant={(want) =>
              setUnwanted(
                want ? unwanted.filter((language) => language !== data.language) : [...unwanted, data.language],
              )
            }
          />
        ))}
      </ul>
      <button
        type="button"
        className="button is-primary"
        disabled={wanted.length === 0}
        onClick={() => void commands.recognise(documentId, wanted)}
      >
        {words.start(pages)}
      </button>
    </section>
  );
}

interface LanguageProps {
  readonly data: OcrData;
  readonly wanted: boolean;
  readonly onWant: (want: boolean) => void;
}

function Language({ data: { language, bytes, state, share = 0, error }, wanted, onWant }: LanguageProps) {
  const commands = useCommands();
  const words = strings.documents.ocr;
  const name = words.languages[language];
  return (
    <li data-testid="ocr-language" data-state={state}>
      <div className="document-ocr-language">
        <label>
          <input
            type="checkbox"
            checked={wanted}
            disabled={state !== 'here'}
            onChange={({ target }) => onWant(target.checked)}
          />
          <span>{name}</span>
        </label>
        {state === 'absent' && (
          <button
            type="button"
            className="button"
            aria-label={words.fetchLabel(name, bytes)}
            onClick={() => void commands.fetchOcrLanguage(language)}
          >
            {words.fetch(bytes)}
          </button>
        )}
        {state === 'fetching' && (
          <>
            <ProgressBar done={share * bytes} total={bytes} label={words.fetching(name)} />
            <button type="button" className="button" onClick={() => void commands.stopOcrLanguage(language)}>
              {words.stop}
            </button>
          </>
        )}
      </div>
      {error !== undefined && (
        <div className="document-error" role="alert">
          <ErrorText error={error} />
        </div>
      )}
    </li>
  );
}
