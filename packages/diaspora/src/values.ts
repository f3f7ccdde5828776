const TIMESTAMP =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:T| +)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?)? *(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i;
const RFC_2822 =
  /^(?:[a-z]{3}, )?\d{1,2} [a-z]{3} \d{4} \d{2}:\d{2}:\d{2} (?:GMT|UTC|[+-]\d{4})$/i;
const CANONICAL_TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/**
 * Parses a boolean as peers write it: `true t yes y 1` or `false f no n 0`, in any case.
 * @returns undefined for anything else
 */
export function parseBoolean(text: string): boolean | undefined {
  if (/^(?:true|t|yes|y|1)$/i.test(text)) return true;
  if (/^(?:false|f|no|n|0)$/i.test(text)) return false;
  return undefined;
}

/** Parses decimal digits; undefined for anything else, or for a number that JavaScript cannot represent exactly. */
export function parseInteger(text: string): number | undefined {
  if (!/^\d+$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

/**
 * Parses a time as leniently as peers require: ISO 8601 with an offset, a fraction, a blank for the `T` or without a time
 * of day, and RFC 2822. Without a zone it is UTC. Fractions are dropped.
 * @returns `YYYY-MM-DDTHH:MM:SSZ`, or undefined if it cannot be read
 */
export function parseTimestamp(text: string): string | undefined {
  const trimmed = text.length > 64 ? "" : text.trim();
  const parts = TIMESTAMP.exec(trimmed);
  if (!parts) {
    return RFC_2822.test(trimmed)
      ? formatSeconds(Date.parse(trimmed))
      : undefined;
  }
  const [year, month, day, hour, minute, second] = parts
    .slice(1, 7)
    .map((part: string | undefined) => Number(part ?? 0));
  if (!isCalendarDay(year ?? 0, month ?? 0, day ?? 0)) return undefined;
  if ((hour ?? 0) > 23 || (minute ?? 0) > 59 || (second ?? 0) > 60) {
    return undefined;
  }
  const date = new Date(0);
  // Not Date.UTC, which maps the years 0 to 99 to the last century.
  date.setUTCFullYear(year ?? 0, (month ?? 1) - 1, day);
  date.setUTCHours(hour ?? 0, minute, second);
  return formatSeconds(date.getTime() - offsetMs(parts[7] ?? "Z"));
}

/** Whether `text` is a timestamp in canonical form, and a real time. */
export function isTimestamp(text: string): boolean {
  return CANONICAL_TIMESTAMP.test(text) && parseTimestamp(text) === text;
}

/** Whether `text` is `YYYY-MM-DD` and an existing date. */
export function isDate(text: string): boolean {
  const parts = DATE.exec(text);
  return (
    parts !== null &&
    isCalendarDay(Number(parts[1]), Number(parts[2]), Number(parts[3]))
  );
}

/** Whether `text` has at most `max` code points. Cheap for long texts: it counts only near the limit. */
export function isWithinLength(text: string, max: number): boolean {
  if (text.length <= max) return true;
  if (text.length > max * 2) return false;
  let length = text.length;
  for (let index = 0; index < text.length; index += 1) {
    if ((text.codePointAt(index) ?? 0) > 0xffff) {
      // Two UTF-16 units form one character.
      length -= 1;
      index += 1;
    }
  }
  return length <= max;
}

/** Whether `text` is an absolute http or https URL. */
export function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s]+$/i.test(text)) return false;
  return hasShortLabels(text) && URL.canParse(text);
}

/** The host as the URL parser finds it: it skips additional slashes in front. */
const AUTHORITY = /^(?:https?:)?[/\\]*([^/\\?#]*)/i;
/** The longest label of a host name (RFC 1035, section 2.3.4). */
const MAX_LABEL = 63;

/** Longer labels cannot be resolved, and encoding a non-ASCII one takes quadratic time. */
function hasShortLabels(text: string): boolean {
  const authority = AUTHORITY.exec(text)?.[1] ?? "";
  return authority
    .split(/[.\u3002\uff0e\uff61]/)
    .every((label) => label.length <= MAX_LABEL);
}

/** Whether `text` is an absolute URL or a bare path, which some peers send by mistake. */
export function isUrlOrPath(text: string): boolean {
  if (isHttpUrl(text)) return true;
  // Two slashes start a host.
  const hasHost = /^\/[/\\]/.test(text);
  return /^\/[^\s]*$/.test(text) && (!hasHost || hasShortLabels(text));
}

function offsetMs(zone: string): number {
  const parts = /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  if (!parts) return 0;
  const minutes = Number(parts[2]) * 60 + Number(parts[3]);
  return (parts[1] === "-" ? -minutes : minutes) * 60_000;
}

function formatSeconds(milliseconds: number): string | undefined {
  if (Number.isNaN(milliseconds)) return undefined;
  const iso = new Date(milliseconds).toISOString();
  // Years outside 0000 to 9999 are written with a sign.
  return iso.length === 24 ? `${iso.slice(0, 19)}Z` : undefined;
}

function isCalendarDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const thirty = month === 4 || month === 6 || month === 9 || month === 11;
  const days = month === 2 ? (leap ? 29 : 28) : thirty ? 30 : 31;
  return day <= days;
}
