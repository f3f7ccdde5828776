import type { ItemKind } from "../import-item.ts";
import type { ImportRun } from "../import-run.ts";

/**
 * Is there room for one more thing of a kind, as where it is made by hand? Counts it, so that a
 * rehearsal ends with the same answers as the import.
 * @param count reads how many there are, once for each run
 */
export async function hasRoomFor(
  { counts }: ImportRun,
  kind: ItemKind,
  max: number,
  count: () => Promise<number>,
): Promise<boolean> {
  const known = counts.get(kind) ?? (await count());
  counts.set(kind, known < max ? known + 1 : known);
  return known < max;
}
