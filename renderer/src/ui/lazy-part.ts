/** Parts of the page that are loaded with their first use, because most windows do without them. */
import { useEffect, useState } from 'react';

/** One for the page; `loaded` once it is there. */
export interface LazyPart<T extends object> {
  readonly load: () => Promise<T>;
  loaded?: T;
}

/** The module, undefined until it has been loaded. */
export function useLazyPart<T extends object>(part: LazyPart<T>): T | undefined {
  const [module, setModule] = useState(part.loaded);
  useEffect(() => {
    if (module !== undefined) return;
    let wanted = true;
    void part.load().then((loaded) => {
      part.loaded = loaded;
      if (wanted) setModule(loaded);
    });
    return () => {
      wanted = false;
    };
  }, [part, module]);
  return module;
}
