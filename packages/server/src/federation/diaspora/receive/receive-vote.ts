import type { Poll as PollEntity, PollParticipation } from "@kith/diaspora";
import type { Attach } from "../../../features/posts/index.ts";
import { MAX_POLL_TEXT_LENGTH } from "../../../features/polls/index.ts";
import { storableText } from "../../../lib/well-formed.ts";
import type { InboundResult } from "../../inbound/inbound.ts";
import {
  resultOf,
  type Arrival,
  type ReceiveContext,
} from "../authority/receive-context.ts";
import { receiveRelayable } from "./receive-relayable.ts";

/** Pods do not limit the options; no author types this many. */
const MAX_ANSWERS = 100;

/** Stores the poll of a remote post together with the post. */
export function attachPoll(
  { polls }: Pick<ReceiveContext, "polls">,
  { guid, question, pollAnswers }: PollEntity,
): Attach {
  return polls.attach({
    guid,
    question: line(question),
    // A diaspora* poll allows one vote per person, and does not end.
    multiple: false,
    endsAt: null,
    answers: pollAnswers
      .slice(0, MAX_ANSWERS)
      .map((one) => ({ guid: one.guid, text: line(one.answer) })),
  });
}

/** Counts a vote, after checking everything about it. */
export async function receiveVote(
  context: ReceiveContext,
  entity: PollParticipation,
  arrival: Arrival,
): Promise<InboundResult> {
  const { polls } = context;
  const known = await polls.findVote({ guid: entity.guid });
  return receiveRelayable(context, entity, arrival, known, async (by) =>
    resultOf(
      await polls.receive({
        guid: entity.guid,
        pollGuid: entity.parentGuid,
        answerGuid: entity.pollAnswerGuid,
        personId: by.id,
      }),
    ),
  );
}

function line(text: string): string {
  const tidy = storableText(text).replace(/\s+/g, " ").trim();
  return [...tidy].slice(0, MAX_POLL_TEXT_LENGTH).join("");
}
