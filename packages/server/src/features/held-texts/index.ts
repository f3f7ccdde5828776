import type { PersonId, PostId } from "../ids.ts";
import type { Page } from "../page.ts";
import { decideHeld, type HeldDecision } from "./decide-held.ts";
import { showHeld, type HeldTextsDeps } from "./held-texts.ts";
import { withdrawHeld } from "./withdraw-held.ts";

export type { HeldTextsDeps, ShownHeldText } from "./held-texts.ts";
export type { HeldDecision } from "./decide-held.ts";

/** The texts that rules against spam hold until a moderator decides. */
export type HeldTexts = ReturnType<typeof createHeldTexts>;

export function createHeldTexts(deps: HeldTextsDeps) {
  const { db, spamRules } = deps;
  return {
    /** For moderators, newest first. */
    list: async (page: Page) => showHeld(deps, await spamRules.held.list(page)),
    /** Those of one author, for the author. */
    listOf: async (personId: PersonId, page: Page) =>
      showHeld(deps, await spamRules.held.list(page, personId)),
    count: () => spamRules.held.count(),
    /** Does this post wait? */
    isWaiting: async (postId: PostId) =>
      (await spamRules.held.findPost(db.read, postId)) !== undefined,
    /**
     * Approves a text, or refuses it.
     * @throws {KithError} `not_found` if it is no longer held, `conflict` if it cannot be
     *   approved any more, `bad_request` for a long message
     */
    decide: (...decided: HeldDecision) => decideHeld(deps, ...decided),
    /** By its author. @throws {KithError} `not_found`, also for that of somebody else */
    withdraw: (personId: PersonId, id: number) =>
      withdrawHeld(deps, personId, id),
  };
}
