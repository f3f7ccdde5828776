import { FOR_EVER, type Range } from "../../lib/icalendar/occurrences.ts";
import { DavError } from "../dav-error.ts";
import type { XmlElement } from "../xml/read-xml.ts";
import { CALDAV } from "../xml/write-xml.ts";

const ALWAYS = "0001-01-01T00:00:00.000Z";

/**
 * Reads `start` and `end` of a `time-range`, in UTC; one of them may be missing.
 * @throws {DavError} `valid-filter`
 */
export function readRange({ attributes }: XmlElement): Range {
  const { start, end } = attributes;
  const from = start === undefined ? ALWAYS : readInstant(start);
  const to = end === undefined ? FOR_EVER : readInstant(end);
  if (from > to || (start === undefined && end === undefined)) throw refused();
  return { from, to };
}

function readInstant(text: string): string {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})-?(\d{2})-?(\d{2})T(\d{2}):?(\d{2}):?(\d{2})Z$/.exec(text) ?? [];
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
  const at = new Date(written);
  if (Number.isNaN(at.getTime()) || at.getUTCFullYear() < 1) throw refused();
  return at.toISOString();
}

function refused(): DavError {
  return new DavError(403, [CALDAV, "valid-filter"]);
}
