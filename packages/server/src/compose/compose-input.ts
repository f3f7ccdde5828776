import type { ServedBackup } from "../backups/back-up-job.ts";
import type { Config } from "../config/config.ts";
import type { Db } from "../db/db.ts";
import type { Credentials } from "../features/accounts/index.ts";
import type { Clock } from "../lib/time/clock.ts";
import type { Log } from "../observability/log.ts";
import type { S3Place } from "../lib/object-store/s3-place.ts";
import type { SmtpServer } from "../lib/mail/smtp-url.ts";
import type { Tracing } from "../observability/tracing.ts";
import type { Notices } from "../db/postgres/notices.ts";
import type {
  GuardedFetch,
  GuardedFetchOptions,
} from "../lib/http-client/guarded-fetch.ts";
import type { Metrics } from "../observability/metrics.ts";

/** The parts that Kith is built from; those with a default are named. */
export type ComposeInput = {
  readonly config: Config;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** 32 bytes. */
  readonly secretKey: Uint8Array;
  /** Of Kith. */
  readonly version: string;
  /** Where metrics are recorded; discarded by default. */
  readonly metrics?: Metrics;
  /** Where traces are recorded, if they are. */
  readonly tracing?: Tracing | undefined;
  /**
   * How processes on one database notify each other; there are no others by
   * default.
   */
  readonly notices?: Notices;
  /** Is the page of all components served, for those who work on them? */
  readonly hasKitPage?: boolean;
  /** How it is backed up; a part of a server has no backup of its own. */
  readonly backup?: ServedBackup;
  /** The mail server, if `config.mail` says from whom mails are. */
  readonly smtp?: SmtpServer | undefined;
  /** Where uploads are, if not in the data directory. */
  readonly mediaPlace?: S3Place | undefined;
  /** Replaces outgoing requests where the network is simulated. */
  readonly fetch?: GuardedFetch;
  /** Replaces slow key generation and password hashing in tests. */
  readonly credentials?: Credentials;
  /**
   * Replaces the resolver of host names in tests. Its answers are checked all
   * the same.
   */
  readonly resolveHost?: NonNullable<GuardedFetchOptions["resolve"]>;
};
