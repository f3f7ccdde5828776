import {
  DATABASE_KINDS,
  type DatabaseKind,
} from "../../packages/server/test/support/server/databases.ts";
import { IS_LONG_RUN } from "../../packages/server/test/support/scenes/long-run.ts";

/** The kinds of database for tests in which each combination takes minutes: one of them, or all in a long run. */
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

/** For tests in which each combination takes a large part of a minute: three that cover each protocol alone, both, and each database; in a long run all. */
export function combinationsInTime(): readonly Combination[] {
  const all = PROTOCOLS.flatMap((protocols) =>
    DATABASE_KINDS.map((database) => ({ database, protocols })),
  );
  const chosen: readonly string[] = [
    "diaspora sqlite",
    "activitypub postgres",
    "activitypub,diaspora sqlite",
  ];
  return all.filter(
    ({ database, protocols }) =>
      IS_LONG_RUN || chosen.includes(`${protocols} ${database}`),
  );
}
