/** Which table an id belongs to: two bits of it, so that one number never names two things. */
export const TIME_ID_KIND = { post: 0, comment: 1, event: 2 } as const;
export type TimeIdKind = keyof typeof TIME_ID_KIND;

const PER_HUNDREDTH = 4096;
const PER_KIND = 1024;

/** The ids that a record of one kind, made at one hundredth of a second, can have: `first` up to `end`, without `end`. */
export type TimeIdRange = { readonly first: number; readonly end: number };

/**
 * Posts, comments and events share one space of ids, ordered by their creation:
 * hundredths of a second since 1970, times 4096, plus two bits of kind and ten
 * of a counter. Sorting by id is then sorting by time.
 *
 * Where the source gives whole seconds, the hundredths come from the Guid: from
 * the time in it, where it holds that of this second, as those of other Kiths do;
 * else from a hash of it, or everything of one second would crowd into one hundredth.
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
    ms % 1000 === 0 ? ms / 10 + hundredthsIn(guid, ms) : Math.floor(ms / 10);
  return rangeAt(kind, Math.min(Math.max(hundredths, 1), newest));
}

/** A UUID of version 7 (RFC 9562 §5.7), without its hyphens: it begins with the milliseconds since 1970. */
const TIMED = /^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/;

function hundredthsIn(guid: string, secondMs: number): number {
  const sinceMs = TIMED.test(guid)
    ? parseInt(guid.slice(0, 12), 16) - secondMs
    : NaN;
  return sinceMs >= 0 && sinceMs < 1000
    ? Math.floor(sinceMs / 10)
    : spread(guid) % 100;
}

/** As Java hashes strings: it only has to be even, and runs for all that is written. */
function spread(text: string): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++)
    sum = (Math.imul(sum, 31) + text.charCodeAt(i)) >>> 0;
  return sum;
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
 * Inserts with the next free id.
 * @param insert tries it; undefined where the range is full, or somebody else has
 *   just taken what it found
 * @param isFull which of both
 */
export async function insertWithTimeId<Inserted>(
  kind: TimeIdKind,
  start: TimeIdRange,
  insert: (range: TimeIdRange) => Promise<Inserted | undefined>,
  isFull: (range: TimeIdRange) => Promise<boolean>,
): Promise<Inserted> {
  let range = start;
  for (;;) {
    const inserted = await insert(range);
    if (inserted !== undefined) return inserted;
    if (await isFull(range)) range = nextRange(kind, range);
  }
}
