import type { Fact } from "../../../features/facts.ts";
import type {
  CommentId,
  LikeId,
  ParticipationId,
  PollVoteId,
  PostId,
} from "../../../features/ids.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import { findEventThread } from "../event-thread.ts";
import { isRootHere, type Outgoing } from "../outgoing.ts";
import type { LoadDeps } from "./deps.ts";
import {
  findLikedComment,
  findThread,
  listMentionedPeople,
  listParticipants,
} from "./find-thread.ts";
import { loadComment } from "./load-comment.ts";
import { loadPost } from "./load-post.ts";
import { loadProfile } from "./load-profile.ts";
import { loadPostRetraction, loadRetraction } from "./load-retraction.ts";

/**
 * Loads everything that is sent about a fact, once for all recipient servers: the renderers of both
 * protocols read nothing themselves.
 * @returns undefined where there is nothing to send, or where the object is gone by now
 */
export async function loadOutgoing(
  deps: LoadDeps,
  fact: Fact,
): Promise<Outgoing | undefined> {
  const by = await deps.people.find({ id: fact.by });
  // Nothing new is sent for a person who has left.
  if (!by || (by.state === "closed" && NEWS.has(fact.type))) return undefined;
  // For a suspended person, only the suspension and retractions are sent.
  if (by.state === "shut_out" && !SENT_FOR_SUSPENDED.has(fact.type))
    return undefined;
  switch (fact.type) {
    case "post.published":
      return loadPublishedPost(deps, by, fact.postId);
    case "post.changed":
      return loadChangedPost(deps, by, fact);
    case "comment.changed":
    case "comment.created": {
      const isEdit = fact.type === "comment.changed";
      return loadCreatedComment(deps, by, fact.commentId, isEdit);
    }
    case "like.created":
      return loadLike(deps, by, fact.likeId);
    case "post.retracted":
      return loadPostRetraction(deps, by, fact.guid);
    case "comment.retracted":
      return loadRetraction(deps, by, "Comment", fact);
    case "like.retracted":
      return loadRetraction(deps, by, "Like", fact);
    case "photo.retracted":
      return loadRetraction(deps, by, "Photo", fact);
    case "vote.retracted":
      return loadRetraction(deps, by, "Vote", fact);
    case "pin.changed":
      return loadPin(deps, by, fact);
    case "quote.changed":
      return loadQuoteChange(deps, by, fact.postId);
    case "poll.voted":
      return loadVote(deps, by, fact.voteId);
    case "contact.changed": {
      const recipient = await deps.people.find({ id: fact.personId });
      return recipient && { ...fact, kind: "contact", by, recipient };
    }
    case "profile.changed":
      return { kind: "profile", by, content: await loadProfile(deps, by) };
    case "person.blocked":
    case "person.unblocked": {
      const recipient = await deps.people.find({ id: fact.personId });
      const blocking = fact.type === "person.blocked";
      const { since } = fact;
      return recipient && { kind: "block", by, recipient, blocking, since };
    }
    case "participation.changed":
      return loadEventAnswer(deps, by, fact.participationId);
    // A changed event is sent with each of its posts, see below; a retracted one goes with its
    // posts. Answers to follows and guests are sent by ActivityPub alone, see `answer-follow.ts`
    // and `answer-join.ts`, and so are revoked quotes, see `revoke-quotes.ts`. Calendars are shared with people of this server alone.
    case "event.advanced":
    case "event.changed":
    case "event.retracted":
    case "poll.ended":
    case "post.received":
    case "quote.revoked":
    case "sharing.started":
    case "follow.answered":
    case "participation.replied":
    case "follow.refused":
    case "follow.requested":
    case "contact.moved":
    case "calendar.shared":
    case "calendar.unshared":
      return undefined;
  }
}

/** Loads the messages about a changed local event: one for each post that has it attached. */
export async function loadEventChanges(
  deps: LoadDeps,
  {
    by: personId,
    eventId,
  }: Extract<Fact, { type: "event.advanced" | "event.changed" }>,
): Promise<Outgoing[]> {
  const by = await deps.people.find({ id: personId });
  if (by?.userId == null || by.state !== "active") return [];
  const changes: Outgoing[] = [];
  for (const post of await deps.posts.listWithEvent(eventId, personId)) {
    const content = await loadPost(deps, post, by);
    const { event } = content;
    if (!event) continue;
    const place = { postId: post.id, commentId: null };
    const mentioned = await listMentionedPeople(deps, place);
    changes.push({ kind: "event_change", by, post, event, content, mentioned });
  }
  return changes;
}

/** Finds a local post whose author still has an account. */
export async function findOwnPost(
  { people, posts }: Pick<LoadDeps, "people" | "posts">,
  postId: PostId,
): Promise<{ post: Post; by: Person } | undefined> {
  const post = await posts.find({ id: postId });
  const by = post && (await people.find({ id: post.personId }));
  if (!post || by?.userId == null || by.state !== "active") return undefined;
  return { post, by };
}

const NEWS: ReadonlySet<Fact["type"]> = new Set([
  "post.published",
  "post.changed",
  "comment.changed",
  "comment.created",
  "like.created",
  "pin.changed",
  "profile.changed",
  "quote.changed",
]);

async function loadPublishedPost(
  deps: LoadDeps,
  by: Person,
  postId: PostId,
): Promise<Outgoing | undefined> {
  const { people, posts } = deps;
  const post = await posts.find({ id: postId });
  if (!post) return undefined;
  const [mentioned, content] = await Promise.all([
    listMentionedPeople(deps, { postId, commentId: null }),
    loadPost(deps, post, by),
  ]);
  const participants = await listParticipants(deps, post);
  const about = {
    ...{ by, post, content, mentioned },
    ...(participants && { participants }),
  };
  if (post.rootGuid === null) return { kind: "post", ...about, root: null };
  const rootPost = await posts.find({ guid: post.rootGuid });
  const author = rootPost && (await people.find({ id: rootPost.personId }));
  // A reshare without its root is not sent.
  if (!rootPost || !author) return undefined;
  return { kind: "post", ...about, root: { post: rootPost, author } };
}

async function loadChangedPost(
  deps: LoadDeps,
  by: Person,
  { postId, photoIds = [] }: Extract<Fact, { type: "post.changed" }>,
): Promise<Outgoing | undefined> {
  const post = await deps.posts.find({ id: postId });
  // A remote post is sent by its own server.
  if (!post || by.userId === null) return undefined;
  const content = await loadPost(deps, post, by);
  const photos = content.photos.filter(({ photo }) =>
    photoIds.includes(photo.id),
  );
  return { kind: "post_change", by, post, content, photos };
}

/** A pin of a limited post is shown here alone. */
async function loadPin(
  deps: LoadDeps,
  by: Person,
  { postId, isPinned, at }: Extract<Fact, { type: "pin.changed" }>,
): Promise<Outgoing | undefined> {
  const post = await deps.posts.find({ id: postId });
  if (!post?.public) return undefined;
  return { kind: "pin", by, post, isPinned, changedAt: at };
}

async function loadQuoteChange(
  deps: LoadDeps,
  by: Person,
  postId: PostId,
): Promise<Outgoing | undefined> {
  const post = await deps.posts.find({ id: postId });
  const quote = post && (await deps.quotes.find(postId));
  if (!quote || by.userId === null) return undefined;
  const { changedAt } = quote;
  const content = await loadPost(deps, post, by);
  return { kind: "quote_change", by, post, content, changedAt };
}

async function loadCreatedComment(
  deps: LoadDeps,
  by: Person,
  commentId: CommentId,
  isEdit: boolean,
): Promise<Outgoing | undefined> {
  const comment = await deps.comments.find({ id: commentId });
  const thread = comment && (await findThread(deps, comment.postId));
  if (!comment || !thread) return undefined;
  const [content, mentioned] = await Promise.all([
    loadComment(deps, comment, { post: thread.post, by }),
    listMentionedPeople(deps, { postId: comment.postId, commentId }),
  ]);
  const participants = await listParticipants(deps, thread.post);
  const about = {
    ...{ by, comment, isEdit, mentioned, ...content, ...thread },
    ...(participants && { participants }),
  };
  return { kind: "comment", ...about };
}

async function loadEventAnswer(
  deps: LoadDeps,
  by: Person,
  id: ParticipationId,
): Promise<Outgoing | undefined> {
  const answer = await deps.participations.find({ id });
  const event = answer && (await deps.events.find({ id: answer.eventId }));
  const thread = event && (await findEventThread(deps, event));
  if (!answer || !event || !thread) return undefined;
  // Others learn of a guest when the host has confirmed it.
  const isPending = answer.reply === "pending" && isRootHere(thread);
  if (isPending) return undefined;
  return { kind: "event_answer", by, answer, event, ...thread };
}

async function loadLike(
  deps: LoadDeps,
  by: Person,
  likeId: LikeId,
): Promise<Outgoing | undefined> {
  const like = await deps.likes.find({ id: likeId });
  const thread = like && (await findThread(deps, like.postId));
  if (!like || !thread) return undefined;
  const liked = await findLikedComment(deps, like.commentId);
  return { kind: "like", by, like, ...liked, ...thread };
}

async function loadVote(
  deps: LoadDeps,
  by: Person,
  voteId: PollVoteId,
): Promise<Outgoing | undefined> {
  const vote = await deps.polls.findVote({ id: voteId });
  const poll = vote && (await deps.polls.find({ id: vote.pollId }));
  const thread = poll && (await findThread(deps, poll.postId));
  if (!vote || !poll || !thread) return undefined;
  return { kind: "vote", by, vote, poll, ...thread };
}

const SENT_FOR_SUSPENDED: ReadonlySet<Fact["type"]> = new Set([
  "comment.retracted",
  "like.retracted",
  "photo.retracted",
  "post.retracted",
  "profile.changed",
  "vote.retracted",
]);
