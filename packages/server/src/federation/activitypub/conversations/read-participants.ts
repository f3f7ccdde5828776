import { readAudience, type Note } from "@kith/activitypub";
import { MAX_PARTICIPANTS } from "../../../features/conversations/index.ts";
import type { PersonId } from "../../../features/ids.ts";
import type { People, Person } from "../../../features/people/index.ts";
import type { Post, Posts } from "../../../features/posts/index.ts";

/** Of its own, a list of participants has no separators in their ids. */
const asListed = (uri: string) => uri.replaceAll(";", "%3B");

/**
 * The actor ids of those who take part in a private conversation that this Note begins, sorted;
 * null where it is another post. As for Mastodon it is addressed to actors alone, and all of them
 * are tagged. Between servers with Guids, which tag readers of limited posts too, only the
 * declaration counts. See protocol section 6.2.
 */
export function readParticipants(note: Note, author: Person): string[] | null {
  const { actorUri, followersUri } = author.addresses;
  if (note.type !== "Note" || actorUri === null) return null;
  const { to, cc } = note;
  const { scope } = readAudience(to, cc, followersUri ?? undefined);
  if (scope !== "direct") return null;
  const others = new Set([...to, ...cc].filter((uri) => uri !== actorUri));
  if (others.size === 0 || others.size >= MAX_PARTICIPANTS) return null;
  const tagged = new Set(
    note.tags.flatMap((tag) =>
      tag.type === "Mention" ? (tag.href ?? []) : [],
    ),
  );
  const isTagged = [...others].every((uri) => tagged.has(uri));
  const isDirect = note.direct || (note.guid === undefined && isTagged);
  return isDirect ? [actorUri, ...others].map(asListed).sort() : null;
}

/** Does the conversation name this actor? */
export function namesParticipant(
  { participants }: Post,
  { addresses: { actorUri } }: Person,
): boolean {
  return (
    actorUri !== null && participants?.includes(asListed(actorUri)) === true
  );
}

/**
 * Is an answer addressed to the same people of this server as its conversation? Else it is another
 * conversation: fewer people must not become more, and new ones did not get what was said before.
 */
export async function isForSamePeople(
  { people, posts }: { readonly people: People; readonly posts: Posts },
  post: Post,
  { to, cc }: Note,
  addressed: readonly PersonId[],
): Promise<boolean> {
  // Without any address its audience is that of its parent.
  if (to.length + cc.length === 0) return true;
  const ids = [post.personId, ...(await posts.listRecipientIds(post.id))];
  const found = await people.listById(ids);
  const local = [...found.values()]
    .filter(({ userId, state }) => userId !== null && state === "active")
    .map(({ id }) => id);
  const named = new Set(addressed);
  return (
    local.every((id) => named.has(id)) &&
    addressed.every((id) => local.includes(id))
  );
}
