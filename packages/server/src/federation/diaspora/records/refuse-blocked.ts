import { retractionTypeOf } from "@kith/diaspora";
import type { Person } from "../../../features/people/index.ts";
import { createDispatcher } from "../../outbound/dispatch.ts";
import { isRootHere, type Thread } from "../../outbound/outgoing.ts";
import { asSigner, dispatchEntity } from "./envelopes.ts";
import type { ReceiveContext } from "../receive/receive-context.ts";

/** What came from somebody. */
type Relayable = {
  readonly type:
    "comment" | "event_participation" | "like" | "poll_participation";
  readonly guid: string;
};

/**
 * What somebody says whom the author of the post has blocked is not taken, and
 * the author of the post takes it back, so that it does not stay where it was
 * written (protocol section 9.6). What pods call to ignore is to block here; who
 * is ignored here is not told, since ignoring only hides.
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
