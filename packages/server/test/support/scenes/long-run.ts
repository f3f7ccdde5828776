import { describe } from "node:test";
import { DATABASE_KINDS, type DatabaseKind } from "../server/databases.ts";

/** `npm run test:long` plays everything in every combination; `npm test` has ten minutes. */
export const IS_LONG_RUN = process.env["KITH_TEST_LONG"] === "1";

/**
 * Like `forEachDatabase`, for tests that take long and ask the databases nothing that
 * others do not: in `npm test` on SQLite alone, in a long run on both.
 */
export function forDatabasesInTime(tests: (kind: DatabaseKind) => void): void {
  const kinds = IS_LONG_RUN ? DATABASE_KINDS : (["sqlite"] as const);
  for (const kind of kinds) describe(kind, () => tests(kind));
}
