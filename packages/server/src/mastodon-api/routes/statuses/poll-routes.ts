import type { PollResult } from "../../../features/polls/index.ts";
import { timestamp } from "../../../lib/time/clock.ts";
import { presentPollOf } from "../../entities/poll.ts";
import {
  publicRoute,
  userRoute,
  type AnyCall,
  type MastodonRoute,
} from "../../kit/mastodon-route.ts";
import { invalid, notFound } from "../../kit/refusals.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import { getWriting } from "../../loading/find-writing.ts";

/** Polls have the ids of their posts. */
export function pollRoutes(deps: MastodonDeps): MastodonRoute[] {
  const now = () => timestamp(deps.clock.now());
  return [
    publicRoute({
      method: "GET",
      path: "/v1/polls/:id",
      scope: "read:statuses",
      limit: "read",
      handle: async (call) =>
        presentPollOf(await getPoll(deps, call), now(), call.viewer !== null),
    }),
    userRoute({
      method: "POST",
      path: "/v1/polls/:id/votes",
      scope: "write:statuses",
      limit: "write",
      handle: async (call) => {
        const { poll, ownVotes } = await getPoll(deps, call);
        if (ownVotes.length > 0)
          throw invalid("You have already voted on this poll");
        const guids = call.input.texts("choices").map((choice) => {
          const answer =
            poll.answers[/^\d+$/.test(choice) ? Number(choice) : -1];
          if (!answer) throw invalid("The chosen vote option does not exist");
          return answer.guid;
        });
        await deps.polls.vote(call.viewer, { id: poll.postId }, guids);
        return presentPollOf(await getPoll(deps, call), now(), true);
      },
    }),
  ];
}

/** @throws {KithError} `not_found` for a post that the viewer may not see, or without a poll */
async function getPoll(
  deps: MastodonDeps,
  { id, viewer }: Pick<AnyCall, "id" | "viewer">,
): Promise<PollResult> {
  const { post } = await getWriting(deps, id(), viewer);
  const viewerId = viewer?.personId ?? null;
  const found = await deps.polls.listResults([post.id], viewerId);
  const result = found.get(post.id);
  if (!result || post.id !== id()) throw notFound();
  return result;
}
