import { timestamp, type Timestamp } from "../../lib/clock.ts";

const DATETIME =
  /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/** Reads RFC 3339, with its offset. @returns undefined for what is none, or names no day that there is */
export function parseEndsAt(text: string): Timestamp | undefined {
  if (!DATETIME.test(text)) return undefined;
  const parsed = Date.parse(text.toUpperCase());
  if (!Number.isFinite(parsed)) return undefined;
  const day = Number(text.slice(8, 10));
  const lastDay = new Date(Date.UTC(+text.slice(0, 4), +text.slice(5, 7), 0));
  return day <= lastDay.getUTCDate() ? timestamp(new Date(parsed)) : undefined;
}
