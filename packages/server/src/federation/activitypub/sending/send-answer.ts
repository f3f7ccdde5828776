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

/** Whoever looks an answer up does so when it comes; deliveries are given up long before. */
export const KEEP_ANSWER_MS = 30 * 24 * 3_600_000;

type Answer = {
  readonly type: "Accept" | "Reject";
  readonly by: Person;
  /** The Guid of what was asked for: each asker has one answer about it, the last. */
  readonly about: string;
  readonly result?: string;
};

/**
 * Answers a Follow, Join or QuoteRequest. Each answer has an id of its own: one that
 * was used before would be taken for a repeat where the same is asked again.
 */
export async function sendAnswer(
  { db, clock, uris, dispatch }: SendAnswerDeps,
  asked: Activity,
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
  // Peers drop what somebody posts until they know that the follow was accepted.
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
          // Beside what else is told of the two to the server.
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

/** What is answered to one asker about one thing comes in its order. */
export function orderOfAnswer(
  type: string,
  asker: Person,
  about: string,
): Order {
  return { about: `answer:${keyOfAnswer(type, asker, about)}` };
}

/**
 * What an answer says of what it answers: as much as any server recognises its own by,
 * each part an id of bounded length. Whatever else a stranger put into it is neither
 * kept nor sent back.
 */
export function echoActivity(activity: Activity): JsonObject {
  const { id, type, actor, object, instrument } = activity;
  return {
    ...(id !== undefined && { id }),
    type,
    actor,
    ...(object?.id !== undefined && { object: object.id }),
    ...(type === "QuoteRequest" && instrument !== undefined && { instrument }),
  };
}
