import type { Db } from "../../db/db.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { Clock } from "../../lib/time/clock.ts";
import type { Facts } from "../facts.ts";
import type { People } from "../people/index.ts";
import type { Posts } from "../posts/index.ts";

export type QuotesDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly facts: Facts;
  readonly jobs: Jobs;
  readonly people: Pick<People, "find">;
  readonly posts: Posts;
  /** Whether authors elsewhere can be asked. */
  readonly canAsk: boolean;
};
