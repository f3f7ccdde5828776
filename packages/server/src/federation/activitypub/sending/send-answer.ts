import {
  buildActivity,
  serialize,
  withContext,
  type Activity,
  type JsonObject,
} from "@kith/activitypub";
import type { Db } from "../../../db/db.ts";
import { usernameOf, type Person } from "../../../features/people/index.ts";
import { newGuid } from "../../../lib/guids.ts";
import { later, timestamp, type Clock } from "../../../lib/time/clock.ts";
import type { Dispatcher } from "../../outbound/dispatch.ts";
import { orderOfRelation } from "../../outbound/order.ts";
import type { Order } from "../../outbound/outgoing.ts";
import { saveAnswer } from "../records/sent-activity-store.ts";
import { derivedGuid, type Uris } from "../records/uris.ts";

export type SendAnswerDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly uris: Uris;
  readonly dispatch: Dispatcher;
};

/** Servers look an answer up when it arrives; deliveries end long before. */
export const KEEP_ANSWER_MS = 30 * 24 * 3_600_000;

/** The parts of an answered activity that the answer depends on. */
type Asked = Pick<Activity, "id" | "type" | "actor" | "object" | "instrument">;

type Answer = {
  readonly type: "Accept" | "Reject";
  readonly by: Person;
  /**
   * The guid of the requested object: each requester has one answer about it,
   * the last.
   */
  readonly about: string;
  readonly result?: string;
};

/**
 * Answers a Follow, Join or QuoteRequest. Each answer has a new id: a reused
 * one would be taken for a repeat if the same is requested again.
 */
export async function sendAnswer(
  { db, clock, uris, dispatch }: SendAnswerDeps,
  asked: Asked,
  asker: Person,
  { type, by, about, result }: Answer,
): Promise<void> {
  const { inboxUri } = asker.addresses;
  if (inboxUri === null || by.userId === null) return;
  const guid = newGuid();
  const answer = buildActivity({
    id: uris.activity(guid),
    type,
    actor: uris.actor(usernameOf(by)),
    object: echoActivity(asked),
    to: [asked.actor],
    guid,
    ...(result !== undefined && { result }),
  });
  const document = serialize(withContext(answer));
  const record = {
    guid,
    personId: by.id,
    public: false,
    addressees: [asked.actor],
    document,
  };
  const now = clock.now();
  const times = {
    now: timestamp(now),
    expiresAt: timestamp(later(now, KEEP_ANSWER_MS)),
  };
  const answers = keyOfAnswer(asked.type, asker, about);
  await db.transaction((tx) => saveAnswer(tx, record, answers, times));
  // Peers drop posts until they know that the follow was accepted.
  const order =
    asked.type === "Follow"
      ? orderOfRelation(by, asker)
      : orderOfAnswer(asked.type, asker, about);
  await dispatch([
    {
      document,
      order,
      deliveries: [
        {
          protocol: "activitypub",
          url: inboxUri,
          // In the lane of the server.
          place: asker.addresses.sharedInboxUri ?? inboxUri,
          senderUserId: by.userId,
          recipientId: null,
        },
      ],
    },
  ]);
}

function keyOfAnswer(type: string, asker: Person, about: string): string {
  return derivedGuid(type, `${asker.guid}:${about}`);
}

/** Answers to one requester about one object are delivered in order. */
export function orderOfAnswer(
  type: string,
  asker: Person,
  about: string,
): Order {
  return { about: `answer:${keyOfAnswer(type, asker, about)}` };
}

/**
 * The part of the answered activity that an answer repeats: enough for any
 * server to recognize it, each part an id of bounded length. Other parts are
 * neither stored nor sent back.
 */
export function echoActivity(activity: Asked): JsonObject {
  const { id, type, actor, object, instrument } = activity;
  return {
    ...(id !== undefined && { id }),
    type,
    actor,
    ...(object?.id !== undefined && { object: object.id }),
    ...(type === "QuoteRequest" && instrument !== undefined && { instrument }),
  };
}
