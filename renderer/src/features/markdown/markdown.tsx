/** An answer's markdown. While it streams, only the blocks at its end are parsed again. */
import type { Element, ElementContent } from 'hast';
import { type ComponentProps, memo, useDeferredValue, useMemo, useRef } from 'react';
import ReactMarkdown, { type Components, type Options } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { strings } from '../../strings.ts';
import { blockMarkdown } from './block-markdown.ts';
import { chunksOf, estimateHeight } from './chunks.ts';
import { closeMarks } from './close-marks.ts';
import { CodeBlock } from './code-block.tsx';
import { fencedCode } from './fence.ts';
import { FormulaView } from './formula-view.tsx';
import { formulaOf } from './formulas.ts';
import { Near } from './near.tsx';
import { type Block, splitBlocks, splitGrown } from './split-blocks.ts';
import './markdown.css';

/** So many chunks at the end are drawn at once: a chat opens at its end. */
const FIRST_CHUNKS = 2;

const remarkPlugins: Options['remarkPlugins'] = [remarkGfm];

const components: Components = {
  pre: ({ node }) => <CodeBlock code={textOf(node).replace(/\n$/, '')} language={languageOf(node)} growing={false} />,
  code: Code,
  // Links leave the app: main opens them in the browser.
  a: ({ node: _node, ...props }) => <a {...props} target="_blank" rel="noreferrer" />,
  // A picture named by a model would be fetched from somewhere; only its words are shown.
  img: ({ alt }) => <span className="md-image">[{strings.messages.noImage(alt ?? '')}]</span>,
  // Lists and tables stand as their own words run, whatever the script of the answer.
  ul: ({ node: _node, ...props }) => <ul dir="auto" {...props} />,
  ol: ({ node: _node, ...props }) => <ol dir="auto" {...props} />,
  blockquote: ({ node: _node, ...props }) => <blockquote dir="auto" {...props} />,
  table: ({ node: _node, ...props }) => (
    <div className="md-table" dir="auto">
      <table {...props} />
    </div>
  ),
};

interface MarkdownProps {
  readonly text: string;
  readonly streaming: boolean;
  /** The chunk that stays in the page wherever it is, where one is looked at by other means than scrolling. */
  readonly held?: number | undefined;
}

export function Markdown({ text, streaming, held }: MarkdownProps) {
  // Under load React may skip versions in between, so that typing and scrolling stay quick.
  const shown = useDeferredValue(text);
  const blocks = useBlocks(shown);
  const definitions = useMemo(() => definitionsOf(blocks, streaming), [blocks, streaming]);
  const chunks = useMemo(() => chunksOf(blocks), [blocks]);
  return (
    <div className="md">
      {chunks.map((chunk, index) => (
        <Near
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever added at the end, so the place is the identity
          key={index}
          className="md-chunk"
          data-chunk={index}
          estimate={() => chunk.reduce((sum, { source }) => sum + estimateHeight(source), 0)}
          first={index >= chunks.length - FIRST_CHUNKS}
          hold={held === index}
        >
          <Chunk blocks={chunk} growing={streaming && index === chunks.length - 1} definitions={definitions} />
        </Near>
      ))}
    </div>
  );
}

interface ChunkProps {
  readonly blocks: readonly Block[];
  /** Its last block is still being written. */
  readonly growing: boolean;
  readonly definitions: string;
}

const Chunk = memo(
  function Chunk({ blocks, growing, definitions }: ChunkProps) {
    return blocks.map(({ source, start }, index) => (
      <MarkdownBlock
        key={start}
        source={source}
        growing={growing && index === blocks.length - 1}
        definitions={definitions}
      />
    ));
  },
  (before, after) =>
    before.growing === after.growing &&
    before.definitions === after.definitions &&
    before.blocks.length === after.blocks.length &&
    before.blocks.every((block, index) => block === after.blocks[index]),
);

function useBlocks(text: string): readonly Block[] {
  const before = useRef<{ text: string; blocks: readonly Block[] }>({ text: '', blocks: [] });
  return useMemo(() => {
    const blocks = before.current.blocks.length > 0 ? splitGrown(text, before.current) : splitBlocks(text);
    before.current = { text, blocks };
    return blocks;
  }, [text]);
}

/** Where links of references lead; those of the block that grows are not whole yet. */
function definitionsOf(blocks: readonly Block[], streaming: boolean): string {
  const whole = streaming ? blocks.slice(0, -1) : blocks;
  return whole.flatMap((block) => block.definitions).join('\n');
}

interface BlockProps {
  readonly source: string;
  readonly growing: boolean;
  readonly definitions: string;
}

const MarkdownBlock = memo(
  function MarkdownBlock({ source, growing, definitions }: BlockProps) {
    const fenced = fencedCode(growing ? closeMarks(source) : source);
    if (fenced !== undefined) return <CodeBlock {...fenced} growing={growing} />;
    return (
      <ReactMarkdown remarkPlugins={remarkPlugins} components={components}>
        {blockMarkdown(source, growing, definitions)}
      </ReactMarkdown>
    );
  },
  (before, after) =>
    before.source === after.source &&
    before.growing === after.growing &&
    (before.definitions === after.definitions || !after.source.includes('[')),
);

/** Inline code, or the formula that it carries. */
function Code({ node: _node, children, ...props }: ComponentProps<'code'> & { node?: Element | undefined }) {
  const formula = typeof children === 'string' ? formulaOf(children) : undefined;
  return formula === undefined ? <code {...props}>{children}</code> : <FormulaView formula={formula} />;
}

/** The language named behind the fence. */
function languageOf(node: Element | undefined): string | undefined {
  const code = node?.children.find((child): child is Element => child.type === 'element' && child.tagName === 'code');
  const classes = code?.properties.className;
  if (!Array.isArray(classes)) return undefined;
  const name = classes.map(String).find((entry) => entry.startsWith('language-'));
  return name?.slice('language-'.length);
}

function textOf(node: ElementContent | undefined): string {
  if (node === undefined) return '';
  if (node.type === 'text') return node.value;
  return node.type === 'element' ? node.children.map(textOf).join('') : '';
}
