import {
  DATABASE_KINDS,
  type DatabaseKind,
} from "../../packages/server/test/support/databases.ts";

/** `npm run test:long` plays everything in every combination; `npm test` has twenty minutes. */
export const IS_LONG_RUN = process.env["KITH_TEST_LONG"] === "1";

/** The kinds of database for tests of which each combination takes minutes: one of them, unless the run is a long one. */
export function kindsInTime(kind: DatabaseKind): readonly DatabaseKind[] {
  return IS_LONG_RUN ? DATABASE_KINDS : [kind];
}
