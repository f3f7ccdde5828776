import type { Activity } from "@kith/activitypub";
import type { Person } from "../../../features/people/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import type { InboundMessage } from "../../inbound/inbound-store.ts";
import { serverOf } from "../../outbound/outgoing.ts";
import { originOf } from "../authority/origins.ts";
import { forward, type Readers } from "./forward.ts";
import { documentToForward, type PassOnDeps } from "./pass-on.ts";

/** Reshares, and as many quoting posts, for whose readers changes are forwarded, the newest. */
const MAX_SHARING = 50;

type SharingDeps = Pick<PassOnDeps, "posts" | "quotes">;

/** An activity about a remote post, and the posts here that share it. */
export type SharedChange = {
  readonly document: string;
  readonly sharing: readonly Post[];
};

/**
 * Finds the posts here for whose readers an activity is forwarded. To be called before it is
 * applied: afterwards neither a deleted post is found, nor the key of a deleted account.
 */
export async function findSharedChange(
  deps: PassOnDeps,
  message: InboundMessage,
  activity: Activity,
  sender: Person,
): Promise<SharedChange | undefined> {
  const sharing = await listSharing(deps, activity, sender);
  if (sharing.length === 0) return undefined;
  const document = await documentToForward(deps, message, activity, sender);
  return document === undefined ? undefined : { document, sharing };
}

/**
 * Lists the public posts here that reshare or quote the sender's post that an activity changes or
 * deletes, and for a deleted account the reshares of all its posts.
 */
async function listSharing(
  deps: SharingDeps,
  { type, actor, object }: Activity,
  sender: Person,
): Promise<readonly Post[]> {
  const uri = object?.id;
  const isChange = type === "Delete" || type === "Update";
  if (!isChange || uri === undefined) return [];
  if (uri === actor)
    return type === "Delete"
      ? deps.posts.listResharesHere({ personId: sender.id }, MAX_SHARING)
      : [];
  const shared = await deps.posts.find({ uri });
  if (!shared?.public || shared.personId !== sender.id) return [];
  return listSharingPost(deps, shared, MAX_SHARING);
}

/** Lists the newest public posts here that reshare or quote this one, up to `limit` of each. */
export async function listSharingPost(
  { posts, quotes }: SharingDeps,
  { guid }: Post,
  limit: number,
): Promise<Post[]> {
  const quoting = (await quotes.listHere(guid)).slice(-limit);
  const shown = await posts.listById(
    quoting.map(({ postId }) => postId),
    null,
  );
  return [...(await posts.listResharesHere({ guid }, limit)), ...shown];
}

/**
 * Forwards the edit or the deletion of a remote post to the readers of its reshares and quotes
 * here, who got the post by them: its author's server does not know these readers
 * (ActivityPub §7.1.2).
 */
export async function passToReaders(
  deps: PassOnDeps,
  message: InboundMessage,
  activity: Activity,
  sender: Person,
  { document, sharing }: SharedChange,
): Promise<void> {
  const senderOrigin = originOf(message.sender ?? activity.actor);
  const people = await deps.people.listById(
    sharing.map(({ personId }) => personId),
  );
  const readers: Readers[] = [];
  for (const post of sharing) {
    const postAuthor = people.get(post.personId);
    if (!postAuthor) continue;
    const all = await deps.listRecipients({ post, postAuthor }, sender);
    const to = all.filter((person) => serverOf(person) !== senderOrigin);
    readers.push({ post, postAuthor, to });
  }
  await forward(deps, activity, document, readers);
}
