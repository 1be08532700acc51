/** Execution provider libraries of this process: tried, then registered, each with how it fared. */
import type { EpDevice, NativeAddon } from '../../../native/js/index.ts';
import type { KeptFindings, LibraryTrial } from './kept.ts';
import type { EpLibrary } from './libraries.ts';
import { tryLibrary } from './library-trial.ts';

export interface KnownLibrary extends EpLibrary {
  outcome: LibraryTrial['outcome'];
  detail: string;
}

export class RegisteredLibraries {
  private readonly native: NativeAddon;
  private readonly kept: KeptFindings;
  private readonly known = new Map<string, KnownLibrary>();

  constructor(native: NativeAddon, kept: KeptFindings) {
    this.native = native;
    this.kept = kept;
  }

  get all(): KnownLibrary[] {
    return [...this.known.values()];
  }

  /** The library that lists a device; its name and that of the execution provider may differ. */
  of({ ep, epMetadata }: Pick<EpDevice, 'ep' | 'epMetadata'>): EpLibrary | undefined {
    const library = this.all.find(({ name, path }) => path === epMetadata.library_path || name === ep);
    return library && { name: library.name, path: library.path };
  }

  /**
   * Registers the first library of each provider that can be, where none is yet. What is registered stays, what failed and is
   * not among them is forgotten. Never throws.
   */
  register(libraries: readonly EpLibrary[]): void {
    for (const { name, path, outcome } of this.all) {
      if (outcome !== 'registered' && !libraries.some((library) => library.path === path)) this.known.delete(name);
    }
    for (const library of libraries) {
      const earlier = this.known.get(library.name);
      if (earlier?.outcome === 'registered' || earlier?.path === library.path) continue;
      const { outcome, detail } = tryLibrary(library, this.kept);
      const now = outcome === 'registered' ? this.load(library) : { outcome, detail };
      // Of several that fail, the first one's reason is told.
      if (earlier === undefined || now.outcome === 'registered') this.known.set(library.name, { ...library, ...now });
    }
  }

  /** Those that failed are tried again by the next `register`. */
  forgetFailures(): void {
    for (const { name, path, outcome } of this.all) {
      if (outcome === 'registered') continue;
      this.known.delete(name);
      this.kept.update(({ libraries }) => {
        delete libraries[path];
      });
    }
  }

  private load({ name, path }: EpLibrary): Pick<KnownLibrary, 'outcome' | 'detail'> {
    try {
      this.native.registerEpLibrary(name, path);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      // Another registry of this process may have it.
      if (!detail.includes('registered already')) return { outcome: 'refused', detail };
    }
    return { outcome: 'registered', detail: '' };
  }
}
