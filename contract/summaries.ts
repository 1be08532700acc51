/** Summaries of whole documents and questions about documents: plans, progress by section, citations. */
import * as v from 'valibot';
import { ErrorInfo } from './errors.ts';
import { count, id, nothing, time } from './fields.ts';

const pageRange = v.tuple([count, count]);

export const SummaryStyle = v.picklist(['brief', 'key-points', 'structured', 'action-items', 'child', 'custom']);
export type SummaryStyle = v.InferOutput<typeof SummaryStyle>;

export const SummaryLength = v.picklist(['short', 'medium', 'long']);
export type SummaryLength = v.InferOutput<typeof SummaryLength>;

export const SummaryLanguage = v.picklist(['document', 'en', 'zh-CN', 'es', 'fr', 'de', 'ja']);
export type SummaryLanguage = v.InferOutput<typeof SummaryLanguage>;

export const SummaryOptions = v.object({
  style: SummaryStyle,
  length: SummaryLength,
  /** 'document': the language that the document is written in. */
  language: SummaryLanguage,
  /** What to look for, in the user's words; the whole instruction where the style is 'custom'. */
  instruction: v.optional(v.pipe(v.string(), v.maxLength(2000))),
});
export type SummaryOptions = v.InferOutput<typeof SummaryOptions>;

/** Where a piece of text comes from: offsets in the page's text, in UTF-16 code units. */
export const Citation = v.object({
  documentId: id,
  page: count,
  /** What the document calls the page. */
  label: v.optional(v.string()),
  /** Absent where only the pages of the section are known. */
  range: v.optional(v.tuple([count, count])),
  /** How well it matches, 0 to 1. */
  score: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
});
export type Citation = v.InferOutput<typeof Citation>;

/** A point of a summary or answer, and where it comes from, the best place first. */
export const CitedPoint = v.object({ text: v.string(), citations: v.array(Citation) });
export type CitedPoint = v.InferOutput<typeof CitedPoint>;

/** The document at once, by sections that are put together, or in several rounds of putting together. */
export const SummaryStrategy = v.picklist(['whole', 'sections', 'hierarchical']);
export type SummaryStrategy = v.InferOutput<typeof SummaryStrategy>;

export const PlannedSection = v.object({ title: v.string(), pages: pageRange, tokens: count });
export type PlannedSection = v.InferOutput<typeof PlannedSection>;

/** What a summary will take, before it starts. */
export const SummaryPlan = v.object({
  strategy: SummaryStrategy,
  sections: v.array(PlannedSection),
  /** Rounds of putting together after the sections. */
  rounds: count,
  /** Of the document, and what one prompt may have. */
  documentTokens: count,
  contextSize: count,
  /** From measured speeds; a guess where `measured` is false. */
  seconds: count,
  measured: v.boolean(),
  /** Pages without text that can be read. */
  pagesWithoutText: v.array(count),
});
export type SummaryPlan = v.InferOutput<typeof SummaryPlan>;

export const SectionState = v.picklist(['waiting', 'running', 'done', 'failed']);
export type SectionState = v.InferOutput<typeof SectionState>;

export const SummarySection = v.object({
  ...PlannedSection.entries,
  state: SectionState,
  /** The model's words so far. */
  text: v.string(),
  points: v.array(CitedPoint),
  seconds: v.optional(v.number()),
  /** Why it failed. `text` is then an extract of the document, if anything. */
  error: v.optional(ErrorInfo),
  /** The model's answer was cut by its length limit. */
  cut: v.optional(v.boolean()),
});
export type SummarySection = v.InferOutput<typeof SummarySection>;

export const SummaryCoverage = v.object({
  /** Tokens of sections that are done, and of the document's readable text. */
  tokensRead: count,
  tokensTotal: count,
  pagesWithoutText: v.array(count),
  /** Indices of sections that failed. */
  failedSections: v.array(count),
});
export type SummaryCoverage = v.InferOutput<typeof SummaryCoverage>;

export const Summary = v.object({
  id,
  documentId: id,
  /** Of the file that was read. */
  documentName: v.string(),
  options: SummaryOptions,
  plan: SummaryPlan,
  /** 'stopped': can be resumed. 'complete' with failed sections says so in `coverage`. */
  state: v.picklist(['waiting', 'running', 'stopped', 'complete', 'failed']),
  sections: v.array(SummarySection),
  /** The whole, once there is one. */
  text: v.string(),
  points: v.array(CitedPoint),
  /** The model's answer was cut by its length limit while the whole was written. */
  cut: v.optional(v.boolean()),
  /** The model made no whole of the parts: they stand one after another. */
  joined: v.optional(v.boolean()),
  coverage: SummaryCoverage,
  model: v.string(),
  /** Version of the prompts that it was made with. */
  prompts: count,
  createdAt: time,
  seconds: v.number(),
  error: v.optional(ErrorInfo),
});
export type Summary = v.InferOutput<typeof Summary>;

export const DocumentAnswer = v.object({
  id,
  documentIds: v.array(id),
  question: v.string(),
  text: v.string(),
  points: v.array(CitedPoint),
  state: v.picklist(['waiting', 'running', 'stopped', 'complete', 'failed']),
  /** Sections that were put before the model, of how many. */
  read: v.object({ sections: count, of: count }),
  /** Version of the prompt that it was made with. */
  prompts: count,
  error: v.optional(ErrorInfo),
  createdAt: time,
});
export type DocumentAnswer = v.InferOutput<typeof DocumentAnswer>;

export const summaryChannels = {
  /** Throws 'model-missing' where no model is loaded. */
  'summaries.plan': { request: v.object({ documentId: id, options: SummaryOptions }), response: SummaryPlan },
  'summaries.start': { request: v.object({ documentId: id, options: SummaryOptions }), response: Summary },
  /** Keeps what is done. */
  'summaries.stop': { request: v.object({ summaryId: id }), response: nothing },
  /** Goes on with what is not done. */
  'summaries.resume': { request: v.object({ summaryId: id }), response: nothing },
  /** One section again, then the whole from the sections. */
  'summaries.redo': { request: v.object({ summaryId: id, section: count }), response: nothing },
  /** The last one first. */
  'summaries.list': { request: v.object({ documentId: id }), response: v.array(Summary) },
  'summaries.remove': { request: v.object({ summaryId: id }), response: nothing },
  /** Asks where to, and writes. Answers with the file's name, or null where the user thought better of it. */
  'summaries.export': {
    request: v.object({ summaryId: id, format: v.picklist(['markdown', 'docx', 'pdf']) }),
    response: v.nullable(v.string()),
  },
  /** A new chat that begins with the summary; answers with its id. */
  'summaries.to-chat': { request: v.object({ summaryId: id }), response: v.object({ chatId: id }) },
  'documents.ask': {
    request: v.object({
      documentIds: v.pipe(v.array(id), v.minLength(1), v.maxLength(50)),
      question: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(10_000)),
    }),
    response: DocumentAnswer,
  },
  'documents.stop-answer': { request: v.object({ answerId: id }), response: nothing },
  /** What was read of documents and is kept on disk for the next time. */
  'documents.kept': { request: nothing, response: v.object({ bytes: count }) },
  'documents.clear-kept': { request: nothing, response: nothing },
  'documents.answers': { request: v.object({ documentId: id }), response: v.array(DocumentAnswer) },
} as const;
export type SummaryChannel = keyof typeof summaryChannels;

export const summaryEvents = [
  /** It changed as a whole: a section ended, the state changed. */
  v.object({ type: v.literal('summary'), summary: Summary }),
  v.object({ type: v.literal('summary-removed'), summaryId: id, documentId: id }),
  /** Text that is new in a section (null: the whole), or how far its prompt was read. `offset` as in 'delta' of messages. */
  v.object({
    type: v.literal('summary-progress'),
    summaryId: id,
    section: v.nullable(count),
    prefill: v.optional(v.object({ done: count, total: count })),
    offset: count,
    delta: v.string(),
  }),
  v.object({ type: v.literal('document-answer'), answer: DocumentAnswer }),
  v.object({ type: v.literal('document-answer-delta'), answerId: id, offset: count, delta: v.string() }),
] as const;
