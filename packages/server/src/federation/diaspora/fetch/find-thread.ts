import type {
  Comment as CommentEntity,
  Like as LikeEntity,
  PollParticipation,
} from "@kith/diaspora";
import type { Reader } from "../../../db/db.ts";
import type { Comment } from "../../../features/comments/index.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Thread } from "../../outbound/outgoing.ts";
import {
  causeOf,
  findOrDiscover,
  unlessClaimed,
  type Arrival,
  type ReceiveContext,
  type Wanted,
} from "../authority/receive-context.ts";
import { hostOf } from "../render/wire-values.ts";

type RelayableEntity = CommentEntity | LikeEntity | PollParticipation;

/** The target of a comment, like or vote. */
export type Target = Thread & {
  /** The liked comment; null for the post itself. */
  readonly comment: Comment | null;
};

/** Finds the target, fetching it if it is public and missing. */
export async function findOrFetchTarget(
  context: ReceiveContext,
  entity: RelayableEntity,
  arrival: Arrival,
): Promise<Target | undefined> {
  const { sender, depth } = arrival;
  const known = await findTarget(context, entity);
  if (known) return known;
  const type = typeOfTarget(entity);
  for (const from of await listSources(context, entity, sender)) {
    const wanted: Wanted = {
      type,
      guid: entity.parentGuid,
      from,
      depth,
      cause: causeOf(arrival),
    };
    await context.fetchRemote(wanted);
    const found = await findTarget(context, entity);
    if (found) return found;
  }
  return undefined;
}

/** Finds a stored target. */
export async function findTarget(
  context: ReceiveContext,
  entity: RelayableEntity,
  reader?: Reader,
): Promise<Target | undefined> {
  const { posts, comments, people } = context;
  const guid = entity.parentGuid;
  if (entity.type === "poll_participation")
    return findPoll(context, guid, reader);
  const about = isAboutComment(entity);
  const comment = about ? await comments.find({ guid }, reader) : undefined;
  if (about && !comment) return undefined;
  const key = comment ? { id: comment.postId } : { guid };
  const found = await posts.find(key, reader);
  const post = await unlessClaimed(context, found, reader);
  const postAuthor = post && (await people.find({ id: post.personId }, reader));
  return post && postAuthor && { post, postAuthor, comment: comment ?? null };
}

async function findPoll(
  { polls, posts, people }: ReceiveContext,
  guid: string,
  reader: Reader | undefined,
): Promise<Target | undefined> {
  const poll = await polls.find({ guid }, reader);
  const post = poll && (await posts.find({ id: poll.postId }, reader));
  const postAuthor = post && (await people.find({ id: post.personId }, reader));
  return post && postAuthor && { post, postAuthor, comment: null };
}

function typeOfTarget(entity: RelayableEntity): Wanted["type"] {
  if (entity.type === "poll_participation") return "poll";
  return isAboutComment(entity) ? "comment" : "post";
}

function isAboutComment(entity: RelayableEntity): boolean {
  return entity.type === "like" && entity.parentType === "Comment";
}

/**
 * A pod asks the author's server, which redirects to the right one; the
 * sender's has it, too.
 */
async function listSources(
  context: ReceiveContext,
  entity: RelayableEntity,
  sender: Person,
): Promise<Person[]> {
  if (entity.author === sender.handle) return [sender];
  const author = await findOrDiscover(
    context,
    entity.author,
    hostOf(sender.handle),
  );
  return author ? [author, sender] : [sender];
}
