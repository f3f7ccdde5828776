import type { Activity } from "@kith/activitypub";
import type { Person } from "../../../features/people/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import type { InboundMessage } from "../../inbound/inbound-store.ts";
import { serverOf } from "../../outbound/outgoing.ts";
import { originOf } from "../authority/origins.ts";
import { forward, type Readers } from "./forward.ts";
import { isSharedHere } from "./forward-queries.ts";
import { documentToForward, type PassOnDeps } from "./pass-on.ts";

/** Reshares, and as many quoting posts, for whose readers changes are forwarded, the newest. */
const MAX_SHARING = 50;

type SharingDeps = Pick<PassOnDeps, "db" | "posts" | "quotes">;

/**
 * Lists the public posts here that reshare or quote the sender's post that an activity changes or
 * deletes; for a deleted account, the newest reshare of any of its posts by each person here.
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
      ? deps.posts.listResharersHere(sender.id, MAX_SHARING)
      : [];
  const shared = await deps.posts.find({ uri });
  if (!shared?.public || shared.personId !== sender.id) return [];
  return (await isSharedHere(deps.db.read, shared.guid))
    ? listSharingPost(deps, shared)
    : [];
}

async function listSharingPost(
  { posts, quotes }: SharingDeps,
  { guid }: Post,
): Promise<Post[]> {
  const quoting = (await quotes.listHere(guid)).slice(-MAX_SHARING);
  const shown = await posts.listById(
    quoting.map(({ postId }) => postId),
    null,
  );
  return [...(await posts.listResharesHere(guid, MAX_SHARING)), ...shown];
}

/**
 * Forwards the edit or the deletion of a remote post to the readers of its reshares and quotes
 * here, who got the post by them: its author's server does not know these readers
 * (ActivityPub §7.1.2). To be called before the activity is applied: afterwards neither a deleted
 * post is found, nor the key of a deleted account, so that a crash in between would lose it.
 */
export async function passToReaders(
  deps: PassOnDeps,
  message: InboundMessage,
  activity: Activity,
  sender: Person,
): Promise<void> {
  const sharing = await listSharing(deps, activity, sender);
  if (sharing.length === 0) return;
  const document = await documentToForward(deps, message, activity, sender);
  if (document === undefined) return;
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
