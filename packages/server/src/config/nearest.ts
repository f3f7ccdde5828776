/** The known name that a mistyped one is most like. */
export function nearestOf(
  name: string,
  known: readonly string[],
): string | undefined {
  const ranked = known
    .map((one) => ({ one, distance: editDistance(name, one) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  const most = Math.max(2, Math.floor(name.length / 3));
  return best && best.distance <= most ? best.one : undefined;
}

function editDistance(a: string, b: string): number {
  // Words of such different lengths are never similar: no need to compare them.
  if (Math.abs(a.length - b.length) > 8) return Infinity;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const skip = Math.min(row[j] ?? 0, next[j - 1] ?? 0) + 1;
      next.push(Math.min(swap, skip));
    }
    row = next;
  }
  return row[b.length] ?? Infinity;
}
