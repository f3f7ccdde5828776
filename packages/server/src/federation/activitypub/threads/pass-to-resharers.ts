import type { Activity } from "@kith/activitypub";
import type { Person } from "../../../features/people/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import type { InboundMessage } from "../../inbound/inbound-store.ts";
import { serverOf } from "../../outbound/outgoing.ts";
import { originOf } from "../authority/origins.ts";
import { forward, type Readers } from "./forward.ts";
import { documentToForward, type PassOnDeps } from "./pass-on.ts";

/** Reshares of one post for whose readers its changes are forwarded, newest first. */
const MAX_RESHARES = 50;

/**
 * Lists the reshares here of the sender's post that an activity changes or deletes. To be called
 * before the activity is applied: afterwards a deleted post is not found.
 */
export async function listResharesAbout(
  deps: Pick<PassOnDeps, "posts">,
  { type, actor, object }: Activity,
  sender: Person,
): Promise<readonly Post[]> {
  const uri = object?.id;
  const isAboutPost = type === "Delete" || type === "Update";
  if (!isAboutPost || uri === undefined || uri === actor) return [];
  const root = await deps.posts.find({ uri });
  if (!root?.public || root.personId !== sender.id) return [];
  return deps.posts.listResharesHere(root.guid, MAX_RESHARES);
}

/**
 * Forwards the edit or the deletion of a remote post to the readers of its reshares here, who
 * got the post by them: its author's server does not know these readers (ActivityPub §7.1.2).
 * @param reshares listed before the activity was applied
 */
export async function passToResharers(
  deps: PassOnDeps,
  message: InboundMessage,
  activity: Activity,
  sender: Person,
  reshares: readonly Post[],
): Promise<void> {
  if (reshares.length === 0) return;
  const document = await documentToForward(deps, message, activity, sender);
  if (document === undefined) return;
  const senderOrigin = originOf(message.sender ?? activity.actor);
  const people = await deps.people.listById(
    reshares.map(({ personId }) => personId),
  );
  const readers: Readers[] = [];
  for (const post of reshares) {
    const postAuthor = people.get(post.personId);
    if (!postAuthor) continue;
    const all = await deps.listRecipients({ post, postAuthor }, sender);
    const to = all.filter((person) => serverOf(person) !== senderOrigin);
    readers.push({ post, postAuthor, to });
  }
  await forward(deps, activity, document, readers);
}
