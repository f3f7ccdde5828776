import { createHash } from "node:crypto";

/** Which table an id belongs to: two bits of it, so that one number never names two things. */
export const TIME_ID_KIND = { post: 0, comment: 1, event: 2 } as const;
export type TimeIdKind = keyof typeof TIME_ID_KIND;

const PER_HUNDREDTH = 4096;
const PER_KIND = 1024;

/** The ids that a record of one kind, made at one hundredth of a second, can have: `first` up to `end`, without `end`. */
type TimeIdRange = { readonly first: number; readonly end: number };

/**
 * Posts, comments and events share one space of ids, ordered by their creation:
 * hundredths of a second since 1970, times 4096, plus two bits of kind and ten
 * of a counter. Sorting by id is then sorting by time.
 *
 * Where the source gives whole seconds, the hundredths come from a hash of the
 * Guid: otherwise everything of one second would crowd into one hundredth.
 */
export function timeIdRange(
  kind: TimeIdKind,
  createdAt: Date,
  guid: string,
  now: Date,
): TimeIdRange {
  const ms = createdAt.getTime();
  const newest = Math.floor(now.getTime() / 10);
  const hundredths =
    ms % 1000 === 0
      ? ms / 10 + ((createHash("sha256").update(guid).digest()[0] ?? 0) % 100)
      : Math.floor(ms / 10);
  return rangeAt(kind, Math.min(Math.max(hundredths, 1), newest));
}

/** The range of the next hundredth, where one is full. */
export function nextRange(kind: TimeIdKind, range: TimeIdRange): TimeIdRange {
  return rangeAt(kind, Math.floor(range.first / PER_HUNDREDTH) + 1);
}

function rangeAt(kind: TimeIdKind, hundredths: number): TimeIdRange {
  const first = hundredths * PER_HUNDREDTH + TIME_ID_KIND[kind] * PER_KIND;
  return { first, end: first + PER_KIND };
}

/**
 * Finds the next free id and inserts with it.
 * @param newestIn the highest id in the range that is taken
 * @param insert tries an id; false where somebody else has just taken it
 */
export async function insertWithTimeId(
  kind: TimeIdKind,
  start: TimeIdRange,
  newestIn: (range: TimeIdRange) => Promise<number | null>,
  insert: (id: number) => Promise<boolean>,
): Promise<number> {
  let range = start;
  for (;;) {
    const newest = await newestIn(range);
    const id = newest === null ? range.first : newest + 1;
    if (id >= range.end) range = nextRange(kind, range);
    else if (await insert(id)) return id;
  }
}
