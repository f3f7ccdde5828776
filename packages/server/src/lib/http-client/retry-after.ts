const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

const SECONDS = /^\d+$/;
/** The preferred form, and the two obsolete ones that must be accepted. */
const DATE =
  /^[A-Z][a-z]{2,8}, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/;
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/**
 * @returns milliseconds, at most a day; 0 if absent or invalid
 * @see RFC 9110, sections 5.6.7 and 10.2.3: seconds, or a date
 */
export function readRetryAfter(text: string | undefined, now: Date): number {
  const asked = text?.trim() ?? "";
  const ms = SECONDS.test(asked)
    ? Number(asked) * 1000
    : readDate(asked) - now.getTime();
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : 0;
}

/** `Date.parse` alone accepts almost anything as a date. */
function readDate(text: string): number {
  if (DATE.test(text)) return Date.parse(text);
  return ASCTIME.test(text) ? Date.parse(`${text} GMT`) : NaN;
}
