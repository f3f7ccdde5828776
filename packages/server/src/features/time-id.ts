import { createLruCache } from "../lib/caching/lru-cache.ts";

/** Two bits of the id that select the table, so that no two records share an id. */
export const TIME_ID_KIND = { post: 0, comment: 1, event: 2 } as const;
export type TimeIdKind = keyof typeof TIME_ID_KIND;

const KINDS: readonly (TimeIdKind | undefined)[] = ["post", "comment", "event"];

const PER_HUNDREDTH = 4096;
const PER_KIND = 1024;

/**
 * The ids available to one kind of record in one hundredth of a second: from `first` up
 * to, but not including, `end`.
 */
export type TimeIdRange = { readonly first: number; readonly end: number };

/**
 * Posts, comments and events share one id space, ordered by creation time: hundredths of a
 * second since 1970, times 4096, plus two bits for the kind and a ten-bit counter. Sorting
 * by id therefore sorts by time.
 *
 * If the source gives whole seconds, the hundredths come from the Guid: from its timestamp
 * if that lies within the same second, as Guids of other Kith servers do; otherwise from a
 * hash, because all records of one second would crowd into one hundredth.
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

/** A UUID version 7 (RFC 9562 §5.7) without hyphens: it begins with the milliseconds since 1970. */
const TIMED = /^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/;

function hundredthsIn(guid: string, secondMs: number): number {
  const sinceMs = TIMED.test(guid)
    ? parseInt(guid.slice(0, 12), 16) - secondMs
    : NaN;
  return sinceMs >= 0 && sinceMs < 1000
    ? Math.floor(sinceMs / 10)
    : spread(guid) % 100;
}

/** Java's string hash: it runs for every record and only has to be evenly distributed. */
function spread(text: string): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++)
    sum = (Math.imul(sum, 31) + text.charCodeAt(i)) >>> 0;
  return sum;
}

/** Returns the range of the next hundredth, used when one is full. */
export function nextRange(kind: TimeIdKind, range: TimeIdRange): TimeIdRange {
  return rangeAt(kind, Math.floor(range.first / PER_HUNDREDTH) + 1);
}

/** @returns the kind of record that can have this id; undefined if none can */
export function kindOfTimeId(id: number): TimeIdKind | undefined {
  return KINDS[Math.floor(id / PER_KIND) % (PER_HUNDREDTH / PER_KIND)];
}

/** The least id that something of this time can have. */
export function idAt(time: Date): number {
  return Math.floor(time.getTime() / 10) * PER_HUNDREDTH;
}

function rangeAt(kind: TimeIdKind, hundredths: number): TimeIdRange {
  const first = hundredths * PER_HUNDREDTH + TIME_ID_KIND[kind] * PER_KIND;
  return { first, end: first + PER_KIND };
}

const REMEMBERED = 1024;

/**
 * Remembers the last id given in each of the latest ranges, so that the id of a record that
 * was deleted at once does not go to the next one, which others would take for the first.
 */
export function rememberGiven() {
  const last = createLruCache<number, number>({ max: REMEMBERED });
  const after = ({ first, end }: TimeIdRange): TimeIdRange => ({
    first: Math.max(first, (last.get(first) ?? 0) + 1),
    end,
  });
  return {
    /** The part of the range that was not given yet. */
    after,
    /** The same, whose first id it takes for given: others who ask meanwhile get the next ones. */
    take(range: TimeIdRange): TimeIdRange {
      const free = after(range);
      if (free.first < free.end) last.set(range.first, free.first);
      return free;
    },
    add({ first }: TimeIdRange, id: number): void {
      last.set(first, Math.max(id, last.get(first) ?? 0));
    },
  };
}

/**
 * Inserts a record with the next free id.
 * @param insert tries one range; returns undefined if the range is full, or if another
 *   transaction has just taken the free id
 * @param isFull tells the two cases apart
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
