/** An answer's markdown. While it streams, only the block at the end is parsed again. */
import { memo, useDeferredValue, useMemo } from 'react';
import ReactMarkdown, { type Components, type Options } from 'react-markdown';
import rehypeHighlight from 'rehype-highlight';
import remarkGfm from 'remark-gfm';
import { strings } from '../../strings.ts';
import { closeMarks } from './close-marks.ts';
import { CodeBlock } from './code-block.tsx';
import { splitBlocks } from './split-blocks.ts';
import './markdown.css';

/** Colouring costs more than parsing: a growing block beyond this many characters waits for its end, a huge one stays plain. */
const COLOUR_WHILE_STREAMING = 8_000;
const COLOUR_AT_ALL = 100_000;

const remarkPlugins: Options['remarkPlugins'] = [remarkGfm];
const coloured: Options['rehypePlugins'] = [rehypeHighlight];
const plain: Options['rehypePlugins'] = [];

const components: Components = {
  pre: CodeBlock,
  // Links leave the app: main opens them in the browser.
  a: ({ node: _node, ...props }) => <a {...props} target="_blank" rel="noreferrer" />,
  // A picture named by a model would be fetched from somewhere; only its words are shown.
  img: ({ alt }) => <span className="md-image">[{strings.messages.noImage(alt ?? '')}]</span>,
  table: ({ node: _node, ...props }) => (
    <div className="md-table">
      <table {...props} />
    </div>
  ),
};

const Block = memo(function Block({ source, colour }: { source: string; colour: boolean }) {
  return (
    <ReactMarkdown remarkPlugins={remarkPlugins} rehypePlugins={colour ? coloured : plain} components={components}>
      {source}
    </ReactMarkdown>
  );
});

export function Markdown({ text, streaming }: { text: string; streaming: boolean }) {
  // Under load React may skip versions in between, so that typing and scrolling stay quick.
  const shown = useDeferredValue(text);
  const blocks = useMemo(() => splitBlocks(shown), [shown]);
  return (
    <div className="md">
      {blocks.map((block, index) => {
        const growing = streaming && index === blocks.length - 1;
        const colour = block.length <= (growing ? COLOUR_WHILE_STREAMING : COLOUR_AT_ALL);
        // Blocks are only ever added at the end, so the place is the identity.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        return <Block key={index} source={growing ? closeMarks(block) : block} colour={colour} />;
      })}
    </div>
  );
}
