import type { Accounts } from "../../../features/accounts/index.ts";
import type { Comment, Comments } from "../../../features/comments/index.ts";
import type { Events } from "../../../features/events/index.ts";
import type { Fact } from "../../../features/facts.ts";
import type {
  CommentId,
  LikeId,
  ParticipationId,
  PersonId,
  PollVoteId,
  PostId,
} from "../../../features/ids.ts";
import type { Likes } from "../../../features/likes/index.ts";
import type { Participations } from "../../../features/participations/index.ts";
import type { People, Person } from "../../../features/people/index.ts";
import type { Photos } from "../../../features/photos/index.ts";
import type { Polls } from "../../../features/polls/index.ts";
import type { Posts } from "../../../features/posts/index.ts";
import type { Quotes } from "../../../features/quotes/index.ts";
import type {
  RetractedKind,
  Retractions,
} from "../../../features/retractions/index.ts";
import { loadAttachments } from "./load-post.ts";
import { findEventThread } from "../event-thread.ts";
import type { TextPlace, Texts } from "../../../features/texts/index.ts";
import type { Outgoing, Thread } from "../outgoing.ts";

/** What there is to read about facts. */
export type DescribeDeps = {
  readonly accounts: Accounts;
  readonly people: People;
  readonly posts: Posts;
  readonly quotes: Quotes;
  readonly comments: Comments;
  readonly likes: Likes;
  readonly events: Events;
  readonly photos: Photos;
  readonly polls: Polls;
  readonly participations: Participations;
  readonly retractions: Retractions;
  readonly texts: Texts;
};

/**
 * Reads everything that there is to tell about a fact.
 * @returns undefined where there is nothing to tell, or where it is gone by now
 */
export async function findOutgoing(
  deps: DescribeDeps,
  fact: Fact,
): Promise<Outgoing | undefined> {
  const by = await deps.people.find({ id: fact.by });
  // Of somebody who has left nothing new is told.
  if (!by || (by.state === "closed" && NEWS.has(fact.type))) return undefined;
  // Of somebody who is suspended that it is, and what is taken back.
  if (by.state === "shut_out" && !TOLD_OF_SUSPENDED.has(fact.type))
    return undefined;
  switch (fact.type) {
    case "post.published":
      return describePost(deps, by, fact.postId);
    case "comment.changed":
    case "comment.created":
      return describeComment(deps, by, fact.commentId);
    case "like.created":
      return describeLike(deps, by, fact.likeId);
    case "post.retracted":
      return describePostRetraction(deps, by, fact.guid);
    case "comment.retracted":
      return describeRetraction(deps, by, "Comment", fact);
    case "like.retracted":
      return describeRetraction(deps, by, "Like", fact);
    case "photo.retracted":
      return describeRetraction(deps, by, "Photo", fact);
    case "vote.retracted":
      return describeRetraction(deps, by, "PollParticipation", fact);
    case "quote.changed":
      return describeQuote(deps, by, fact.postId);
    case "poll.voted":
      return describeVote(deps, by, fact.voteId);
    case "contact.changed": {
      const recipient = await deps.people.find({ id: fact.personId });
      return recipient && { ...fact, kind: "contact", by, recipient };
    }
    case "profile.changed":
      return { kind: "profile", by };
    case "person.blocked":
    case "person.unblocked": {
      const recipient = await deps.people.find({ id: fact.personId });
      const blocking = fact.type === "person.blocked";
      const { since } = fact;
      return recipient && { kind: "block", by, recipient, blocking, since };
    }
    case "participation.changed":
      return describeAnswer(deps, by, fact.participationId);
    // A changed event has as many posts as it was told with: see below; a retracted one goes with its posts.
    case "event.changed":
    case "event.retracted":
    case "post.received":
    case "sharing.started":
    case "follow.refused":
    case "contact.moved":
      return undefined;
  }
}

/** What there is to tell of an event of ours that was changed: each post that carries it says it anew. */
export async function listEventChanges(
  deps: DescribeDeps,
  { by: personId, eventId }: Extract<Fact, { type: "event.changed" }>,
): Promise<Outgoing[]> {
  const by = await deps.people.find({ id: personId });
  if (by?.userId == null || by.state !== "active") return [];
  const changes: Outgoing[] = [];
  for (const post of await deps.posts.listCarrying(eventId, personId)) {
    const carried = await loadAttachments(deps, post, by);
    const { event } = carried;
    if (!event) continue;
    const place = { postId: post.id, commentId: null };
    const mentioned = await listMentioned(deps, place);
    changes.push({
      kind: "event_change",
      by,
      post,
      event,
      carried,
      mentioned,
    });
  }
  return changes;
}

/** What there is to tell of a poll of ours in which somebody voted, or which is over. */
export async function findPollChange(
  { people, posts }: DescribeDeps,
  postId: PostId,
): Promise<Extract<Outgoing, { kind: "poll_change" }> | undefined> {
  const post = await posts.find({ id: postId });
  const by = post && (await people.find({ id: post.personId }));
  if (!post || by?.userId == null || by.state !== "active") return undefined;
  return { kind: "poll_change", by, post };
}

const NEWS: ReadonlySet<Fact["type"]> = new Set([
  "post.published",
  "comment.changed",
  "comment.created",
  "like.created",
  "profile.changed",
  "quote.changed",
]);

async function describePost(
  deps: DescribeDeps,
  by: Person,
  postId: PostId,
): Promise<Outgoing | undefined> {
  const { people, posts } = deps;
  const post = await posts.find({ id: postId });
  if (!post) return undefined;
  const mentioned = await listMentioned(deps, { postId, commentId: null });
  const carried = await loadAttachments(deps, post, by);
  const about = { by, post, carried, mentioned };
  if (post.rootGuid === null) return { kind: "post", ...about, root: null };
  const rootPost = await posts.find({ guid: post.rootGuid });
  const author = rootPost && (await people.find({ id: rootPost.personId }));
  // A reshare of nothing tells nobody anything.
  if (!rootPost || !author) return undefined;
  return {
    kind: "post",
    ...about,
    root: { post: rootPost, author },
  };
}

async function describeQuote(
  { posts, quotes }: DescribeDeps,
  by: Person,
  postId: PostId,
): Promise<Outgoing | undefined> {
  const post = await posts.find({ id: postId });
  const quote = post && (await quotes.find(postId));
  if (!quote || by.userId === null) return undefined;
  return { kind: "quote_change", by, post, changedAt: quote.changedAt };
}

async function describeComment(
  deps: DescribeDeps,
  by: Person,
  commentId: CommentId,
): Promise<Outgoing | undefined> {
  const comment = await deps.comments.find({ id: commentId });
  const thread = comment && (await findThread(deps, comment.postId));
  if (!comment || !thread) return undefined;
  const parent =
    comment.parentGuid === null
      ? undefined
      : await deps.comments.find({ guid: comment.parentGuid });
  const place = { postId: comment.postId, commentId };
  const mentioned = await listMentioned(deps, place);
  const about = { by, comment, parent: parent ?? null, mentioned };
  return { kind: "comment", ...about, ...thread };
}

async function describeAnswer(
  deps: DescribeDeps,
  by: Person,
  id: ParticipationId,
): Promise<Outgoing | undefined> {
  const answer = await deps.participations.find({ id });
  const event = answer && (await deps.events.find({ id: answer.eventId }));
  const thread = event && (await findEventThread(deps, event));
  if (!answer || !event || !thread) return undefined;
  return { kind: "event_answer", by, answer, event, ...thread };
}

async function describeLike(
  deps: DescribeDeps,
  by: Person,
  likeId: LikeId,
): Promise<Outgoing | undefined> {
  const like = await deps.likes.find({ id: likeId });
  const thread = like && (await findThread(deps, like.postId));
  if (!like || !thread) return undefined;
  const comment = await findComment(deps, like.commentId);
  return { kind: "like", by, like, comment, ...thread };
}

async function describeVote(
  deps: DescribeDeps,
  by: Person,
  voteId: PollVoteId,
): Promise<Outgoing | undefined> {
  const vote = await deps.polls.findVote({ id: voteId });
  const poll = vote && (await deps.polls.find({ id: vote.pollId }));
  const thread = poll && (await findThread(deps, poll.postId));
  if (!vote || !poll || !thread) return undefined;
  return { kind: "vote", by, vote, poll, ...thread };
}

async function describePostRetraction(
  { retractions }: DescribeDeps,
  by: Person,
  guid: string,
): Promise<Outgoing | undefined> {
  // Others' posts are retracted by their own servers.
  if (by.userId === null) return undefined;
  const thing = { kind: "Post", guid, personId: by.id } as const;
  const retraction = await retractions.find(thing);
  if (retraction?.details.kind !== "Post") return undefined;
  return { kind: "post_retraction", by, guid, details: retraction.details };
}

async function describeRetraction(
  deps: DescribeDeps,
  by: Person,
  kind: Exclude<RetractedKind, "EventParticipation" | "Post">,
  { guid, authorId = by.id }: { guid: string; authorId?: PersonId },
): Promise<Outgoing | undefined> {
  const thing = { kind, guid, personId: authorId };
  const retraction = await deps.retractions.find(thing);
  const details = retraction?.details;
  if (!details || !("postId" in details) || details.postId === null)
    return undefined;
  const author = await deps.people.find({ id: retraction.personId });
  const thread = await findThread(deps, details.postId);
  // With the post gone there is nobody left who shows what hung on it.
  if (!author || !thread) return undefined;
  if (details.kind === "Comment") {
    const { uri } = retraction;
    const named = await deps.people.listById(details.mentioned ?? []);
    const mentioned = [...named.values()];
    const about = { by, author, guid, uri, mentioned };
    return { kind: "comment_retraction", ...about, ...thread };
  }
  if (details.kind === "PollParticipation")
    return { kind: "vote_retraction", by, author, guid, ...thread };
  // What others hung on their posts, their own servers take back.
  if (details.kind === "Photo")
    return by.userId === null
      ? undefined
      : { kind: "photo_retraction", by, guid, ...thread };
  const { positive } = details;
  const comment = await findComment(deps, details.commentId);
  const about = { by, author, guid, positive, comment };
  return { kind: "like_retraction", ...about, ...thread };
}

async function findThread(
  { people, posts }: DescribeDeps,
  postId: PostId,
): Promise<Thread | undefined> {
  const post = await posts.find({ id: postId });
  const postAuthor = post && (await people.find({ id: post.personId }));
  return post && postAuthor && { post, postAuthor };
}

async function findComment(
  { comments }: DescribeDeps,
  id: CommentId | null,
): Promise<Comment | null> {
  return id === null ? null : ((await comments.find({ id })) ?? null);
}

/** The people whom a text names and who were known here when it was stored. */
async function listMentioned(
  { people, texts }: DescribeDeps,
  place: TextPlace,
): Promise<Person[]> {
  const found = await people.listById(await texts.listMentioned(place));
  return [...found.values()];
}

const TOLD_OF_SUSPENDED: ReadonlySet<Fact["type"]> = new Set([
  "comment.retracted",
  "like.retracted",
  "photo.retracted",
  "post.retracted",
  "profile.changed",
  "vote.retracted",
]);
