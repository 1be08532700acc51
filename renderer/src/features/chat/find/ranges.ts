/** Finds a text in what is in the page, also where it goes over several elements. */
import { folded } from './matches.ts';

/** The occurrences of `query` below `root`, in order. */
export function rangesOf(root: Element, query: string): Range[] {
  const wanted = folded(query.trim());
  if (wanted === '') return [];
  const nodes: { node: Text; start: number }[] = [];
  let text = '';
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text) || isControl(node)) continue;
    nodes.push({ node, start: text.length });
    text += node.data;
  }
  const searched = folded(text);
  // Some letters change their length with their case: then places in the one text are none in the other.
  if (searched.length !== text.length) return [];
  const ranges: Range[] = [];
  for (let at = searched.indexOf(wanted); at >= 0; at = searched.indexOf(wanted, at + wanted.length)) {
    ranges.push(rangeAt(nodes, at, at + wanted.length));
  }
  return ranges;
}

function isControl(node: Text): boolean {
  return node.parentElement?.closest('button, textarea, .answer-foot, .message-tools, .code-bar') != null;
}

function rangeAt(nodes: readonly { node: Text; start: number }[], from: number, to: number): Range {
  const range = document.createRange();
  for (const { node, start } of nodes) {
    const end = start + node.length;
    if (from >= start && from < end) range.setStart(node, from - start);
    if (to > start && to <= end) {
      range.setEnd(node, to - start);
      break;
    }
  }
  return range;
}
