/** A list with an item in its place by id, or first where it is new. */
export function put<T extends { readonly id: string }>(list: readonly T[], item: T): readonly T[] {
  const at = list.findIndex(({ id }) => id === item.id);
  return at < 0 ? [item, ...list] : list.map((other, index) => (index === at ? item : other));
}
