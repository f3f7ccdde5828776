import type { Activity } from "@kith/activitypub";
import type { Person } from "../../../features/people/index.ts";
import type { Immediate } from "../../inbound/inbound.ts";
import { isSharedHere } from "../threads/forward-queries.ts";
import type { ReceiveNoteDeps } from "../notes/receive-note.ts";

/** Reads the Delete of a post without an event, sent by its author. */
export async function readImmediateDelete(
  deps: ReceiveNoteDeps,
  { object, actor }: Activity,
  sender: Person,
): Promise<Immediate | undefined> {
  const uri = object?.id;
  if (uri === undefined || uri === actor || deps.uris.isLocal(uri))
    return undefined;
  const post = await deps.posts.find({ uri });
  if (post?.personId !== sender.id || post.eventId !== null) return undefined;
  // The worker forwards it to the readers of reshares and quotes here.
  if (await isSharedHere(deps.db.read, post.guid)) return undefined;
  // It may be the authorization of a quote as well.
  if ((await deps.quotes.listByAuthorization(uri, 1)).length > 0)
    return undefined;
  return {
    senderId: sender.id,
    names: [post.guid, uri],
    execute: (tx) => deps.posts.receiveRetraction({ uri }, sender.id, tx),
  };
}
