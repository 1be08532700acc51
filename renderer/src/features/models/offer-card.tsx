/** A model of the catalogue: what it is good for, whether it fits, and its download. */
import type { OfferedModel } from '../../../../contract/models.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { DownloadProgress } from './download-progress.tsx';
import { DeviceFits, FitBadge, fitWords } from './fit-badge.tsx';

export function OfferCard({ offer }: { offer: OfferedModel }) {
  const words = strings.models.get;
  const status = useAppState((state) => state.downloads[offer.id]);
  const { name, note, bytes, parameters, quantization, contextTrained, memoryGB, fit, installed } = offer;
  return (
    <li className="model" data-testid="offer" aria-label={name}>
      <div className="model-words">
        <p className="model-name">
          <span>{name}</span>
          <FitBadge fit={fit} />
        </p>
        <p>{words.note(note)}</p>
        <p className="model-facts">
          {[
            words.parameters(parameters),
            quantization,
            strings.models.card.trained(contextTrained),
            words.memory(memoryGB),
          ].join(' · ')}
        </p>
        <p className="model-facts">{fitWords(fit)}</p>
        <DeviceFits fit={fit} />
        <Details offer={offer} />
      </div>
      <div className="model-actions">
        {installed === undefined ? (
          status === undefined && <DownloadButton id={offer.id} name={name} bytes={bytes} />
        ) : (
          <span className="badge is-good">{words.here}</span>
        )}
      </div>
      {status !== undefined && installed === undefined && <DownloadProgress name={name} status={status} />}
    </li>
  );
}

export function DownloadButton({ id, name, bytes }: { id: string; name: string; bytes: number }) {
  const words = strings.models.get;
  const commands = useCommands();
  return (
    <button
      type="button"
      className="button"
      aria-label={words.downloadLabel(name, bytes)}
      onClick={() => void commands.download(id)}
    >
      {words.download(bytes)}
    </button>
  );
}

function Details({ offer: { licence, licenceUrl, url, sha256, template } }: { offer: OfferedModel }) {
  const words = strings.models.get;
  // The page of the repository, not the file itself.
  const [page = url] = url.split('/resolve/');
  return (
    <details className="model-details">
      <summary>{words.details}</summary>
      <ul>
        <li>
          <a href={licenceUrl}>{words.licence(licence)}</a>
        </li>
        <li>
          <a href={page}>{words.source}</a>: {page.replace('https://', '')}
        </li>
        <li lang="en">{words.template(template)}</li>
        <li>{sha256 === undefined ? words.unpublished : `SHA-256: ${sha256}`}</li>
      </ul>
    </details>
  );
}
