import { codeOf, messageOf } from "../lib/errors.ts";

/**
 * SQLite's result codes that refer to the data: ERROR, TOOBIG, CONSTRAINT,
 * MISMATCH, RANGE.
 */
const OF_SQLITE = new Set([1, 18, 19, 20, 25]);
/**
 * PostgreSQL's classes of the same: cardinality, data, constraints, syntax and
 * names.
 */
const OF_POSTGRES = new Set(["21", "22", "23", "42"]);
/** Errors of the PostgreSQL driver without a code. */
const CONNECTION = /\b(connection|client|pool|timeout|timed out|socket)\b/i;

/**
 * Does the error refer to the data, so that a retry fails again? If the
 * database is down, full, locked or damaged, a retry may succeed later.
 */
export function isRefusal(error: unknown): boolean {
  const code = codeOf(error);
  if (code === "ERR_SQLITE_ERROR") {
    const { errcode } = error as { readonly errcode?: number };
    return OF_SQLITE.has((errcode ?? 0) & 0xff);
  }
  if (code === undefined) return !CONNECTION.test(messageOf(error));
  // Codes of PostgreSQL have five characters; system codes, such as ECONNRESET,
  // have more.
  return /^[0-9A-Z]{5}$/.test(code) && OF_POSTGRES.has(code.slice(0, 2));
}
