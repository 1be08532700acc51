/** The models screen: what is on this computer, what can be added and downloaded, and how much memory it takes. */
import { useEffect } from 'react';
import { useAppState, useCommands } from '../../store/context.ts';
import { recommended } from '../../store/models.ts';
import { strings } from '../../strings.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Page } from '../frame/page.tsx';
import { Row, Section } from '../settings/parts.tsx';
import { DownloadServer } from './download-server.tsx';
import { DropArea } from './drop-area.tsx';
import { ModelCard } from './model-card.tsx';
import './models.css';
import { DownloadButton, OfferCard } from './offer-card.tsx';

export function ModelsView() {
  const commands = useCommands();
  // What is free changes with every program that runs.
  useEffect(() => void commands.readModels(), [commands]);
  return (
    <Page title={strings.models.title}>
      <DropArea>
        <Here />
        <Get />
      </DropArea>
    </Page>
  );
}

function Here() {
  const words = strings.models;
  const models = useAppState((state) => state.models);
  const total = models?.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0;
  return (
    <Section
      title={words.here.title}
      {...(models === null || models.length === 0 ? {} : { help: words.here.total(models.length, total) })}
    >
      {models === null && <p className="row-note">{words.loading}</p>}
      {models?.length === 0 && <Empty />}
      {models !== null && models.length > 0 && (
        <ul data-testid="models">
          {models.map((model) => (
            <ModelCard key={model.id} model={model} />
          ))}
        </ul>
      )}
      <Imports />
      <AddRow />
    </Section>
  );
}

/** Nothing is here: what a model is, and one that would do. */
function Empty() {
  const words = strings.models.here;
  const offer = useAppState((state) => recommended(state.catalog));
  const status = useAppState((state) => (offer === undefined ? undefined : state.downloads[offer.id]));
  return (
    <div className="models-empty">
      <h3>{words.emptyTitle}</h3>
      <p>{words.empty}</p>
      {offer !== undefined && status === undefined && (
        <>
          <p>{words.emptyOffer(offer.name, offer.bytes)}</p>
          <DownloadButton id={offer.id} name={offer.name} bytes={offer.bytes} />
        </>
      )}
    </div>
  );
}

/** Imports that run. */
function Imports() {
  const words = strings.models.add;
  const commands = useCommands();
  const jobs = useAppState((state) => state.modelJobs);
  return Object.values(jobs)
    .filter(({ kind }) => kind === 'import')
    .map(({ jobId, name, progress = { done: 0, total: 0 } }) => (
      <Row key={jobId} label={<span role="status">{words.importing(name)}</span>}>
        <ProgressBar done={progress.done} total={progress.total} label={words.importing(name)} />
        <button type="button" className="button" onClick={() => void commands.cancelJob(jobId)}>
          {words.stop}
        </button>
      </Row>
    ));
}

function AddRow() {
  const words = strings.models.add;
  const commands = useCommands();
  return (
    <Row label={words.label} help={words.help}>
      <button type="button" className="button" onClick={() => void commands.importModel('file')}>
        {words.file}
      </button>
      <button type="button" className="button" onClick={() => void commands.importModel('folder')}>
        {words.folder}
      </button>
    </Row>
  );
}

function Get() {
  const words = strings.models.get;
  const catalog = useAppState((state) => state.catalog);
  return (
    <Section title={words.title} help={words.help}>
      {catalog === null ? (
        <p className="row-note">{strings.models.loading}</p>
      ) : (
        <ul data-testid="catalog">
          {catalog.map((offer) => (
            <OfferCard key={offer.id} offer={offer} />
          ))}
        </ul>
      )}
      <DownloadServer />
    </Section>
  );
}
