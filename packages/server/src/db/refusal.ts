import { codeOf, messageOf } from "../lib/errors.ts";

/** SQLite's results that are about what was asked: ERROR, TOOBIG, CONSTRAINT, MISMATCH, RANGE. */
const OF_SQLITE = new Set([1, 18, 19, 20, 25]);
/** PostgreSQL's classes of the same: cardinality, data, constraints, syntax and names. */
const OF_POSTGRES = new Set(["21", "22", "23", "42"]);
/** What the driver of PostgreSQL says without a code. */
const CONNECTION = /\b(connection|client|pool|timeout|timed out|socket)\b/i;

/**
 * Is the error about what was to be stored, so that it will be the same the next time? A
 * database that is away, full, locked or damaged is not: what it refuses now it takes
 * when it is well again.
 */
export function isRefusal(error: unknown): boolean {
  const code = codeOf(error);
  if (code === "ERR_SQLITE_ERROR") {
    const { errcode } = error as { readonly errcode?: number };
    return OF_SQLITE.has((errcode ?? 0) & 0xff);
  }
  if (code === undefined) return !CONNECTION.test(messageOf(error));
  // The codes of PostgreSQL have five characters; those of the system, such as ECONNRESET, more.
  return /^[0-9A-Z]{5}$/.test(code) && OF_POSTGRES.has(code.slice(0, 2));
}
