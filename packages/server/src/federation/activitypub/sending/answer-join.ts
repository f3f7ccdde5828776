import type { Events } from "../../../features/events/index.ts";
import type { Fact } from "../../../features/facts.ts";
import type { Participations } from "../../../features/participations/index.ts";
import type { People } from "../../../features/people/index.ts";
import type { Posts } from "../../../features/posts/index.ts";
import { findEventThread } from "../../outbound/event-thread.ts";
import { sendAnswer, type SendAnswerDeps } from "./send-answer.ts";

type AnswerJoinDeps = SendAnswerDeps & {
  readonly events: Pick<Events, "find">;
  readonly participations: Pick<Participations, "find">;
  readonly people: People;
  readonly posts: Posts;
};

/**
 * Sends a local organizer's reply to a Join that it had to confirm first (FEP-8a8e, Mobilizon).
 * diaspora* has no replies: a guest there learns of neither.
 */
export function createAnswerJoin(
  deps: AnswerJoinDeps,
): (fact: Fact) => Promise<void> {
  const { events, participations, people, uris } = deps;
  return async (fact) => {
    if (fact.type !== "participation.replied") return;
    const answer = await participations.find({ id: fact.participationId });
    const event = answer && (await events.find({ id: answer.eventId }));
    const thread = event && (await findEventThread(deps, event));
    const guest = answer && (await people.find({ id: answer.personId }));
    if (!answer || !event || !thread || guest?.userId !== null) return;
    const { post, postAuthor: by } = thread;
    const { actorUri } = guest.addresses;
    const object = uris.ofPost(post, by);
    const { uri, reply } = answer;
    if (by.userId === null || by.state !== "active") return;
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
