import type { Db } from "../../../db/db.ts";
import { isRootHere, type Outgoing } from "../../outbound/outgoing.ts";
import { findRemoteEvent } from "../records/remote-event-store.ts";
import { findSentActivity } from "../records/sent-activity-store.ts";
import type { AnswersTaken } from "../render/render-answers.ts";

/** Local events are announced with the types that express all three answers. */
const OURS: AnswersTaken = { words: "attendance", isJoined: false };

/** Finds how the server of an event takes an answer to it, if the message is such an answer. */
export async function findAnswersTaken(
  { db }: { readonly db: Db },
  outgoing: Outgoing,
): Promise<AnswersTaken> {
  if (outgoing.kind !== "event_answer" || isRootHere(outgoing)) return OURS;
  const [event, sent] = await Promise.all([
    findRemoteEvent(db.read, outgoing.event.id),
    findSentActivity(db.read, outgoing.answer.guid),
  ]);
  return {
    words: event?.answeredBy ?? "nothing",
    isJoined: sent !== undefined,
  };
}
