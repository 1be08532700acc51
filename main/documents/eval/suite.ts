/** The documents that `eval documents` summarises: texts of resources/eval/documents, and longer ones from templates. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import type { DocumentHeading, DocumentPage } from '../../../contract/documents.ts';
import { AppError } from '../../../contract/errors.ts';
import { resourceFile } from '../../engine/paths.ts';
import { markdownHeadings } from '../intake/text/markdown-headings.ts';
import type { PromptLanguage } from '../prompts/language.ts';
import { generateText, Templates } from './generate.ts';

/** Sizes by name: about so many tokens of the default model. */
export const EVAL_SIZES = { '1k': 1_000, '8k': 8_000, '30k': 30_000, '120k': 120_000 } as const;
export type EvalSize = keyof typeof EVAL_SIZES;
export const EVAL_LANGUAGES = ['en', 'zh'] as const satisfies readonly PromptLanguage[];

/** A page ends with the paragraph that goes beyond so many characters: what a printed page holds. */
const PAGE_CHARACTERS: Record<PromptLanguage, number> = { en: 2_000, zh: 700 };
/** Changes nothing but what the templates make. */
const SEED = 7;

/**
 * `needs`: what a summary must have of a fact to have told it, all of them; each may name alternatives, "9 October|October 9".
 * `claims` are sentences for the citations alone: what the document says, with the sentence that says it, or what it does not.
 */
export const Planted = v.object({
  facts: v.array(v.object({ quote: v.string(), needs: v.pipe(v.array(v.string()), v.minLength(1)) })),
  claims: v.array(v.object({ text: v.string(), of: v.optional(v.string()) })),
});
export type Planted = v.InferOutput<typeof Planted>;

export interface PlacedFact {
  readonly quote: string;
  readonly needs: readonly string[];
  readonly page: number;
  /** Where the quote begins in the page's text, in UTF-16 code units. */
  readonly offset: number;
}

export interface Claim {
  readonly text: string;
  /** Where the document says it; undefined where it does not. */
  readonly page: number | undefined;
}

export interface EvalDocument {
  readonly language: PromptLanguage;
  readonly size: EvalSize;
  readonly pages: readonly DocumentPage[];
  readonly headings: readonly DocumentHeading[];
  readonly facts: readonly PlacedFact[];
  readonly claims: readonly Claim[];
}

/**
 * One document of the suite. @param countTokens by the model, to give generated texts their size
 * Throws AppError 'internal' where a file is missing or a fact is not in its text exactly once.
 */
export async function evalDocument(
  language: PromptLanguage,
  size: EvalSize,
  countTokens: (texts: readonly string[]) => Promise<number[]>,
): Promise<EvalDocument> {
  if (size === '1k' || size === '8k') {
    const text = await resource(`${language}-${size}.md`);
    const planted = v.parse(Planted, JSON.parse(await resource(`${language}-${size}.json`)));
    return placed(language, size, text, planted);
  }
  const templates = v.parse(Templates, JSON.parse(await resource(`templates.${language}.json`)));
  const { text, facts } = await generateText(templates, EVAL_SIZES[size], SEED, countTokens);
  return placed(language, size, text, { facts, claims: [] });
}

function resource(name: string): Promise<string> {
  return readFile(resourceFile(path.join('eval', 'documents', name)), 'utf8');
}

/** A Markdown text as a document of pages, with the page of each planted sentence. Throws AppError 'internal'. */
export function placed(language: PromptLanguage, size: EvalSize, text: string, planted: Planted): EvalDocument {
  const pages = paged(text, PAGE_CHARACTERS[language]);
  const find = (quote: string) => {
    const at = pages.flatMap(({ number, text: page }) => {
      const offset = page.indexOf(quote);
      return offset < 0 ? [] : [{ page: number, offset }];
    });
    const [place] = at;
    if (place !== undefined && at.length === 1 && text.indexOf(quote) === text.lastIndexOf(quote)) return place;
    throw new AppError('internal', `"${quote}" is not exactly once in the text ${language}-${size}.`);
  };
  return {
    language,
    size,
    pages,
    headings: pages.flatMap(({ number, text: page }) =>
      markdownHeadings(page).map((heading) => ({ ...heading, page: number })),
    ),
    facts: planted.facts.map((fact) => ({ ...fact, ...find(fact.quote) })),
    claims: planted.claims.map(({ text: claim, of }) => ({
      text: claim,
      page: of === undefined ? undefined : find(of).page,
    })),
  };
}

/** Pages of whole paragraphs. */
function paged(text: string, characters: number): DocumentPage[] {
  const pages: DocumentPage[] = [];
  let page = '';
  for (const paragraph of text.trim().split(/\n{2,}/)) {
    page += page === '' ? paragraph : `\n\n${paragraph}`;
    if (page.length < characters) continue;
    pages.push({ number: pages.length + 1, text: page });
    page = '';
  }
  if (page !== '') pages.push({ number: pages.length + 1, text: page });
  return pages;
}
