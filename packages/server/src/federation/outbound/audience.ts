import type { Blocks } from "../../features/blocks/index.ts";
import type { Contacts } from "../../features/contacts/index.ts";
import type { PersonId } from "../../features/ids.ts";
import type { Participations } from "../../features/participations/index.ts";
import type { People, Person, Recipient } from "../../features/people/index.ts";
import type { Post, Posts } from "../../features/posts/index.ts";
import type { Texts } from "../../features/texts/index.ts";
import {
  isInConversation,
  isRootHere,
  serverOf,
  type Outgoing,
  type Thread,
} from "./outgoing.ts";

/** The features from which an audience is computed. */
export type AudienceDeps = {
  readonly blocks: Blocks;
  readonly contacts: Contacts;
  readonly participations: Participations;
  readonly people: People;
  readonly posts: Posts;
  readonly texts: Texts;
};

/** Lists the remote people who receive it. */
export async function listOutgoingRecipients(
  deps: AudienceDeps,
  outgoing: Outgoing,
): Promise<Recipient[]> {
  const ids = await listAdmittedIds(
    deps,
    await listAudienceIds(deps, outgoing),
    listOwners(outgoing),
  );
  const people = await deps.people.listRecipients(ids);
  // A person who moved to this server has an old server, which must be notified too.
  const mover = outgoing.kind === "move" ? outgoing.from.id : undefined;
  const knows = outgoing.kind === "thread_change" ? outgoing.from : undefined;
  return people.filter(
    (person) =>
      (person.state === "active" || person.id === mover) &&
      (knows === undefined || serverOf(person) !== knows),
  );
}

/** A post by its audience: published, or only planned. */
export type AddressedPost = {
  readonly by: Person;
  readonly public: boolean;
  /** The recipients of a limited post. */
  readonly recipients: readonly PersonId[];
  readonly mentioned: readonly PersonId[];
  /** For a reshare: the author of the root. */
  readonly rootAuthor: Person | null;
};

/** Lists the people who receive a post, here and on other servers. */
export async function listPostReaders(
  deps: AudienceDeps,
  post: AddressedPost,
): Promise<Person[]> {
  const ids = await listPostAudienceIds(deps, post);
  const admitted = await listAdmittedIds(deps, ids, ownersOf(post));
  const readers = await deps.people.listById(admitted);
  return [...readers.values()].filter(
    ({ id, state }) => state === "active" && id !== post.by.id,
  );
}

async function listPostAudienceIds(
  deps: AudienceDeps,
  { by, public: isPublic, recipients, mentioned, rootAuthor }: AddressedPost,
): Promise<PersonId[]> {
  if (!isPublic) return [...recipients];
  return [
    ...(await listContacts(deps, by)),
    ...mentioned,
    ...(rootAuthor ? [rootAuthor.id] : []),
  ];
}

function ownersOf({
  by,
  rootAuthor,
}: Pick<AddressedPost, "by" | "rootAuthor">): Person[] {
  return rootAuthor ? [by, rootAuthor] : [by];
}

/** Those whom no owner has blocked. */
async function listAdmittedIds(
  { blocks }: AudienceDeps,
  among: readonly PersonId[],
  owners: readonly Person[],
): Promise<ReadonlySet<PersonId>> {
  const ids = new Set(among);
  for (const { id } of owners)
    for (const blocked of await blocks.listBlockedAmong(id, [...ids]))
      ids.delete(blocked);
  return ids;
}

/**
 * The people whose blocks apply: a person blocked by one of them may not see the object and does
 * not receive it. A retraction goes to blocked people too: they may have a copy.
 */
function listOwners(outgoing: Outgoing): Person[] {
  switch (outgoing.kind) {
    case "post": {
      const { by, root } = outgoing;
      return ownersOf({ by, rootAuthor: root?.author ?? null });
    }
    case "event_change":
    case "pin":
    case "poll_change":
    case "post_change":
    case "quote_change":
    case "thread_change":
      return [outgoing.by];
    case "comment":
    case "event_answer":
    case "like":
    case "vote":
      // In a conversation everyone sends their own messages.
      return isInConversation(outgoing)
        ? [outgoing.by, outgoing.postAuthor]
        : [outgoing.postAuthor];
    case "block":
    case "comment_retraction":
    case "contact":
    case "departure":
    case "like_retraction":
    case "move":
    case "photo_retraction":
    case "post_retraction":
    case "profile":
    case "vote_retraction":
      return [];
  }
}

async function listAudienceIds(
  deps: AudienceDeps,
  outgoing: Outgoing,
): Promise<PersonId[]> {
  const { by } = outgoing;
  switch (outgoing.kind) {
    case "contact":
    case "block":
      return [outgoing.recipient.id];
    case "departure":
    case "move":
      return [...outgoing.audience];
    case "pin":
    case "profile":
      return listContacts(deps, by);
    case "post": {
      const { post, root, mentioned } = outgoing;
      return listPostAudienceIds(deps, {
        by,
        public: post.public,
        recipients: await deps.posts.listRecipientIds(post.id),
        mentioned: mentioned.map(({ id }) => id),
        rootAuthor: root?.author ?? null,
      });
    }
    case "poll_change":
    case "quote_change":
    case "thread_change":
      return listThoseWhoHave(deps, outgoing);
    case "post_change": {
      const { post } = outgoing;
      const having = await listThoseWhoHave(deps, outgoing);
      if (!post.public) return having;
      return [...having, ...(await deps.posts.listThoseBelow(post.id))];
    }
    case "event_change": {
      const { id } = outgoing.event;
      const coming = await deps.participations.listAttendingIds(id);
      const having = await listThoseWhoHave(deps, outgoing);
      // A change to a limited post goes only to the people who received the post.
      return outgoing.post.public ? [...having, ...coming] : having;
    }
    case "post_retraction": {
      const { details } = outgoing;
      const { rootPersonId, recipients, mentioned = [] } = details;
      if (!details.public) return [...recipients];
      return [
        ...(await listContacts(deps, by)),
        ...recipients,
        ...mentioned,
        ...(rootPersonId === null ? [] : [rootPersonId]),
      ];
    }
    case "comment":
      if (!isInConversation(outgoing))
        return listThreadAudience(deps, outgoing, by);
      // A message cannot be edited.
      return outgoing.isEdit
        ? []
        : listOthersInConversation(deps, outgoing, by);
    case "event_answer":
    case "like":
    case "photo_retraction":
    case "vote":
      return listThreadAudience(deps, outgoing, by);
    case "comment_retraction":
      // Other servers delete a message for its author alone.
      return isInConversation(outgoing)
        ? listOthersInConversation(deps, outgoing, outgoing.author)
        : listThreadAudience(deps, outgoing, by, outgoing.author);
    case "like_retraction":
    case "vote_retraction":
      return listThreadAudience(deps, outgoing, by, outgoing.author);
  }
}

/**
 * Lists the audience of an activity below a post. Where the root is local: everyone who received
 * the root, except on the server that the activity came from. Otherwise: the author of the root,
 * whose server forwards it.
 * @param author of the retracted object; is notified where another person retracts it
 */
export async function listThreadAudience(
  deps: AudienceDeps,
  thread: Thread,
  by: Person,
  author: Person = by,
): Promise<PersonId[]> {
  const { post, postAuthor } = thread;
  // Other activities than messages stay here.
  if (isInConversation(thread)) return [];
  if (!isRootHere(thread)) return by.userId === null ? [] : [postAuthor.id];
  const got = await listThoseWhoHave(deps, { post, by: postAuthor });
  const concerned = [...got, author.id];
  const origin = serverOf(by);
  if (origin === undefined) return concerned;
  const people = await deps.people.listById(concerned);
  return [...people.values()]
    .filter((person) => serverOf(person) !== origin)
    .map(({ id }) => id);
}

/**
 * A local person's message in a conversation goes to all other participants directly.
 */
async function listOthersInConversation(
  { posts }: AudienceDeps,
  { post, postAuthor }: Thread,
  by: Person,
): Promise<PersonId[]> {
  if (by.userId === null) return [];
  const others = [postAuthor.id, ...(await posts.listRecipientIds(post.id))];
  return others.filter((id) => id !== by.id);
}

/** Lists the people who received a post, or asked for updates of it. */
async function listThoseWhoHave(
  deps: AudienceDeps,
  { post, by }: { readonly post: Post; readonly by: Person },
): Promise<PersonId[]> {
  if (!post.public) return deps.posts.listRecipientIds(post.id);
  const place = { postId: post.id, commentId: null };
  return [
    ...(await listContacts(deps, by)),
    ...(await deps.posts.listFollowerIds(post.id, post.guid)),
    ...(await deps.texts.listEverMentioned(place)),
  ];
}

async function listContacts(
  { contacts }: AudienceDeps,
  { userId }: Person,
): Promise<PersonId[]> {
  return userId === null ? [] : contacts.listIds(userId);
}
