/** A block of code with its language and a button that copies it. */
import type { Element, ElementContent } from 'hast';
import type { ComponentProps } from 'react';
import { strings } from '../../strings.ts';
import { CopyButton } from '../../ui/copy-button.tsx';

export function CodeBlock({ node, children }: ComponentProps<'pre'> & { node?: Element | undefined }) {
  return (
    <figure className="code">
      <figcaption className="code-bar">
        <span>{languageOf(node) ?? strings.code.plain}</span>
        <CopyButton
          text={() => (node === undefined ? '' : textOf(node)).replace(/\n$/, '')}
          label={strings.code.copy}
          done={strings.code.copied}
        />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre className="code-text" tabIndex={0}>
        {children}
      </pre>
    </figure>
  );
}

/** The language named behind the fence. */
function languageOf(node: Element | undefined): string | undefined {
  const code = node?.children.find((child): child is Element => child.type === 'element' && child.tagName === 'code');
  const classes = code?.properties.className;
  if (!Array.isArray(classes)) return undefined;
  const name = classes.map(String).find((entry) => entry.startsWith('language-'));
  return name?.slice('language-'.length);
}

function textOf(node: ElementContent): string {
  if (node.type === 'text') return node.value;
  return node.type === 'element' ? node.children.map(textOf).join('') : '';
}
