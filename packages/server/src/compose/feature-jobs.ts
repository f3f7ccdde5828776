import { handleMails } from "./mails.ts";
import {
  BACK_UP,
  createBackUp,
  type ServedBackup,
} from "../backups/back-up-job.ts";
import {
  APPLY_HOST_POLICIES,
  createApplyHostPoliciesJob,
} from "../features/host-policies/index.ts";
import { MAIL_DIGESTS } from "../features/mail/index.ts";
import { notify, NOTIFY } from "../features/notifications/index.ts";
import { createPublishDraft, PUBLISH_DRAFT } from "../features/drafts/index.ts";
import {
  createForgetRemovals,
  ADVANCE_SERIES,
  createAdvanceSeries,
  createKeepLocalTimes,
  KEEP_LOCAL_TIMES,
  FORGET_REMOVED_OBJECTS,
} from "../features/events/index.ts";
import { END_FILTER } from "../features/filters/index.ts";
import {
  createRunImport,
  createSweepImports,
  RUN_IMPORT,
  SWEEP_IMPORTS,
  type Imports,
} from "../features/imports/index.ts";
import {
  createRemoveMedia,
  createSweepMedia,
  REMOVE_MEDIA,
  SWEEP_MEDIA,
} from "../features/photos/index.ts";
import {
  createPlaceArrivalsJob,
  PLACE_ARRIVALS,
} from "../features/homes/index.ts";
import {
  createForgetPreviews,
  createReadLinkedPages,
  FORGET_PREVIEWS,
  READ_LINKED_PAGES,
} from "../features/link-previews/index.ts";
import {
  createForgetNewcomerActs,
  FORGET_NEWCOMER_ACTS,
} from "../features/newcomers/index.ts";
import { createForgetBans, FORGET_BANS } from "../features/bans/index.ts";
import {
  createForgetSpamHits,
  FORGET_SPAM_HITS,
} from "../features/spam-rules/index.ts";
import { createForgetApps, FORGET_APPS } from "../features/oauth/index.ts";
import {
  CLEAN_STORAGE,
  createCleanStorage,
} from "../features/storage/index.ts";
import {
  createRecordStatistics,
  RECORD_STATISTICS,
} from "../features/statistics/index.ts";
import {
  createNotifyOfStrike,
  NOTIFY_OF_STRIKE,
} from "../features/strikes/index.ts";
import { createRemind, REMIND } from "../features/reminders/index.ts";
import {
  createRefreshCalendars,
  REFRESH_CALENDARS,
  type ReadElsewhere,
} from "../features/subscribed-calendars/index.ts";
import { FORGET_INBOUND } from "../federation/inbound/inbound.ts";
import {
  APPLY_HOST_BLOCK,
  createEndIgnore,
  END_IGNORE,
} from "../features/blocks/index.ts";
import { PUSH } from "../features/push/index.ts";
import { FILL_SEARCH } from "../features/indexing/index.ts";
import { createProgramPush } from "../mastodon-api/push/program-push.ts";
import {
  createBrowserPush,
  describeNotice,
} from "../pages/notifications/describe-notice.ts";
import { createEndPolls, END_POLLS } from "../features/polls/index.ts";
import { DONE } from "../jobs/job.ts";
import type { OperatedQueue } from "../features/queue/index.ts";
import { FORGET_DEAD } from "../jobs/forget-dead.ts";
import type { Worker } from "../jobs/worker/worker.ts";
import type { GuardedFetch } from "../lib/http-client/guarded-fetch.ts";
import type { MediaStore } from "../lib/media/media-store.ts";
import type { Features } from "./features.ts";
import type { Config } from "../config/config.ts";
import type { Db } from "../db/db.ts";
import type { Clock } from "../lib/time/clock.ts";
import type { SmtpServer } from "../lib/mail/smtp-url.ts";
import type { Log } from "../observability/log.ts";
import type { composeStorage } from "./storage.ts";

/** The jobs that always run, each again and again. */
export const RECURRING = [
  ADVANCE_SERIES,
  BACK_UP,
  CLEAN_STORAGE,
  END_POLLS,
  FORGET_APPS,
  FORGET_BANS,
  FORGET_INBOUND,
  FORGET_DEAD,
  FORGET_NEWCOMER_ACTS,
  FORGET_PREVIEWS,
  FORGET_REMOVED_OBJECTS,
  FORGET_SPAM_HITS,
  KEEP_LOCAL_TIMES,
  MAIL_DIGESTS,
  PLACE_ARRIVALS,
  READ_LINKED_PAGES,
  RECORD_STATISTICS,
  REFRESH_CALENDARS,
  REMIND,
  SWEEP_IMPORTS,
  SWEEP_MEDIA,
] as const;

export type FeatureJobsInput = {
  readonly config: Config;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly backup?: ServedBackup | undefined;
  readonly smtp?: SmtpServer | undefined;
  readonly features: Features;
  readonly fetch: GuardedFetch;
  readonly readCalendar: ReadElsewhere;
  /** Removes the copy of a file of another server. */
  readonly forgetRemote: (url: string) => Promise<void>;
  readonly media: MediaStore;
  readonly storage: ReturnType<typeof composeStorage>;
  readonly queue: Pick<OperatedQueue, "count">;
  readonly imports: Pick<Imports, "runPart">;
};

/** Gives a worker the handlers of the jobs of features. */
export function handleFeatureJobs(
  worker: Worker,
  input: FeatureJobsInput,
): void {
  const { config, db, clock, log, backup } = input;
  const { features, fetch, media, storage } = input;
  const { baseUrl } = config;
  worker.handle(NOTIFY, async (fact) => {
    await notify({ ...features, db, clock }, fact);
    return DONE;
  });
  worker.handle(
    APPLY_HOST_POLICIES,
    createApplyHostPoliciesJob(features.applyHostPolicies),
  );
  worker.handle(CLEAN_STORAGE, createCleanStorage(storage, log));
  worker.handle(
    RECORD_STATISTICS,
    createRecordStatistics({
      ...{ db, clock, flush: features.statistics.flush },
      countWaiting: async () => (await input.queue.count()).waiting,
      measureStorage: storage.measure,
    }),
  );
  worker.handle(
    BACK_UP,
    createBackUp(
      {
        ...{ clock, log, backup },
        notifyFailed: () =>
          db.transaction((tx) => features.staffMail.notify(tx, "backup")),
      },
      backup?.plan ?? null,
    ),
  );
  const files = { ...features, db, clock, media };
  const proxyUrlOf = features.proxyAddresses.addressOf;
  const described = { ...features, baseUrl, proxyUrlOf };
  const renderers = {
    browser: createBrowserPush(described),
    program: createProgramPush({
      ...features,
      describe: (user, notice) => describeNotice(described, user, notice),
    }),
  };
  worker.handle(PUSH, features.push.createSend(fetch, renderers));
  handleMails(worker, features, input);
  worker.handle(FILL_SEARCH, features.indexing.fill);
  worker.handle(END_IGNORE, createEndIgnore({ db, clock }));
  worker.handle(APPLY_HOST_BLOCK, features.blocks.applyHost);
  worker.handle(END_FILTER, features.filters.end);
  worker.handle(PUBLISH_DRAFT, createPublishDraft({ ...features, db, clock }));
  worker.handle(
    READ_LINKED_PAGES,
    createReadLinkedPages({
      ...{ db, clock, fetch, areEnabled: config.linkPreviews },
      changes: features.changes,
    }),
  );
  worker.handle(FORGET_APPS, createForgetApps({ db, clock }));
  worker.handle(FORGET_BANS, createForgetBans({ db, clock }));
  worker.handle(FORGET_NEWCOMER_ACTS, createForgetNewcomerActs({ db, clock }));
  worker.handle(FORGET_PREVIEWS, createForgetPreviews({ db }));
  worker.handle(FORGET_REMOVED_OBJECTS, createForgetRemovals(features.events));
  worker.handle(FORGET_SPAM_HITS, createForgetSpamHits({ db, clock }));
  worker.handle(ADVANCE_SERIES, createAdvanceSeries(features.events));
  worker.handle(KEEP_LOCAL_TIMES, createKeepLocalTimes(features.events));
  worker.handle(
    REFRESH_CALENDARS,
    createRefreshCalendars({ db, clock }, input.readCalendar),
  );
  worker.handle(END_POLLS, createEndPolls(features.polls));
  worker.handle(REMIND, createRemind({ ...features, db, clock }));
  const { placeAll } = features.homes;
  worker.handle(PLACE_ARRIVALS, createPlaceArrivalsJob(placeAll));
  worker.handle(
    NOTIFY_OF_STRIKE,
    createNotifyOfStrike({ ...features, db, clock }),
  );
  worker.handle(REMOVE_MEDIA, createRemoveMedia(files, input.forgetRemote));
  worker.handle(SWEEP_MEDIA, createSweepMedia(files));
  handleImports(worker, input);
}

/** Of one import of a person; operators have larger limits. */
const MAX_IMPORTED = {
  ...{ maxRecords: 300_000, maxPictures: 50_000, maxPeople: 20_000 },
};

function handleImports(
  worker: Worker,
  { config, db, clock, features, imports, media }: FeatureJobsInput,
): void {
  const limits = {
    ...MAX_IMPORTED,
    // Pictures do not shrink, and texts are short.
    maxBytes: 4 * config.importBytes,
  };
  worker.handle(
    RUN_IMPORT,
    createRunImport({
      ...{ db, clock, media, limits },
      jobs: features.jobs,
      run: imports.runPart,
    }),
  );
  worker.handle(
    SWEEP_IMPORTS,
    createSweepImports({ db, clock, jobs: features.jobs }),
  );
}
