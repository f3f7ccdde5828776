import type { Config } from "../config/config.ts";
import type { Db, Tx } from "../db/db.ts";
import type { Notices } from "../db/postgres/notices.ts";
import type { Features } from "./features.ts";
import { countInbound } from "../federation/inbound/count-inbound.ts";
import { askForActorNow } from "../federation/activitypub/authority/fetch-own.ts";
import { createFetchKey } from "../federation/activitypub/authority/fetch-key.ts";
import { createBlockedHosts } from "../federation/activitypub/authority/blocked-hosts.ts";
import {
  createFetchAs,
  createFetchDocument,
} from "../federation/activitypub/authority/fetch-document.ts";
import { createIsolatedJsonLd } from "../federation/activitypub/json-ld/isolated-json-ld.ts";
import { createUris } from "../federation/activitypub/records/uris.ts";
import { createVerifyDocument } from "../federation/activitypub/authority/verify-document.ts";
import { namesAsAlias } from "../federation/activitypub/authority/aliases.ts";
import { isAuthorOf } from "../federation/activitypub/authority/vouched.ts";
import { createVerifyRequest } from "../federation/activitypub/authority/verify-request.ts";
import { createHostHealth } from "../federation/delivery/host-health.ts";
import { createReceiveContext } from "../federation/diaspora/handle-inbound.ts";
import { createDiscovery } from "../federation/discovery/discover.ts";
import { createDispatcher } from "../federation/outbound/dispatch.ts";
import { createReachAudience } from "../federation/outbound/reach-audience.ts";
import { createNoteReceipts } from "../federation/outbound/note-receipts.ts";
import { createMoving } from "../federation/moving.ts";
import { createInbound } from "../federation/inbound/create-inbound.ts";
import { createStrangers } from "../federation/inbound/strangers.ts";
import { createSignatureFailureLimiter } from "../federation/inbound/signature-failure-limiter.ts";
import { createPreviewAudience } from "../features/audiences/index.ts";
import { createPeers } from "../federation/peers/peers.ts";
import type { DroppedJob } from "../jobs/stores/queue-administration-store.ts";
import type { Clock } from "../lib/time/clock.ts";
import type { GuardedFetch } from "../lib/http-client/guarded-fetch.ts";
import type { Limits } from "../lib/limits/limits.ts";
import type { Log } from "../observability/log.ts";
import type { Metrics } from "../observability/metrics.ts";

export type FederationInput = {
  readonly config: Config;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly fetch: GuardedFetch;
  readonly version: string;
  readonly metrics: Metrics;
  readonly notices: Notices;
  readonly limits: Limits;
  readonly features: Features;
};

/** Federation with other servers: inbound, outbound and discovery. */
export type Federation = ReturnType<typeof composeFederation>;

export function composeFederation(input: FederationInput) {
  const { config, db, clock, log, fetch, features } = input;
  const { protocols, baseUrl, baseHost: handleHost } = config;
  const { limits } = input;
  const unproven = createSignatureFailureLimiter({ limits, clock });
  const factor = config.requestFactor;
  const strangers = createStrangers({ ...features, limits, factor });
  const ours = { handleHost, baseUrl, limits, unproven, strangers };
  const shared = { ...features, ...ours, db, clock, log, fetch };
  const uris = createUris(baseUrl);
  const peers = createPeers(shared);
  const blockedHosts = createBlockedHosts(features.hostPolicies);
  const jsonLd = createIsolatedJsonLd();
  const signingJsonLd = createIsolatedJsonLd();
  const fetchDocument = createFetchDocument({
    ...shared,
    peers,
    blockedHosts,
    uris,
  });
  const fetching = { fetchDocument, jsonLd };
  const discovery = createDiscovery({
    ...shared,
    ...features.hostPolicies,
    fetchActor: (uri) => askForActorNow(fetching, uri),
    protocols,
  });
  const hosts = createHostHealth(shared);
  const inbound = createInbound({
    ...shared,
    hosts,
    onOutcome: countInbound(input.metrics, shared.statistics.count),
  });
  const noteReceipts = createNoteReceipts(shared);
  shared.jobs.onMarkedDead(noteReceipts);
  const dispatch = createDispatcher(shared);
  const discoverActor = discovery.byActor;
  const fetchKey = createFetchKey({ ...fetching, clock, discoverActor });
  const { notices } = input;
  const verifying = { ...shared, notices, fetchKey, blockedHosts, uris };
  const verifyRequest = createVerifyRequest(verifying);
  const activityPub = {
    ...shared,
    ...fetching,
    signingJsonLd,
    uris,
    inbound,
    dispatch,
    peers,
    blockedHosts,
    verifyRequest,
    verifyDocument: createVerifyDocument({ ...verifying, jsonLd }),
    fetchAs: createFetchAs({ ...shared, peers, blockedHosts, uris }),
    authorizedFetch: config.authorizedFetch,
    authenticate: (token: string) =>
      features.oauth.authenticate(token, "read:statuses"),
    authenticateWriter: (token: string) =>
      features.oauth.authenticate(token, "write"),
    searchActor: discovery.searchActor,
    discoverActor: (uri: string) => discovery.byActor(uri),
    askForPerson: (uri: string) =>
      discovery.byActor(uri, { throwsIfSilent: true }),
    refreshActor: discovery.refresh,
  };
  const diaspora = {
    ...shared,
    inbound,
    dispatch,
    discover: (handle: string, source?: string) =>
      discovery.byHandle(handle, source, { forDiaspora: true }),
    uriOfPost: protocols.activitypub ? uris.ofPost : () => null,
    isAuthorOf: async (uri: string, actorUri: string) =>
      protocols.activitypub && isAuthorOf(fetching, uri, actorUri),
  };
  const moving = createMoving({
    ...shared,
    ...discovery,
    protocols,
    actorOf: uris.ofPerson,
    namesAsAlias: (to, from) => namesAsAlias(activityPub, to, from),
  });
  return {
    ...input,
    shared,
    discovery,
    hosts,
    inbound,
    dispatch,
    moving,
    activityPub,
    diaspora,
    /** Cleans up after jobs that an operator removed from the queue. */
    endDropped: async (tx: Tx, jobs: readonly DroppedJob[]) => {
      await inbound.drop(tx, jobs);
      await noteReceipts(
        tx,
        jobs.map((job) => ({
          ...job,
          payload: JSON.parse(job.payload) as unknown,
          isDone: false,
        })),
      );
    },
    noteReceipts,
    previewAudience: createPreviewAudience({
      ...shared,
      reach: createReachAudience({ ...shared, peers, protocols }),
    }),
    receiving: createReceiveContext(diaspora),
    close: () => {
      jsonLd.close();
      signingJsonLd.close();
    },
  };
}
