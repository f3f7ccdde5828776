import type { Fact } from "../../../features/facts.ts";
import {
  usernameOf,
  type People,
  type Person,
} from "../../../features/people/index.ts";
import { sendAnswer, type SendAnswerDeps } from "./send-answer.ts";

export type AnswerFollowDeps = SendAnswerDeps & {
  readonly people: Pick<People, "find">;
};

/**
 * Sends a local person's answer to a Follow that it had to approve first. diaspora* has no
 * answers: who asked there learns of neither.
 */
export function createAnswerFollow(
  deps: AnswerFollowDeps,
): (fact: Fact) => Promise<void> {
  return async (fact) => {
    if (fact.type !== "follow.answered") return;
    const by = await deps.people.find({ id: fact.by });
    const asker = await deps.people.find({ id: fact.personId });
    if (by?.userId == null || by.state === "closed" || !asker) return;
    const actor = asker.addresses.actorUri;
    if (actor === null || !hasSentFollow(asker, fact.uri)) return;
    const follow = {
      ...(fact.uri !== null && { id: fact.uri }),
      type: "Follow",
      actor,
      object: { id: deps.uris.actor(usernameOf(by)) },
    };
    const type = fact.isAccepted ? "Accept" : "Reject";
    await sendAnswer(deps, follow, asker, { type, by, about: by.guid });
  };
}

/** A Follow may have no id; the message of diaspora* never has one. */
function hasSentFollow({ protocol }: Person, uri: string | null): boolean {
  return uri !== null || protocol === "activitypub";
}
