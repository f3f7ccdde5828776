import path from "node:path";
import { composeFeatures } from "./features.ts";
import { handleFeatureJobs, RECURRING } from "./feature-jobs.ts";
import { handleFederationJobs } from "./federation-jobs.ts";
import type { ComposeInput } from "./compose-input.ts";
import { composeFederation } from "./federation.ts";
import { composeStorage, openMedia } from "./storage.ts";
import { silentNotices, type Notices } from "../db/postgres/notices.ts";
import { isMigrated } from "../db/migrate.ts";
import type { InstanceLock } from "../db/locks/instance-lock.ts";
import { openArchiveOfOthers } from "../federation/archives/open-archive.ts";
import { createImports } from "../features/imports/index.ts";
import { NO_ADDRESSES } from "../features/people/index.ts";
import { createOperatedQueue } from "../features/queue/index.ts";
import { createServerImports } from "../features/server-imports/index.ts";
import { createRemoteMedia } from "../features/remote-media/index.ts";
import { createReadElsewhere } from "../features/subscribed-calendars/index.ts";
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
import { createGuardedFetch } from "../lib/http-client/guarded-fetch.ts";
import { createCardPainter } from "../lib/images/cards/card-painter.ts";
import { createImageProcessor } from "../lib/images/image-processor.ts";
import { createRecordingProcessor } from "../lib/recordings/recording-processor.ts";
import { createLimits } from "../lib/limits/limits.ts";
import { createSharedCounts } from "../lib/limits/shared-counts.ts";
import { createMetrics } from "../observability/metrics.ts";
import { traceFetch } from "../observability/trace-fetch.ts";

/** After a gap of the notices a process may have missed some: it allows more for a while. */
const shareCounts = (notices: Notices) =>
  createSharedCounts({
    send: (text) => notices.notify("limits", text),
    receive: (listener) =>
      notices.listen("limits", (text) => text !== undefined && listener(text)),
  });

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
    ...(db.dialect === "postgres" && { shared: shareCounts(notices) }),
  });
  const input = { ...given, metrics, notices, limits };
  const { baseUrl, baseHost: handleHost } = config;
  const media = openMedia(config.dataDir, given.mediaPlace, {
    isSigned: config.media.isSigned,
  });
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
  // An insert is missing for moments; an edit or a deletion must not be.
  features.writeWatch.listen((touched) => touched || db.replica?.require());
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
    onDropped: async (tx, jobs) => {
      await federation.endDropped(tx, jobs);
      const read = jobs.map((job) => ({
        ...job,
        payload: JSON.parse(job.payload) as unknown,
      }));
      await features.heldImports.noteEndedJobs(tx, read, "removed");
    },
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
    moveByKey: (user, old) => federation.moving.arriveByKey(user, old),
    fetchPicture: remoteMedia.fetchBytes,
  });
  const serverImports = createServerImports({
    ...{ ...features, clock, handleHost },
    storeElsewhere: ({ seedLocation, ...person }) =>
      features.remotePeople.store({
        ...{ ...person, keys: [], protocols: ["diaspora"] },
        addresses: { ...NO_ADDRESSES, seedLocation },
      }),
  });
  return {
    features,
    /** Imports of archives, for operators. */
    imports,
    /** Imports of whole servers of other programs, for operators. */
    serverImports,
    discovery: federation.discovery,
    images,
    /** The queue, for operators. */
    queue,
    /** The use of the disk, for operators. */
    storage,
    /**
     * The HTTP application, ready to listen. Commands and workers do without it: its modules,
     * half of all, are loaded when it is asked for.
     */
    createApp: async (
      readiness: Readiness = createReadiness({
        isDatabaseReady: () => isMigrated(db.read),
      }),
    ) => {
      const { createServerApp } = await import("./app/server-app.ts");
      return createServerApp(
        { ...input, queue, readCalendar, remoteMedia, cards },
        federation,
        readiness,
      );
    },
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
        onSettled: async (tx, settled) => {
          await federation.noteReceipts(tx, settled);
          const dead = settled.filter(({ isDone }) => !isDone);
          await features.heldImports.noteEndedJobs(tx, dead, "given_up");
        },
      });
      notices.listen("jobs", () => worker.wake());
      handleFeatureJobs(worker, {
        ...{ ...given, features, fetch, readCalendar, media, storage, queue },
        imports,
        forgetRemote: remoteMedia.forget,
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
        await features.jobs.ensureRecurring(tx, RECURRING);
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
