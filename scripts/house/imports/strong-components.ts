type Edge = { readonly from: string; readonly to: string };

/** The groups of at least two nodes that reach each other along the edges. */
export function findComponents(edges: readonly Edge[]): Set<string>[] {
  const nodes = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const reach = new Map([...nodes].map((it) => [it, reachFrom(it, edges)]));
  const reaches = (from: string, to: string) => reach.get(from)?.has(to);
  const grouped = new Set<string>();
  const groups: Set<string>[] = [];
  for (const node of nodes) {
    if (grouped.has(node) || !reaches(node, node)) continue;
    const group = [...nodes].filter(
      (it) => reaches(node, it) && reaches(it, node),
    );
    for (const it of group) grouped.add(it);
    groups.push(new Set(group));
  }
  return groups;
}

/** The nodes that `start` reaches in one step or more. */
function reachFrom(start: string, edges: readonly Edge[]): Set<string> {
  const found = new Set<string>();
  const open = [start];
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const { from, to } of edges)
      if (from === at && !found.has(to)) {
        found.add(to);
        open.push(to);
      }
  return found;
}
