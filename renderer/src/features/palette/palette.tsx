/** The command palette: type a few letters, choose by arrows, press Enter. */
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useApp, useAppState } from '../../store/context.ts';
import { windowStorage } from '../../store/memory.ts';
import { strings } from '../../strings.ts';
import { Modal } from '../../ui/dialog.tsx';
import { Keys } from '../shortcuts/key-caps.tsx';
import { itemsOf, type RankedItem, rank } from './items.ts';
import './palette.css';
import { readRecent, rememberRecent } from './recent.ts';

export function Palette() {
  const app = useApp();
  const words = strings.palette;
  const state = useAppState((whole) => whole);
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(0);
  const [recent] = useState(() => readRecent(windowStorage()));
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const ranked = useMemo(() => rank(itemsOf(state), query, recent), [state, query, recent]);
  const at = Math.min(chosen, ranked.length - 1);

  useEffect(() => {
    list.current?.querySelector(`[data-index="${at}"]`)?.scrollIntoView?.({ block: 'nearest' });
  }, [at]);

  function run(item: RankedItem): void {
    rememberRecent(windowStorage(), item.id);
    app.commands.setOverlay(null);
    // After the dialog has given the focus back: an action may put it elsewhere.
    setTimeout(() => item.run(app));
  }

  function onKeyDown(event: React.KeyboardEvent): void {
    // Enter that ends a conversion of an input method chooses nothing.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const { length } = ranked;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + length, PageDown: at + 8, PageUp: at - 8 }[event.key];
    if (to !== undefined && length > 0) {
      setChosen(event.key.startsWith('Arrow') ? to % length : Math.max(0, Math.min(length - 1, to)));
    } else if (event.key === 'Enter' && ranked[at] !== undefined) run(ranked[at]);
    else return;
    event.preventDefault();
  }

  return (
    <Modal className="dialog palette" label={words.label} onClose={() => app.commands.setOverlay(null)}>
      <input
        className="palette-input"
        type="text"
        role="combobox"
        aria-label={words.label}
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={at < 0 ? undefined : `${listId}-${at}`}
        aria-autocomplete="list"
        data-autofocus=""
        data-testid="palette-input"
        dir="auto"
        placeholder={words.placeholder}
        value={query}
        onChange={({ target }) => {
          setQuery(target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={list} id={listId} className="palette-list" role="listbox" aria-label={words.results}>
        {ranked.map((item, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys, as for every combobox
          <div
            key={item.id}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={`palette-item${index === at ? ' is-chosen' : ''}`}
            data-index={index}
            onPointerMove={() => setChosen(index)}
            onClick={() => run(item)}
          >
            <span className="palette-label" dir="auto">
              <Marked text={item.label} at={item.at} />
            </span>
            {item.kind !== 'action' && <span className="palette-kind">{words.kinds[item.kind]}</span>}
            {item.keys !== undefined && <Keys keys={item.keys} />}
          </div>
        ))}
      </div>
      {ranked.length === 0 && <p className="palette-none">{words.none}</p>}
      <p className="visually-hidden" role="status">
        {words.count(ranked.length)}
      </p>
    </Modal>
  );
}

/** The text with what was typed standing out. */
function Marked({ text, at }: { text: string; at: readonly number[] }) {
  const typed = new Set(at);
  const runs: { text: string; typed: boolean; from: number }[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const last = runs.at(-1);
    const on = typed.has(index);
    if (last !== undefined && last.typed === on) last.text += text[index];
    else runs.push({ text: text[index] ?? '', typed: on, from: index });
  }
  return runs.map((run) =>
    run.typed ? <mark key={run.from}>{run.text}</mark> : <span key={run.from}>{run.text}</span>,
  );
}
