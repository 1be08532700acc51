/** Paths through a chat's tree of messages. Nodes are given in the order in which they were written. */

export interface TreeNode {
  id: string;
  parentId: string | null;
}

/** Ids from the root to `leafId`, both included. Empty without one; a circle, as damage may leave, is walked once. */
export function pathTo(tree: readonly TreeNode[], leafId: string | undefined): string[] {
  const parents = new Map(tree.map(({ id, parentId }) => [id, parentId]));
  const path = new Set<string>();
  for (let id: string | null | undefined = leafId; id != null && parents.has(id) && !path.has(id); ) {
    path.add(id);
    id = parents.get(id);
  }
  return [...path].reverse();
}

/** The newest of the leaves below a node; the node itself where nothing follows it. */
export function newestLeaf(tree: readonly TreeNode[], id: string): string {
  const below = new Set([id]);
  let newest = id;
  // A child is written after its parent, so one pass sees every descendant; the last one has no children.
  for (const node of tree) {
    if (node.parentId === null || !below.has(node.parentId)) continue;
    below.add(node.id);
    newest = node.id;
  }
  return newest;
}

/** A function that gives all children of a parent (null: the roots), oldest first. */
export function siblingsOf(tree: readonly TreeNode[]): (parentId: string | null) => string[] {
  const children = new Map<string | null, string[]>();
  for (const { id, parentId } of tree) {
    const known = children.get(parentId);
    if (known) known.push(id);
    else children.set(parentId, [id]);
  }
  return (parentId) => children.get(parentId) ?? [];
}
