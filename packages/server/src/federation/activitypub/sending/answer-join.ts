import type { Fact } from "../../../features/facts.ts";
import { findRepliedGuest, type RepliedGuestDeps } from "./replied-guest.ts";
import { sendAnswer, type SendAnswerDeps } from "./send-answer.ts";

/**
 * Sends a local organizer's reply to a Join that it had to confirm first (FEP-8a8e, Mobilizon).
 * diaspora* has no replies: a guest there learns of neither.
 */
export function createAnswerJoin(
  deps: SendAnswerDeps & RepliedGuestDeps,
): (fact: Fact) => Promise<void> {
  return async (fact) => {
    const found = await findRepliedGuest(deps, fact);
    if (!found) return;
    const { answer, event, guest, thread } = found;
    const { post, postAuthor: by } = thread;
    const { actorUri } = guest.addresses;
    const object = deps.uris.ofPost(post, by);
    const { uri, reply } = answer;
    if (uri === null || actorUri === null || object === null) return;
    if (reply !== "confirmed" && reply !== "refused") return;
    await sendAnswer(
      deps,
      { id: uri, type: "Join", actor: actorUri, object: { id: object } },
      guest,
      {
        type: reply === "confirmed" ? "Accept" : "Reject",
        ...{ by, about: event.guid },
      },
    );
  };
}
