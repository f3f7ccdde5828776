import { listHomePages } from "../federation/remote-people/proven-origins.ts";
import path from "node:path";
import { registerApi } from "../api/index.ts";
import { registerCalDav } from "../caldav/index.ts";
import { composeFeatures } from "./features.ts";
import { handleFeatureJobs, RECURRING } from "./feature-jobs.ts";
import { handleFederationJobs } from "./federation-jobs.ts";
import {
  composeFederation,
  negotiationOf,
  registerFederation,
  type Federation,
} from "./federation.ts";
import { composeStorage, openMedia } from "./storage.ts";
import { visitsOf } from "./visits.ts";
import type { ServedBackup } from "../backups/back-up-job.ts";
import type { Config } from "../config/config.ts";
import type { Db } from "../db/db.ts";
import { silentNotices, type Notices } from "../db/postgres/notices.ts";
import { isMigrated } from "../db/migrate.ts";
import type { InstanceLock } from "../db/locks/instance-lock.ts";
import type { Credentials } from "../features/accounts/index.ts";
import { openArchiveOfOthers } from "../federation/archives/open-archive.ts";
import { createImports } from "../features/imports/index.ts";
import {
  createOperatedQueue,
  type OperatedQueue,
} from "../features/queue/index.ts";
import {
  createRemoteMedia,
  type RemoteMedia,
} from "../features/remote-media/index.ts";
import {
  createReadElsewhere,
  type ReadElsewhere,
} from "../features/subscribed-calendars/index.ts";
import { createIgnoredEdits } from "../federation/outbound/ignored-edits.ts";
import { createApp } from "../http/app.ts";
import { registerHealth } from "../http/health-routes.ts";
import { countRefused } from "../http/load/count-refused.ts";
import { createReadiness, type Readiness } from "../http/readiness.ts";
import { createForgetDead, FORGET_DEAD } from "../jobs/forget-dead.ts";
import { APPLY_HOST_POLICIES } from "../features/host-policies/index.ts";
import { createQueueAdministration } from "../jobs/queue-administration.ts";
import {
  deliveryLimits,
  plainLimits,
} from "../jobs/worker/concurrency-limiter.ts";
import { Worker } from "../jobs/worker/worker.ts";
import { createUris } from "../federation/activitypub/records/uris.ts";
import type { Clock } from "../lib/time/clock.ts";
import {
  createGuardedFetch,
  type GuardedFetch,
  type GuardedFetchOptions,
} from "../lib/http-client/guarded-fetch.ts";
import {
  createCardPainter,
  type CardPainter,
} from "../lib/images/cards/card-painter.ts";
import { createImageProcessor } from "../lib/images/image-processor.ts";
import { createRecordingProcessor } from "../lib/recordings/recording-processor.ts";
import { createLimits, type Limits } from "../lib/limits/limits.ts";
import type { Log } from "../observability/log.ts";
import { registerMastodonApi } from "../mastodon-api/index.ts";
import { isMastodonPath } from "../mastodon-api/kit/unsupported.ts";
import type { S3Place } from "../lib/object-store/s3-place.ts";
import type { SmtpServer } from "../lib/mail/smtp-url.ts";
import { createMetrics, type Metrics } from "../observability/metrics.ts";
import { traceFetch } from "../observability/trace-fetch.ts";
import type { Tracing } from "../observability/tracing.ts";
import { registerOauth } from "../oauth/index.ts";
import { createNotFoundPage, registerPages } from "../pages/index.ts";

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

/** All parts of a running Kith, built once, in reading order. */
export type Server = ReturnType<typeof compose>;

export function compose({
  metrics = createMetrics(),
  notices = silentNotices(),
  ...given
}: ComposeInput) {
  const { config, db, clock } = given;
  const limits = createLimits({
    clock,
    factor: config.rateLimits,
    noteRefused: countRefused(metrics),
  });
  const input = { ...given, metrics, notices, limits };
  const { baseUrl, baseHost: handleHost } = config;
  const media = openMedia(config.dataDir, given.mediaPlace);
  const images = createImageProcessor();
  const cards = createCardPainter();
  const recordings = createRecordingProcessor({ limits: config.recordings });
  const { onlyAllowedHosts, whoInvites, signUpsPerHour } = config;
  const { registration, requestFactor } = config;
  const hasLinkPreviews = config.linkPreviews;
  const speaksActivityPub = config.protocols.activitypub;
  const here = {
    ...{ baseUrl, handleHost, onlyAllowedHosts, registration },
    ...{ speaksActivityPub, whoInvites, signUpsPerHour, hasLinkPreviews },
    ...{ hasTrends: config.trends, hasMail: config.mail !== null },
    ...{ requestFactor, allowPrivateNetwork: config.allowPrivateNetwork },
    importBytes: config.importBytes,
  };
  const shared = { ...input, ...here, media, images, recordings };
  const features = composeFeatures(shared);
  const plainFetch =
    input.fetch ??
    createGuardedFetch({
      allowPrivateNetwork: config.allowPrivateNetwork,
      hosts: config.hosts,
      isHostAllowed: features.hostPolicies.isHostAllowed,
      userAgent: `Kith/${input.version} (+${config.baseUrl})`,
      ...(input.resolveHost && { resolve: input.resolveHost }),
    });
  const { tracing } = input;
  const fetch = tracing ? traceFetch(tracing, plainFetch) : plainFetch;
  const remoteMedia = createRemoteMedia({
    ...{ fetch, clock },
    addresses: features.proxyAddresses,
    mayShow: (url) => features.hostPolicies.isHostAllowed(url, "media"),
    folder: path.join(config.dataDir, "remote-media"),
    maxBytes: config.remoteMediaBytes,
  });
  const readCalendar = createReadElsewhere(fetch);
  const federation = composeFederation({ ...input, fetch, features });
  const administration = createQueueAdministration({
    db,
    clock,
    onDropped: (tx, jobs) => federation.endDropped(tx, jobs),
  });
  const storage = composeStorage({ config, db, clock, features, media });
  const queue = createOperatedQueue({ administration, audit: features.audit });
  const imports = createImports({
    ...{ ...features, clock },
    secretKey: input.secretKey,
    folder: path.join(config.dataDir, "imports"),
    maxMediaBytes: config.recordings.maxBytes,
    openOther: openArchiveOfOthers,
    findPerson: (handle) => federation.discovery.byHandle(handle),
    fetchPicture: remoteMedia.fetchBytes,
  });
  return {
    features,
    /** Imports of archives, for operators. */
    imports,
    discovery: federation.discovery,
    images,
    /** The queue, for operators. */
    queue,
    /** The use of the disk, for operators. */
    storage,
    /** The HTTP application, ready to listen. */
    createApp: (
      readiness: Readiness = createReadiness({
        isDatabaseReady: () => isMigrated(db.read),
      }),
    ) =>
      createServerApp(
        { ...input, queue, readCalendar, remoteMedia, cards },
        federation,
        readiness,
      ),
    /** The worker, ready to start. One instance lock belongs to one worker. */
    createWorker: (lock: InstanceLock) => {
      const { jobs } = features;
      const { concurrency } = config;
      const slots = {
        work: plainLimits(Math.ceil(concurrency / 16)),
        import: plainLimits(2),
        delivery: deliveryLimits(concurrency),
      };
      const worker = new Worker({
        db,
        clock,
        log: input.log,
        lock,
        jobs,
        slots,
        ...(tracing && { tracing }),
        onSettled: federation.noteReceipts,
      });
      notices.listen("jobs", () => worker.wake());
      handleFeatureJobs(worker, {
        ...{ ...given, features, fetch, readCalendar, media, storage, queue },
        imports,
      });
      const onForgotten = federation.inbound.drop;
      worker.handle(FORGET_DEAD, createForgetDead({ db, clock, onForgotten }));
      handleFederationJobs(worker, federation);
      return worker;
    },
    /**
     * Enqueues recurring jobs, and jobs that a change of settings requires.
     * Call it once, after the migrations.
     */
    prepare: () =>
      db.transaction(async (tx) => {
        for (const kind of RECURRING)
          await features.jobs.ensureRecurring(tx, kind);
        await features.indexing.prepare(tx);
        await features.events.noteZoneData(tx);
        const lane = APPLY_HOST_POLICIES.name;
        await features.jobs.enqueueOnce(tx, APPLY_HOST_POLICIES, {}, { lane });
      }),
    close: async () => {
      await features.statistics.stop();
      images.close();
      cards.close();
      recordings.close();
      federation.close();
      await fetch.close();
    },
  };
}

function createServerApp(
  input: ComposeInput & {
    readonly metrics: Metrics;
    readonly limits: Limits;
    readonly queue: OperatedQueue;
    readonly readCalendar: ReadElsewhere;
    readonly remoteMedia: RemoteMedia;
    readonly cards: CardPainter;
  },
  federation: Federation,
  readiness: Readiness,
) {
  const { config, db, clock, log, metrics, limits, queue } = input;
  const { readCalendar, remoteMedia, cards } = input;
  const { features } = federation;
  const visits = visitsOf(federation);
  const { baseUrl, baseHost: host, isOfThisMachine } = config;
  const app = createApp({
    log,
    metrics,
    tracing: input.tracing,
    limits,
    accessLog: config.accessLog,
    requestFactor: config.requestFactor,
    maxFileBytes: config.recordings.maxBytes,
    trustedProxies: config.trustedProxies,
    isShutOut: features.bans.isShutOut,
    isKnownPath: isMastodonPath,
    notFound: createNotFoundPage({ ...features, baseUrl }),
  });
  registerHealth(app, readiness);
  const relays = config.protocols.activitypub ? features.relays : undefined;
  const ignoredEdits = createIgnoredEdits({
    ...features,
    protocols: config.protocols,
  });
  const apiDocument = registerApi(app, {
    ...features,
    db,
    relays,
    baseUrl,
    clock,
    version: config.apiVersion,
    passwordGrant: config.passwordGrant,
    find: visits.find,
    queue,
    moving: federation.moving,
    previewAudience: federation.previewAudience,
    ignoredEdits,
    readCalendar,
  });
  registerOauth(app, { ...features, baseUrl });
  registerMastodonApi(app, {
    ...features,
    db,
    clock,
    find: visits.find,
    findAccess: features.oauth.findAccess,
    proxyUrlOf: features.proxyAddresses.addressOf,
    uris: createUris(baseUrl),
    instance: {
      ...{ baseUrl, host, version: input.version },
      maxRecordingBytes: config.recordings.maxBytes,
    },
  });
  registerCalDav(app, { ...features, baseUrl, clock });
  registerFederation(app, federation);
  registerPages(app, {
    ...features,
    moving: federation.moving,
    previewAudience: federation.previewAudience,
    ignoredEdits,
    relays,
    ...negotiationOf(federation),
    ...visits,
    listHomePages,
    baseUrl,
    host,
    isOfThisMachine,
    clock,
    apiDocument,
    queue,
    readCalendar,
    remoteMedia,
    cards,
    hasKitPage: input.hasKitPage === true,
  });
  return app;
}
