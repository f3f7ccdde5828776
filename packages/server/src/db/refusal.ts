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
/** Codes of PostgreSQL have five characters. */
const IS_SQLSTATE = /^[0-9A-Z]{5}$/;
/** PostgreSQL's codes for connections that fail, all that are taken, and a server that starts or stops. */
const OF_LOSS = /^(08...|53300|57P0[123])$/;
/** System codes, such as ECONNRESET or EPIPE. */
const OF_SYSTEM = /^E[A-Z]{3,}$/;
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
  return IS_SQLSTATE.test(code) && OF_POSTGRES.has(code.slice(0, 2));
}

/**
 * Is the error one of the database that says nothing about the data, so that a
 * retry may succeed? Unlike `isRefusal`, it judges errors that may come from
 * elsewhere; errors of HTTP requests must be excluded before.
 */
export function isStorageFailure(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined)
    return error instanceof Error && CONNECTION.test(error.message);
  const isOfDatabase =
    code === "ERR_SQLITE_ERROR" ||
    OF_SYSTEM.test(code) ||
    IS_SQLSTATE.test(code);
  return isOfDatabase && !isRefusal(error);
}

/** Does the error, which comes from PostgreSQL or its driver, mean that it cannot be reached? */
export function isLoss(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined) return CONNECTION.test(messageOf(error));
  return OF_SYSTEM.test(code) || OF_LOSS.test(code);
}
