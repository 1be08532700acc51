/** A formula, drawn by KaTeX. Until it is whole, and where it cannot be drawn, its TeX is shown. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type LazyPart, useLazyPart } from '../../ui/lazy-part.ts';
import type { Formula } from './formulas.ts';

const typesetting: LazyPart<typeof import('./typeset.ts')> = { load: () => import('./typeset.ts') };

export function FormulaView({ formula: { tex, form } }: { formula: Formula }) {
  const host = useRef<HTMLSpanElement>(null);
  const typesetter = useLazyPart(typesetting);
  const [failed, setFailed] = useState<string>();
  const drawn = typesetter !== undefined && form !== 'open' && failed !== tex;

  useLayoutEffect(() => {
    if (!drawn || host.current === null) return;
    try {
      typesetter.typeset(tex, form === 'display', host.current);
    } catch {
      setFailed(tex);
    }
  }, [drawn, typesetter, tex, form]);

  // Once it is on screen: asking earlier would lay out the page for each formula.
  useEffect(() => {
    const element = host.current;
    if (!drawn || form !== 'display' || element === null) return;
    // What is wider than the page scrolls, so it must be reachable by keyboard.
    if (element.scrollWidth > element.clientWidth) element.tabIndex = 0;
  }, [drawn, form]);

  if (!drawn) return <code className={`formula-source is-${form}`}>{tex}</code>;
  return <span ref={host} className={`formula is-${form}`} />;
}
