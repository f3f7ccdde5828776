import type { Db } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import type { Clock } from "../../lib/time/clock.ts";
import type { Amend, Attach } from "../posts/index.ts";
import { checkPoll, type AskedPoll } from "./new-poll.ts";
import { findPoll } from "./poll-queries.ts";
import { replaceAnswers, updateEnd } from "./poll-store.ts";
import { isSamePoll, type NewPoll } from "./poll.ts";

/** A poll as an edit describes it; an end and a choice that are absent stay. */
export type AmendedPoll = AskedPoll & { readonly question: string };

/**
 * Builds the callback that changes the poll of a post with its edit, or gives it one. Other
 * answers, or a change from multiple to single choice or back, end all votes.
 * @throws {KithError} `bad_request`
 */
export function amendPoll(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  attach: (poll: NewPoll) => Attach,
  asked: AmendedPoll,
): Amend | undefined {
  // Hidden counts need an end, which may be the present one.
  const given = checkPoll({ ...asked, hidesTotals: false }, clock.now());
  if (!given) return undefined;
  return async (tx, { id: postId }) => {
    await lockKey(tx, db.dialect, `poll-of:${postId}`);
    const poll = await findPoll(tx, { postId });
    const endsAt = given.endsAt ?? poll?.endsAt ?? null;
    const hides = asked.hidesTotals ?? poll?.hidesTotals ?? false;
    const changed = { ...given, endsAt, hidesTotals: hides && endsAt !== null };
    if (!poll) {
      await attach(changed)(tx, postId);
      return { isChanged: true };
    }
    if (!isSamePoll(poll, changed)) {
      await replaceAnswers(tx, poll.id, changed);
      return { isChanged: true };
    }
    const isSame =
      poll.endsAt === endsAt && poll.hidesTotals === changed.hidesTotals;
    if (!isSame) await updateEnd(tx, poll.id, changed);
    return { isChanged: !isSame };
  };
}
