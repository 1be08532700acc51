/** Colours of the design's tokens as canvases need them: resolved for the theme of now. */
export function tokenColours<T extends string>(names: readonly T[]): Record<T, string> {
  const probe = document.createElement('span');
  document.body.append(probe);
  const colours = Object.fromEntries(
    names.map((name) => {
      probe.style.color = `var(--${name})`;
      return [name, getComputedStyle(probe).color];
    }),
  );
  probe.remove();
  return colours as Record<T, string>;
}
