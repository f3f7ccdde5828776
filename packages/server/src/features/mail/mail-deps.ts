import type { Db } from "../../db/db.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { Limits } from "../../lib/limits/limits.ts";
import type { Clock } from "../../lib/time/clock.ts";
import type { Bans } from "../bans/index.ts";
import type { Accounts, BoundSeal } from "../accounts/index.ts";

export type MailDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly accounts: Pick<
    Accounts,
    | "changeWithPassword"
    | "findById"
    | "getSettings"
    | "lock"
    | "replacePassword"
  >;
  readonly bans: Pick<Bans, "isMailRefused">;
  readonly seal: BoundSeal;
  /** 32 bytes. */
  readonly secretKey: Uint8Array;
  readonly limits: Limits;
  /** Is there a mail server? Without one nothing is sent, and no address is taken. */
  readonly isEnabled: boolean;
};
