import type { Tx } from "../../db/db.ts";
import { KithError } from "../../lib/errors.ts";
import type { Doer } from "../audit/index.ts";
import type { Person } from "../people/index.ts";
import type { HeldText } from "../spam-rules/index.ts";
import { checkMessage } from "../strikes/index.ts";
import { showHeld, type HeldTextsDeps } from "./held-texts.ts";
import { removeHeld } from "./withdraw-held.ts";

/** The moderator, the text, what becomes of it, and the words for an author here. */
export type HeldDecision = [
  by: Doer,
  id: number,
  decision: "approve" | "refuse",
  message?: string,
];

export async function decideHeld(
  deps: HeldTextsDeps,
  ...[by, id, decision, message = ""]: HeldDecision
): Promise<void> {
  const words = checkMessage(message);
  const waiting = await deps.spamRules.held.find(deps.db.read, { id });
  const [shown] = waiting ? await showHeld(deps, [waiting]) : [];
  await deps.db.transaction(async (tx) => {
    const held = await deps.spamRules.held.find(tx, { id });
    const author = held && (await deps.people.find({ id: held.personId }, tx));
    if (!held || !author)
      throw new KithError("not_found", "No such text is held.");
    if (decision === "approve") await approve(deps, tx, held, author);
    else await refuse(deps, tx, held, author, words, shown?.text ?? "");
    await deps.audit.recordAct(tx, {
      by,
      action: decision === "approve" ? "held_text.approve" : "held_text.refuse",
      target: String(id),
      details: `${held.kind} ${held.guid} (${held.rule})`,
    });
  });
}

async function approve(
  { spamRules, posts, comments }: HeldTextsDeps,
  tx: Tx,
  held: HeldText,
  author: Person,
): Promise<void> {
  if (author.state !== "active" || author.movedToId !== null)
    throw new KithError("conflict", "Its author is suspended or gone.");
  if (!(await spamRules.held.delete(tx, held.id)))
    throw new KithError("not_found", "It was decided meanwhile.");
  const isLocal = author.userId !== null;
  const isOut =
    held.kind === "post"
      ? await posts.release(tx, held.postId, held.audience, isLocal)
      : (await comments.release(tx, held, isLocal)) !== undefined;
  if (!isOut)
    throw new KithError("conflict", "Its author may not write there any more.");
}

async function refuse(
  deps: HeldTextsDeps,
  tx: Tx,
  held: HeldText,
  author: Person,
  message: string,
  excerpt: string,
): Promise<void> {
  if (!(await removeHeld(deps, tx, held)))
    throw new KithError("not_found", "It was decided meanwhile.");
  if (author.userId === null) return;
  const action = held.kind === "post" ? "remove_post" : "remove_comment";
  const personId = author.id;
  await deps.strikes.record(tx, { personId, action, message, excerpt });
}
