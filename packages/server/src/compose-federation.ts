import type { FastifyInstance } from "fastify";
import type { Config } from "./config/config.ts";
import type { Db } from "./db/db.ts";
import type { Features } from "./compose-features.ts";
import { registerActors } from "./federation/activitypub/actor-routes.ts";
import { registerObjectCollections } from "./federation/activitypub/collection-routes.ts";
import { createActivityPubSender } from "./federation/activitypub/create-sender.ts";
import { createActivityPubDelivery } from "./federation/activitypub/delivery-protocol.ts";
import { deleteForwardedBefore } from "./federation/activitypub/forwarded-store.ts";
import { NOBODY_BLOCKED } from "./federation/activitypub/authority/blocked-hosts.ts";
import { fetchActor } from "./federation/activitypub/authority/fetch-own.ts";
import {
  createFetchAs,
  createFetchDocument,
} from "./federation/activitypub/authority/fetch-document.ts";
import { createActivityPubInbound } from "./federation/activitypub/handle-inbound.ts";
import { registerInboxReading } from "./federation/activitypub/inbox-read-routes.ts";
import { registerInboxes } from "./federation/activitypub/inbox-routes.ts";
import {
  createPageNegotiation,
  registerObjects,
} from "./federation/activitypub/object-routes.ts";
import { registerOutboxes } from "./federation/activitypub/outbox-routes.ts";
import {
  createReadThread,
  READ_THREAD,
} from "./federation/activitypub/read-thread.ts";
import {
  createNoteThreadChanged,
  createTellThread,
  TELL_THREAD,
} from "./federation/activitypub/tell-thread.ts";
import { createUris } from "./federation/activitypub/uris.ts";
import { createVerifyDocument } from "./federation/activitypub/authority/verify-document.ts";
import { namesAsAlias } from "./federation/activitypub/authority/aliases.ts";
import { createVerifyRequest } from "./federation/activitypub/authority/verify-request.ts";
import { createDeliver, DELIVER } from "./federation/delivery/deliver.ts";
import { createHosts, PROBE_HOST } from "./federation/delivery/hosts.ts";
import { createDiasporaSender } from "./federation/diaspora/create-sender.ts";
import { createDiasporaDelivery } from "./federation/diaspora/delivery-protocol.ts";
import {
  createFindParticipants,
  FIND_PARTICIPANTS,
} from "./federation/diaspora/find-participants.ts";
import {
  createFetchLinked,
  FETCH_LINKED,
  fetchForUser,
} from "./federation/diaspora/follow-links.ts";
import {
  createDiasporaInbound,
  createReceiveContext,
} from "./federation/diaspora/handle-inbound.ts";
import {
  createParticipate,
  PARTICIPATE,
} from "./federation/diaspora/participate.ts";
import {
  createReadStream,
  notePersonFound,
  READ_STREAM,
} from "./federation/diaspora/read-stream.ts";
import { registerDiasporaRoutes } from "./federation/diaspora/receive-routes.ts";
import { createDiscovery } from "./federation/discovery/discover.ts";
import { registerNodeInfo } from "./federation/discovery/nodeinfo-routes.ts";
import { registerWebfinger } from "./federation/discovery/webfinger-routes.ts";
import { createDispatcher } from "./federation/dispatch.ts";
import {
  createFanOut,
  createListHearers,
  createTell,
  FAN_OUT,
  type FanOutDeps,
} from "./federation/fan-out.ts";
import { createFirstMovingStep } from "./federation/move-steps.ts";
import { createMoving } from "./federation/moving.ts";
import {
  AFTER_DELIVERIES_MS,
  createFirstLeavingSteps,
  createLastLeavingSteps,
} from "./federation/leaving-steps.ts";
import {
  createTellTally,
  createWatchPoll,
  TELL_TALLY,
} from "./federation/tell-tally.ts";
import {
  createLeave,
  LEAVE,
  repeatSteps,
  type LeavingStep,
} from "./features/leaving/index.ts";
import {
  createMoveJob,
  MOVE,
  type MovingStep,
} from "./features/moves/index.ts";
import {
  createForgetInbound,
  createInbound,
  FORGET_INBOUND,
  HANDLE_INBOUND,
} from "./federation/inbound/inbound.ts";
import { createPeers, LEARN_PEER } from "./federation/peers/peers.ts";
import type { UserId } from "./features/ids.ts";
import type { Worker } from "./jobs/worker.ts";
import type { Clock } from "./lib/clock.ts";
import type { GuardedFetch } from "./lib/guarded-fetch.ts";
import type { Log } from "./lib/log.ts";
import { createRateLimit } from "./lib/rate-limit.ts";
import { withinPatience } from "./lib/patience.ts";

export type FederationInput = {
  readonly config: Config;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly fetch: GuardedFetch;
  readonly version: string;
  readonly features: Features;
};

/** The other servers: what comes in, what goes out, and who is where. */
export type Federation = ReturnType<typeof composeFederation>;

export function composeFederation(input: FederationInput) {
  const { config, db, clock, log, fetch, features } = input;
  const { protocols, baseUrl, baseHost: handleHost } = config;
  const shared = { ...features, db, clock, log, fetch, handleHost, baseUrl };
  const uris = createUris(baseUrl);
  const peers = createPeers(shared);
  const blockedHosts = NOBODY_BLOCKED;
  const fetchDocument = createFetchDocument({
    ...shared,
    peers,
    blockedHosts,
    uris,
  });
  const discovery = createDiscovery({
    ...shared,
    fetchActor: (uri) => fetchActor({ fetchDocument }, uri),
    protocols,
  });
  const hosts = createHosts(shared);
  const inbound = createInbound({ ...shared, hosts });
  const dispatch = createDispatcher(shared);
  const verifying = {
    ...shared,
    fetchDocument,
    uris,
    discoverActor: discovery.byActor,
  };
  const verifyRequest = createVerifyRequest(verifying);
  const activityPub = {
    ...shared,
    uris,
    fetchDocument,
    inbound,
    dispatch,
    peers,
    blockedHosts,
    verifyRequest,
    verifyDocument: createVerifyDocument(verifying),
    fetchAs: createFetchAs({ ...shared, peers, blockedHosts, uris }),
    authorizedFetch: config.authorizedFetch,
    authenticate: features.accounts.authenticate,
    searchActor: discovery.searchActor,
    discoverActor: (uri: string) => discovery.byActor(uri),
    refreshActor: (uri: string) => discovery.byActor(uri, { refresh: true }),
  };
  const diaspora = {
    ...shared,
    inbound,
    dispatch,
    discover: discovery.byHandle,
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
    receiving: createReceiveContext(diaspora),
  };
}

/** Puts the routes of the protocols that are switched on. */
export function registerFederation(
  app: FastifyInstance,
  federation: Federation,
): void {
  const { config, shared, version, activityPub, diaspora } = federation;
  const { protocols } = config;
  registerWebfinger(app, { ...shared, protocols });
  registerNodeInfo(app, {
    ...shared,
    version,
    protocols,
    openRegistrations: config.registration === "open",
  });
  if (protocols.activitypub) {
    registerActors(app, activityPub);
    registerInboxes(app, activityPub);
    registerInboxReading(app, activityPub);
    registerOutboxes(app, activityPub);
    registerObjects(app, activityPub);
    registerObjectCollections(app, activityPub);
  }
  if (protocols.diaspora) registerDiasporaRoutes(app, diaspora);
}

/** As long as somebody waits for a page. */
const PATIENCE_MS = 9_500;

/** What people here may ask of the network. */
export function visitsOf({
  config,
  diaspora,
  discovery,
  receiving,
}: Federation) {
  const { protocols } = config;
  return {
    discover: async (handle: string, by: UserId) => {
      const person = await discovery.search(handle);
      if (person && protocols.diaspora)
        await notePersonFound(diaspora, person, by);
      return person;
    },
    fetchLinked: protocols.diaspora
      ? (link: { author: string; guid: string }, by: UserId) =>
          withinPatience(fetchForUser(receiving, link, by), PATIENCE_MS)
      : undefined,
  };
}

/** How pages answer clients that ask for the object itself. */
export function negotiationOf({ config, activityPub }: Federation) {
  return config.protocols.activitypub
    ? { activityPub: createPageNegotiation(activityPub) }
    : {};
}

function fanOutDepsOf(federation: Federation): FanOutDeps {
  const { config, shared, dispatch, activityPub, diaspora } = federation;
  const { protocols } = config;
  return {
    ...shared,
    dispatch,
    senders: {
      ...(protocols.activitypub
        ? { activitypub: createActivityPubSender(activityPub) }
        : {}),
      ...(protocols.diaspora
        ? { diaspora: createDiasporaSender(diaspora) }
        : {}),
    },
  };
}

/** What follows when somebody leaves: others are told, everything goes, and at last the means to tell. */
function listLeavingSteps(
  shared: Federation["shared"],
  fanOut: FanOutDeps,
): LeavingStep[] {
  const { leavingSteps } = shared;
  return [
    ...createFirstLeavingSteps({ ...shared, tell: createTell(fanOut) }),
    ...leavingSteps,
    repeatSteps("sweep", leavingSteps, AFTER_DELIVERIES_MS),
    ...createLastLeavingSteps(shared),
  ];
}

/** What follows when somebody moves: others are told first, while it is known whom. */
function listMovingSteps(
  { shared, activityPub, config }: Federation,
  fanOut: FanOutDeps,
): MovingStep[] {
  const first = createFirstMovingStep({
    ...shared,
    tell: createTell(fanOut),
    namesAsAlias: async (to, from) =>
      config.protocols.activitypub && namesAsAlias(activityPub, to, from),
  });
  return [first, ...shared.movingSteps];
}

/** What is passed on of one person elsewhere: more of it, others read in the thread. */
const FORWARDING = { max: 120, windowMs: 600_000 };

/** Gives the worker what it has to do for federation. */
export function handleFederationJobs(
  worker: Worker,
  federation: Federation,
): void {
  const { config, shared, hosts, inbound } = federation;
  const { activityPub, diaspora, receiving } = federation;
  const { protocols } = config;
  const fanOut = fanOutDepsOf(federation);
  worker.handle(FAN_OUT, createFanOut(fanOut, createWatchPoll(shared)));
  worker.handle(TELL_THREAD, createTellThread(activityPub, createTell(fanOut)));
  worker.handle(READ_THREAD, createReadThread(activityPub));
  worker.handle(TELL_TALLY, createTellTally(fanOut, createTell(fanOut)));
  worker.handle(LEAVE, createLeave(shared, listLeavingSteps(shared, fanOut)));
  worker.handle(
    MOVE,
    createMoveJob(shared, listMovingSteps(federation, fanOut)),
  );
  worker.handle(
    DELIVER,
    createDeliver({
      ...shared,
      hosts,
      protocols: {
        activitypub: createActivityPubDelivery(activityPub),
        diaspora: createDiasporaDelivery(diaspora),
      },
    }),
  );
  worker.handle(
    HANDLE_INBOUND,
    inbound.handle({
      ...(protocols.activitypub
        ? {
            activitypub: createActivityPubInbound({
              ...activityPub,
              listHearers: createListHearers(fanOut),
              noteThreadChanged: createNoteThreadChanged(activityPub),
              forwarding: createRateLimit({ ...shared, ...FORWARDING }),
            }),
          }
        : {}),
      ...(protocols.diaspora
        ? { diaspora: createDiasporaInbound(diaspora, receiving) }
        : {}),
    }),
  );
  worker.handle(PARTICIPATE, createParticipate(diaspora));
  worker.handle(FETCH_LINKED, createFetchLinked(receiving));
  worker.handle(FIND_PARTICIPANTS, createFindParticipants(receiving));
  worker.handle(READ_STREAM, createReadStream(receiving));
  worker.handle(PROBE_HOST, hosts.probe);
  worker.handle(LEARN_PEER, activityPub.peers.learn);
  worker.handle(
    FORGET_INBOUND,
    createForgetInbound(shared, deleteForwardedBefore),
  );
}
