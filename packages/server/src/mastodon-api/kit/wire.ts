import type { Timestamp } from "../../lib/time/clock.ts";

/** An object as clients get it. */
export type Entity = Readonly<Record<string, unknown>>;

/** Ids are decimal digits in a text. */
export const toWireId = (id: number): string => String(id);

const WIRE_TIME_LENGTH = "2026-01-01T00:00:00.000Z".length;

/**
 * UTC with exactly three fraction digits: some clients accept nothing else. Stored times are
 * nearly always like that, and a page has hundreds.
 */
export const toWireTime = (time: Timestamp): string =>
  time.length === WIRE_TIME_LENGTH && time.endsWith("Z")
    ? time
    : new Date(time).toISOString();

/** The day alone, as `YYYY-MM-DD`. */
export const toWireDay = (time: Timestamp): string =>
  toWireTime(time).slice(0, 10);

/** Clients hold counts and sizes in 32 bits with a sign. */
export const MAX_WIRE_INTEGER = 2_147_483_647;
