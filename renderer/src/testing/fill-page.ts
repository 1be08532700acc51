/**
 * What jsdom lacks: it lays nothing out, so nothing ever matches a width or changes its size, and all that asks is as high as
 * a window; dialogs only open and close.
 */
export function fillPage(): void {
  window.matchMedia ??= (media) =>
    Object.assign(new EventTarget(), {
      matches: false,
      media,
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    });
  window.ResizeObserver ??= class {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  };
  Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, get: () => 800 });
  Element.prototype.scrollIntoView ??= () => undefined;
  HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
    this.open = true;
  };
  HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
    this.open = false;
  };
  // Everything counts as in sight.
  window.IntersectionObserver ??= class {
    readonly root = null;
    readonly rootMargin = '';
    readonly scrollMargin = '';
    readonly thresholds = [];
    readonly #listener: IntersectionObserverCallback;
    constructor(listener: IntersectionObserverCallback) {
      this.#listener = listener;
    }
    observe(target: Element): void {
      const box = target.getBoundingClientRect();
      const entry = { target, isIntersecting: true, intersectionRatio: 1, time: 0, rootBounds: null };
      this.#listener([{ ...entry, boundingClientRect: box, intersectionRect: box }], this);
    }
    unobserve(): void {}
    disconnect(): void {}
    takeRecords(): IntersectionObserverEntry[] {
      return [];
    }
  };
}
