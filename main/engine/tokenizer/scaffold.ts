/**
 * Tells which control markers of a rendered chat come from the template and which from a message that merely quotes them.
 *
 * A template returns one string and no origin. So it is rendered a second time with the messages laced: a character that
 * nothing else uses is put between the visible characters of each message. Where the laced result without the lace equals
 * the plain one, a marker that holds no lace can only be the template's own, whatever the template did to the messages
 * (trimmed them, changed their case, split them, joined their words to its own).
 *
 * Templates may look for words in messages (`'</think>' in content`), which lace would hide from them: their own literals
 * stay whole inside messages, unless a literal holds a control marker. Where the results still differ, only the markers
 * inside messages are laced; a template that looks for control markers in messages then does not find them, which is the
 * price of keeping messages from speaking in the template's voice.
 */
import type { ChatTurn } from '../../../contract/engine.ts';
import type { ChatTemplate } from './chat-template.ts';
import { MarkerScanner, type Segment } from './markers.ts';

/** The rendered chat cut into the template's control tokens and text, in which nothing is a control token. */
export function scaffoldOf(
  template: ChatTemplate,
  turns: readonly ChatTurn[],
  control: ReadonlyMap<string, number>,
): Segment[] {
  const plain = template.render(turns);
  // Lace cannot enter a marker of one visible character; where a message quotes such a one, it is text everywhere.
  const separable = new Map([...control].filter(([marker]) => /\S\s*\S/.test(marker) || !quotes(turns, marker)));
  const scanner = new MarkerScanner(separable);
  if (!turns.some((turn) => /\S/.test(turn.content))) return scanner.split(plain);

  const markers = [...control.keys()];
  const lace = unusedCharacter([plain, ...turns.map((turn) => turn.content), ...markers, ...template.literals]);
  const literals = template.literals.filter((literal) => !markers.some((marker) => literal.includes(marker)));
  const laces = [
    (text: string) => laceAll(text, literals, lace, false),
    (text: string) => laceAll(text, literals, lace, true),
    (text: string) => laceMarkers(text, markers, lace),
  ];
  for (const [attempt, apply] of laces.entries()) {
    const laced = renderQuietly(
      template,
      turns.map(({ role, content }) => ({ role, content: apply(content) })),
    );
    if (laced === undefined) continue;
    if (laced.replaceAll(lace, '') === plain || attempt === laces.length - 1) return unlace(scanner.split(laced), lace);
  }
  // The template takes exception to the lace itself. Without it the origin of a marker that a message quotes is unknown.
  return new MarkerScanner([...control].filter(([marker]) => !quotes(turns, marker))).split(plain);
}

function unlace(segments: Segment[], lace: string): Segment[] {
  const result: Segment[] = [];
  for (const segment of segments) {
    if (segment.kind === 'token') {
      result.push(segment);
    } else {
      const text = segment.text.replaceAll(lace, '');
      if (text !== '') result.push({ kind: 'text', text });
    }
  }
  return result;
}

function renderQuietly(template: ChatTemplate, turns: readonly ChatTurn[]): string | undefined {
  try {
    return template.render(turns);
  } catch {
    return undefined; // it accepted the plain messages, so the lace is what it refused
  }
}

/**
 * Lace before every visible character and after the last one; none inside `literals`, none at the outer white space, which
 * templates trim. `bareEdges`: none outside a literal at either end, for startswith() and endswith().
 */
function laceAll(text: string, literals: readonly string[], lace: string, bareEdges: boolean): string {
  const alternatives = [...literals].sort((a, b) => b.length - a.length).map(escapePattern);
  const unit = new RegExp([...alternatives, '\\S'].join('|'), 'gu');
  const isBare = (found: string) => bareEdges && [...found].length > 1;
  let result = '';
  let last = '';
  let end = 0;
  for (const { 0: found, index } of text.matchAll(unit)) {
    result += text.slice(end, index);
    if (last !== '' || !isBare(found)) result += lace;
    result += found;
    last = found;
    end = index + found.length;
  }
  if (last !== '' && !isBare(last)) result += lace;
  return result + text.slice(end);
}

/** Lace inside every control marker, in whatever case it is written. */
function laceMarkers(text: string, markers: readonly string[], lace: string): string {
  const alternatives = [...markers].sort((a, b) => b.length - a.length).map(escapePattern);
  return text.replace(new RegExp(alternatives.join('|'), 'giu'), (marker) => [...marker].join(lace));
}

function quotes(turns: readonly ChatTurn[], marker: string): boolean {
  return turns.some((turn) => turn.content.toLowerCase().includes(marker.toLowerCase()));
}

/** A character of the Private Use Area that occurs in none of the texts. */
function unusedCharacter(texts: readonly string[]): string {
  for (let code = 0xe000; code <= 0xf8ff; code++) {
    const char = String.fromCharCode(code);
    if (!texts.some((text) => text.includes(char))) return char;
  }
  // 6,400 private characters in one conversation: U+FFFF is not a character, so text cannot mean anything by it.
  return '\uffff';
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
