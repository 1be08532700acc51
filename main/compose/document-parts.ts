/** Documents: reading and keeping them, summaries, questions about them, and comparisons that may be about one. */

import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import path from 'node:path';
import { choosePaths, saveAs } from '../app/file-dialogs.ts';
import { netGet } from '../app/net-get.ts';
import { pictureOf } from '../app/picture.ts';
import { printToPdf } from '../app/print.ts';
import { spawnParser } from '../app/spawn-parser.ts';
import { ComparisonFiles } from '../compare/comparison-files.ts';
import { ComparisonService } from '../compare/comparison-service.ts';
import { Trials } from '../compare/trials.ts';
import { OcrLanguages } from '../documents/ocr-languages.ts';
import { DocumentReader } from '../documents/reader.ts';
import { defaultRatio } from '../engine/attention/rules.ts';
import { resourceFile } from '../engine/paths.ts';
import { compareHandlers } from '../ipc/compare.ts';
import { documentHandlers, summaryHandlers } from '../ipc/documents.ts';
import { broadcast } from '../ipc/electron.ts';
import { CountedDocuments } from '../summaries/counted-documents.ts';
import { DocumentAsker } from '../summaries/document-asker.ts';
import { DocumentLibrary } from '../summaries/document-library.ts';
import { EngineModel } from '../summaries/engine-model.ts';
import { KeptReading } from '../summaries/kept-reading.ts';
import { SummaryFiles } from '../summaries/summary-files.ts';
import { SummaryService } from '../summaries/summary-service.ts';
import type { Base } from './base.ts';
import type { EngineParts } from './engine-parts.ts';

export function documentParts(base: Base, { engine, keeper, monitor, emit }: EngineParts) {
  const { storage, queue, log, language, dist, userData, folders } = base;
  const modelParts = { engine, keeper, queue, settings: storage.settings };
  const openModel = () => EngineModel.open(modelParts);
  const counted = new CountedDocuments(storage.documents);
  const reader = new DocumentReader({ spawn: spawnParser(dist), log });
  const slowReader = new DocumentReader({ spawn: spawnParser(dist), log });
  const ocrLanguages = new OcrLanguages({
    folder: folders.ocr,
    get: netGet,
    changed: (state) => broadcast({ type: 'ocr-data', data: state }),
    log,
  });
  const documents = new DocumentLibrary({
    storage,
    reader,
    slowReader,
    ocrFolder: folders.ocr,
    pastedFolder: path.join(userData, 'pasted'),
    choose: (kind) =>
      choosePaths({ properties: kind === 'folder' ? ['openDirectory'] : ['openFile', 'multiSelections'] }),
    counted,
    loadedModel: () => EngineModel.loaded(modelParts),
    emit,
    log,
  });
  const summaries = new SummaryService({ storage, documents: counted, openModel, emit, log });
  const asker = new DocumentAsker({ storage, documents: counted, openModel, emit, log });
  const kept = new KeptReading(storage, folders.prefixes);
  void kept.sweep();
  const summaryFiles = new SummaryFiles({ storage, emit, chooseTarget: saveAs, print: printToPdf, language });

  const comparisons = new ComparisonService({
    storage,
    engine,
    documents: counted,
    keeper,
    trials: new Trials({ engine, keeper, queue, emit, energyFromNow: () => monitor.energyFromNow() }),
    sampleText: () => readFile(resourceFile('calibration.txt'), 'utf8'),
    machine: `${cpus()[0]?.model.trim() ?? process.arch}, ${cpus().length} cores, ${process.platform} ${process.arch}`,
    shadowRatio: defaultRatio('shadow'),
    emit,
    log,
  });
  const comparisonFiles = new ComparisonFiles({ chooseTarget: saveAs, picture: pictureOf, language });

  return {
    documents,
    reader,
    handlers: {
      ...documentHandlers(documents, summaries, ocrLanguages, kept),
      ...summaryHandlers(summaries, summaryFiles, asker, storage, kept),
      ...compareHandlers(comparisons, comparisonFiles, storage),
    },
    stop() {
      documents.shutDown();
      summaries.shutDown();
      asker.shutDown();
      ocrLanguages.shutDown();
      comparisons.shutDown();
      reader.stop();
      slowReader.stop();
    },
  };
}
