/** A formula, drawn by KaTeX. Until it is whole, and where it cannot be drawn, its TeX is shown. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Formula } from './formulas.ts';

type Typeset = typeof import('./typeset.ts').typeset;
let loaded: Typeset | undefined;

export function FormulaView({ formula: { tex, form } }: { formula: Formula }) {
  const host = useRef<HTMLSpanElement>(null);
  const [typeset, setTypeset] = useState(() => loaded);
  const [failed, setFailed] = useState<string>();
  const drawn = typeset !== undefined && form !== 'open' && failed !== tex;

  useEffect(() => {
    if (typeset !== undefined) return;
    let wanted = true;
    void import('./typeset.ts').then((module) => {
      loaded = module.typeset;
      // A function as state must be wrapped.
      if (wanted) setTypeset(() => module.typeset);
    });
    return () => {
      wanted = false;
    };
  }, [typeset]);

  useLayoutEffect(() => {
    if (!drawn || host.current === null) return;
    try {
      typeset(tex, form === 'display', host.current);
    } catch {
      setFailed(tex);
    }
  }, [drawn, typeset, tex, form]);

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
