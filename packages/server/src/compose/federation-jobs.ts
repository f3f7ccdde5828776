import type { Federation } from "./federation.ts";
import { countDeliveries } from "../federation/delivery/count-deliveries.ts";
import { createActivityPubSender } from "../federation/activitypub/sending/create-sender.ts";
import { createActivityPubDelivery } from "../federation/activitypub/sending/delivery-protocol.ts";
import { deleteCreationsBefore } from "../federation/inbound/creation-store.ts";
import { deleteForwardedBefore } from "../federation/activitypub/threads/forwarded-store.ts";
import { deleteExpiredSent } from "../federation/activitypub/records/sent-activity-store.ts";
import { timestamp } from "../lib/time/clock.ts";
import { createActivityPubInbound } from "../federation/activitypub/handle-inbound.ts";
import {
  createFollowRelay,
  createLeaveRelay,
} from "../federation/activitypub/relays/follow-relay.ts";
import {
  createFindAddressed,
  FIND_ADDRESSED,
} from "../federation/activitypub/conversations/find-addressed.ts";
import { deleteFollowersChecksBefore } from "../federation/activitypub/actors/followers-check-store.ts";
import {
  createSynchronizeFollowers,
  SYNCHRONIZE_FOLLOWERS,
} from "../federation/activitypub/actors/synchronize-followers.ts";
import { createRevokeQuotes } from "../federation/activitypub/quotes/revoke-quotes.ts";
import { createAnswerJoin } from "../federation/activitypub/sending/answer-join.ts";
import { createAnswerFollow } from "../federation/activitypub/sending/answer-follow.ts";
import { createAskToQuote } from "../federation/activitypub/quotes/ask-to-quote.ts";
import { createCheckQuote } from "../federation/activitypub/quotes/check-quote.ts";
import { createSendFlag } from "../federation/activitypub/sending/send-flag.ts";
import { READ_THREAD } from "../federation/activitypub/inbox/watch-thread.ts";
import { createReadThread } from "../federation/activitypub/threads/read-thread.ts";
import { createForwardConfirmed } from "../federation/activitypub/threads/forward-confirmed.ts";
import {
  createNoteThreadChanged,
  createAnnounceThread,
  createWatchThread,
  ANNOUNCE_THREAD,
} from "../federation/activitypub/threads/announce-thread.ts";
import { namesAsAlias } from "../federation/activitypub/authority/aliases.ts";
import { createDeliver, DELIVER } from "../federation/delivery/deliver.ts";
import { PROBE_HOST } from "../federation/delivery/host-health.ts";
import { createDiasporaSender } from "../federation/diaspora/create-sender.ts";
import { createDiasporaDelivery } from "../federation/diaspora/delivery-protocol.ts";
import {
  createFindParticipants,
  FIND_PARTICIPANTS,
} from "../federation/diaspora/fetch/find-participants.ts";
import {
  createFetchLinked,
  FETCH_LINKED,
} from "../federation/diaspora/records/follow-links.ts";
import { createDiasporaInbound } from "../federation/diaspora/handle-inbound.ts";
import {
  createParticipate,
  PARTICIPATE,
} from "../federation/diaspora/records/participate.ts";
import {
  createReadStream,
  READ_STREAM,
} from "../federation/diaspora/fetch/read-stream.ts";
import {
  createFanOut,
  createListThreadRecipients,
  createFanOutSender,
  type FanOutDeps,
} from "../federation/outbound/fan-out.ts";
import { FAN_OUT } from "../federation/outbound/outgoing.ts";
import { createFirstMovingStep } from "../federation/move-steps.ts";
import {
  AFTER_DELIVERIES_MS,
  createFirstLeavingSteps,
  createLastLeavingSteps,
} from "../federation/leaving-steps.ts";
import {
  createAnnounceTally,
  createWatchPoll,
  ANNOUNCE_TALLY,
} from "../federation/outbound/announce-tally.ts";
import {
  createLeave,
  LEAVE,
  repeatSteps,
  type LeavingStep,
} from "../features/leaving/index.ts";
import { CHECK_QUOTE } from "../features/quotes/index.ts";
import { FORWARD_REPORT } from "../features/moderation/index.ts";
import {
  FOLLOW_RELAY,
  LEAVE_RELAY,
} from "../federation/activitypub/relays/relay-list.ts";
import {
  createMoveJob,
  MOVE,
  type MovingStep,
} from "../features/moves/index.ts";
import { createForgetInbound } from "../federation/inbound/forget-inbound.ts";
import {
  FORGET_INBOUND,
  HANDLE_INBOUND,
} from "../federation/inbound/inbound.ts";
import { LEARN_PEER } from "../federation/peers/peers.ts";
import type { Worker } from "../jobs/worker/worker.ts";
import { createRateLimit } from "../lib/limits/rate-limit.ts";

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

/**
 * The steps of leaving: other servers are notified, everything is deleted, and
 * the keys that sign the notifications go last.
 */
function listLeavingSteps(
  shared: Federation["shared"],
  fanOut: FanOutDeps,
): LeavingStep[] {
  const { leavingSteps } = shared;
  return [
    ...createFirstLeavingSteps({ ...shared, send: createFanOutSender(fanOut) }),
    ...leavingSteps,
    repeatSteps("sweep", leavingSteps, AFTER_DELIVERIES_MS),
    ...createLastLeavingSteps(shared),
  ];
}

/**
 * The steps of moving: the recipients are notified first, while they are still
 * known.
 */
function listMovingSteps(
  { shared, activityPub, config }: Federation,
  fanOut: FanOutDeps,
): MovingStep[] {
  const first = createFirstMovingStep({
    ...shared,
    send: createFanOutSender(fanOut),
    namesAsAlias: async (to, from) =>
      config.protocols.activitypub && namesAsAlias(activityPub, to, from),
  });
  return [first, ...shared.movingSteps];
}

/**
 * Forwarded activities per remote author: other servers fetch more from the
 * thread.
 */
const FORWARDING = { max: 120, windowMs: 600_000 };

/** Fetches on behalf of relays: one object per second in the long run. */
const RELAYING = { max: 600, windowMs: 600_000 };

/** Registers the job handlers of federation. */
export function handleFederationJobs(
  worker: Worker,
  federation: Federation,
): void {
  const { config, shared, hosts, inbound, metrics } = federation;
  const { activityPub, diaspora, receiving } = federation;
  const { protocols } = config;
  const fanOut = fanOutDepsOf(federation);
  const listRecipients = createListThreadRecipients(fanOut);
  const noteThreadChanged = createNoteThreadChanged(activityPub);
  const watchers = {
    before: protocols.activitypub ? [createAskToQuote(activityPub)] : [],
    after: [
      createWatchPoll(shared),
      shared.quotes.revokeAfter,
      ...(protocols.activitypub
        ? [
            createWatchThread(activityPub),
            createRevokeQuotes(activityPub),
            createAnswerFollow(activityPub),
            createAnswerJoin(activityPub),
            createForwardConfirmed({
              ...activityPub,
              listRecipients,
              noteThreadChanged,
            }),
          ]
        : []),
    ],
  };
  worker.handle(FAN_OUT, createFanOut(fanOut, watchers));
  worker.handle(FOLLOW_RELAY, createFollowRelay(activityPub));
  worker.handle(LEAVE_RELAY, createLeaveRelay(activityPub));
  worker.handle(FORWARD_REPORT, createSendFlag(activityPub));
  worker.handle(
    ANNOUNCE_THREAD,
    createAnnounceThread(activityPub, createFanOutSender(fanOut)),
  );
  worker.handle(CHECK_QUOTE, createCheckQuote(activityPub));
  worker.handle(FIND_ADDRESSED, createFindAddressed(activityPub));
  worker.handle(READ_THREAD, createReadThread(activityPub));
  worker.handle(SYNCHRONIZE_FOLLOWERS, createSynchronizeFollowers(activityPub));
  worker.handle(
    ANNOUNCE_TALLY,
    createAnnounceTally(fanOut, createFanOutSender(fanOut)),
  );
  worker.handle(LEAVE, createLeave(shared, listLeavingSteps(shared, fanOut)));
  worker.handle(
    MOVE,
    createMoveJob(shared, listMovingSteps(federation, fanOut)),
  );
  worker.handle(
    DELIVER,
    countDeliveries(
      metrics,
      shared.statistics.countDelivery,
      createDeliver({
        ...shared,
        ...shared.hostPolicies,
        ...shared.suspensions,
        hosts,
        protocols: {
          activitypub: createActivityPubDelivery(activityPub),
          diaspora: createDiasporaDelivery(diaspora),
        },
      }),
    ),
  );
  worker.handle(
    HANDLE_INBOUND,
    inbound.handle({
      ...(protocols.activitypub
        ? {
            activitypub: createActivityPubInbound({
              ...activityPub,
              listRecipients,
              noteThreadChanged,
              forwarding: createRateLimit({ ...shared, ...FORWARDING }),
              relaying: createRateLimit({ ...shared, ...RELAYING }),
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
    createForgetInbound(shared, async (tx, before) => {
      await deleteForwardedBefore(tx, before);
      await deleteCreationsBefore(tx, before);
      await deleteFollowersChecksBefore(tx, before);
      await deleteExpiredSent(tx, timestamp(shared.clock.now()));
      await shared.retractions.forgetEarly(tx);
    }),
  );
}
