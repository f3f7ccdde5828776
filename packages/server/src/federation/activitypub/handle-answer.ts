import type { Activity } from "@kith/activitypub";
import type { Person } from "../../features/people/index.ts";
import { done, type InboundResult } from "../inbound/inbound.ts";
import {
  receiveFollowAnswer,
  type ReceiveFollowDeps,
} from "./inbox/receive-follow.ts";
import {
  receiveAttendance,
  receiveJoinAnswer,
  type ReceiveParticipationDeps,
} from "./inbox/receive-participation.ts";
import {
  receiveQuoteAnswer,
  type ReceiveQuoteAnswerDeps,
} from "./quotes/receive-quote-answer.ts";
import {
  receiveRelayAnswer,
  type ReceiveRelayedDeps,
} from "./threads/receive-relayed.ts";

type HandleAnswerDeps = ReceiveFollowDeps &
  ReceiveParticipationDeps &
  ReceiveQuoteAnswerDeps &
  ReceiveRelayedDeps;

/**
 * Applies an Accept or Reject. Its object decides what is meant: a local event, a local
 * person's Join, else a local person's Follow.
 */
export async function handleAnswer(
  deps: HandleAnswerDeps,
  activity: Activity,
  sender: Person,
  recipient: Person | null,
): Promise<InboundResult> {
  const { type } = activity;
  const answered =
    (await receiveRelayAnswer(deps, activity)) ??
    (await receiveAttendance(deps, activity, sender)) ??
    (await receiveJoinAnswer(deps, activity, sender)) ??
    (await receiveQuoteAnswer(deps, activity, sender));
  if (answered) return answered;
  return type === "Accept" || type === "Reject"
    ? receiveFollowAnswer(deps, activity, sender, recipient)
    : done("the answer to nothing");
}
