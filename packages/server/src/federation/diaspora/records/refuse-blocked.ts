import { retractionTypeOf } from "@kith/diaspora";
import type { Person } from "../../../features/people/index.ts";
import { createDispatcher } from "../../outbound/dispatch.ts";
import { isRootHere, type Thread } from "../../outbound/outgoing.ts";
import { asSigner, dispatchEntity } from "./envelopes.ts";
import type { ReceiveContext } from "../authority/receive-context.ts";

/** A relayable of an author. */
type Relayable = {
  readonly type:
    "comment" | "event_participation" | "like" | "poll_participation";
  readonly guid: string;
};

/**
 * Refuses a relayable of a person whom the author of the post has blocked, and
 * retracts it in the name of that author, so that it is removed at its origin
 * (protocol section 9.6). The ignoring of pods is blocking here; ignored people
 * are not notified, since ignoring only hides.
 * @returns whether it is refused
 */
export async function refuseBlocked(
  context: ReceiveContext,
  { type, guid }: Relayable,
  author: Person,
  thread: Thread,
): Promise<boolean> {
  const { post, postAuthor } = thread;
  if (!isRootHere(thread)) return false;
  const blocked = await context.blocks.listBlockedAmong(postAuthor.id, [
    author.id,
  ]);
  if (blocked.length === 0) return false;
  const signer = asSigner(postAuthor);
  const targetType = retractionTypeOf(type);
  if (signer && targetType !== undefined) {
    const retraction = {
      type: "retraction",
      author: author.handle,
      targetGuid: guid,
      targetType,
    } as const;
    const to = { recipients: [author], isPublic: post.public };
    const dispatch = createDispatcher(context);
    const order = { about: `refused:${guid}` };
    const rendered = await dispatchEntity(context, retraction, signer, to);
    await dispatch(rendered.map((one) => ({ ...one, order })));
  }
  return true;
}
