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

/** One protocol, the other, or both, as in the setting. */
export const PROTOCOLS = [
  "diaspora",
  "activitypub",
  "activitypub,diaspora",
] as const;

export type Combination = {
  readonly database: DatabaseKind;
  readonly protocols: string;
};

/** For tests of which each combination takes a good part of a minute: each protocol alone on one database, and both on each; in a long run all. */
export function combinationsInTime(): readonly Combination[] {
  const all = PROTOCOLS.flatMap((protocols) =>
    DATABASE_KINDS.map((database) => ({ database, protocols })),
  );
  const left: readonly string[] = ["diaspora postgres", "activitypub sqlite"];
  return all.filter(
    ({ database, protocols }) =>
      IS_LONG_RUN || !left.includes(`${protocols} ${database}`),
  );
}
