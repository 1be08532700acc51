/** Keeps only what is near the visible part of a scroll area in the page; the rest is empty space as high as it was. */
import {
  createContext,
  type HTMLAttributes,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';

/** How far beyond the visible part things are still drawn. */
const MARGIN = '1200px 0px';

type Listener = (entry: IntersectionObserverEntry) => void;

/** Tells pieces of one scroll area whether they are near. */
export interface NearWatch {
  watch(element: Element, listener: Listener): () => void;
}

/** Without a watch everything is drawn. */
export const NearContext = createContext<NearWatch | null>(null);

/** The watch of a scroll area, for `NearContext`. */
export function useNearWatch(scroller: RefObject<Element | null>): NearWatch {
  const observer = useRef<IntersectionObserver>(undefined);
  const [watch] = useState<NearWatch>(() => {
    const listeners = new Map<Element, Listener>();
    return {
      watch(element, listener) {
        // The area is in the page by the time the first piece asks: it stands above it.
        observer.current ??= new IntersectionObserver(
          (entries) => {
            for (const entry of entries) listeners.get(entry.target)?.(entry);
          },
          { root: scroller.current, rootMargin: MARGIN },
        );
        listeners.set(element, listener);
        observer.current.observe(element);
        return () => {
          listeners.delete(element);
          observer.current?.unobserve(element);
        };
      },
    };
  });
  return watch;
}

interface NearProps extends HTMLAttributes<HTMLDivElement> {
  /** Height until it was drawn once, in CSS pixels. */
  readonly estimate: () => number;
  /** Drawn from the beginning, since it will be seen at once. */
  readonly first: boolean;
  /** Stays drawn wherever it is. */
  readonly hold?: boolean;
  readonly children: ReactNode;
}

/** A piece that is drawn while it is near. What is focused or selected in it stays. */
export function Near({ estimate, first, hold = false, children, style, ...rest }: NearProps) {
  const watch = useContext(NearContext);
  const host = useRef<HTMLDivElement>(null);
  const height = useRef<number>(undefined);
  const [near, setNear] = useState(first);
  const drawn = near || hold || watch === null;

  // Not a layout effect: the scroll area's ref is set after those of what stands in it.
  useEffect(() => {
    const element = host.current;
    if (watch === null || element === null) return;
    return watch.watch(element, ({ isIntersecting, boundingClientRect }) => {
      if (isIntersecting) setNear(true);
      else if (!isInUse(element)) {
        height.current = boundingClientRect.height;
        setNear(false);
      }
    });
  }, [watch]);

  return (
    <div ref={host} {...rest} style={drawn ? style : { ...style, height: height.current ?? estimate() }}>
      {drawn && children}
    </div>
  );
}

function isInUse(element: Element): boolean {
  if (element.contains(document.activeElement)) return true;
  const selection = document.getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(element, true);
}
