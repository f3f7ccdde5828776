import type {
  NotificationReason,
  ShareableType,
} from "../../db/schema/columns/notification.ts";
import type { Calendars } from "../calendars/index.ts";
import type { Comment, Comments } from "../comments/index.ts";
import type { Contacts } from "../contacts/index.ts";
import type { Conversations } from "../conversations/index.ts";
import type { Events } from "../events/index.ts";
import type { Fact } from "../facts.ts";
import type { CommentId, LikeId, PersonId, PostId, UserId } from "../ids.ts";
import type { Likes } from "../likes/index.ts";
import type { Participations } from "../participations/index.ts";
import type { People } from "../people/index.ts";
import type { Polls } from "../polls/index.ts";
import type { Post, Posts } from "../posts/index.ts";
import type { Quotes } from "../quotes/index.ts";
import type { Retractions } from "../retractions/index.ts";
import { forgetUnshared, listShareNotices } from "./calendar-notices.ts";
import {
  listAnswerNotices,
  listCancellationNotices,
  listChangeNotices,
  listEventInvitations,
  listReplyNotices,
} from "./event-notices.ts";
import {
  findAnswered,
  findQuoted,
  listEditNotices,
  listPollNotices,
  type PostNotice,
} from "./post-notices.ts";
import type { TextPlace, Texts } from "../texts/index.ts";
import type { Threads } from "../threads/index.ts";
import {
  deleteNotificationsOf,
  deleteReshareNotifications,
  type NewNotification,
} from "./notification-store.ts";
import {
  storeNotification,
  type StoreNotificationDeps,
} from "./store-notification.ts";

export type NotifyDeps = StoreNotificationDeps & {
  readonly calendars: Pick<Calendars, "findShared" | "findShareReaders">;
  readonly people: People;
  readonly polls: Pick<Polls, "find" | "listVoterIds">;
  readonly posts: Posts;
  readonly quotes: Pick<Quotes, "find" | "listHere">;
  readonly comments: Comments;
  readonly contacts: Pick<Contacts, "listNotifiedOf" | "requests">;
  readonly conversations: Pick<Conversations, "listUsersWithout">;
  readonly likes: Likes;
  readonly events: Events;
  readonly participations: Participations;
  readonly retractions: Retractions;
  readonly texts: Texts;
  readonly threads: Pick<Threads, "listMuted">;
};

type Thing = {
  readonly type: ShareableType;
  readonly guid: string;
  /** The post itself, or the post it belongs to: only users who may see it are notified. */
  readonly postId?: PostId;
  /** For a reshare: the reshared post. */
  readonly rootId?: PostId | undefined;
  /** Of an event that is gone. */
  readonly name?: string | undefined;
};

/**
 * Notifies local users of a fact. Idempotent: runs after the fact, possibly twice, and
 * skips notifications that exist already and things deleted by now.
 */
export async function notify(deps: NotifyDeps, fact: Fact): Promise<void> {
  switch (fact.type) {
    case "post.published":
    case "post.received":
      return notifyOfPost(deps, fact.postId);
    case "post.changed":
      return notifyOfPostEdit(deps, fact.postId);
    case "comment.created":
      return notifyOfComment(deps, fact.commentId);
    case "comment.changed":
      return notifyOfCommentEdit(deps, fact.commentId);
    case "like.created":
      return notifyOfLike(deps, fact.likeId);
    case "sharing.started":
      return notifyOfContact(deps, fact.userId, fact.by);
    case "follow.requested":
      return notifyOfRequest(deps, fact.userId, fact.by);
    case "follow.refused": {
      const thing: Thing = { type: "Refusal", guid: fact.requestGuid };
      return notifyOne(deps, fact.userId, "follow_refused", fact.by, thing);
    }
    case "contact.moved":
      return notifyOfMove(deps, fact);
    case "post.retracted":
      return forget(deps, "Post", fact.guid, fact.by);
    case "comment.retracted":
      return forget(deps, "Comment", fact.guid, fact.authorId);
    case "like.retracted":
      return forget(deps, "Like", fact.guid, fact.authorId);
    case "event.changed":
      return notifyAll(deps, await listChangeNotices(deps, fact.eventId));
    case "participation.changed":
      return notifyAll(
        deps,
        await listAnswerNotices(deps, fact.participationId),
      );
    case "participation.replied":
      return notifyAll(
        deps,
        await listReplyNotices(deps, fact.participationId),
      );
    case "event.retracted":
      await deps.db.transaction((tx) =>
        deleteNotificationsOf(tx, ["Event"], [fact.guid]),
      );
      return notifyAll(deps, await listCancellationNotices(deps, fact));
    case "calendar.shared":
      for (const { userId, thing } of await listShareNotices(deps, fact))
        await notifyOne(deps, userId, "calendar_shared", fact.by, thing);
      return;
    case "calendar.unshared":
      return forgetUnshared(deps, fact.guid);
    case "poll.ended": {
      const post = await deps.posts.find({ id: fact.postId });
      return post && notifyAll(deps, await listPollNotices(deps, post));
    }
    case "event.advanced":
    case "pin.changed":
    case "poll.voted":
    case "vote.retracted":
    case "photo.retracted":
    case "quote.changed":
    case "quote.revoked":
    case "contact.changed":
    case "follow.answered":
    case "profile.changed":
    case "person.blocked":
    case "person.unblocked":
      return;
  }
}

async function notifyOfPost(deps: NotifyDeps, postId: PostId): Promise<void> {
  const { people, posts } = deps;
  const post = await posts.find({ id: postId });
  if (!post) return;
  if (post.participants !== null) return notifyOfMessage(deps, post);
  const invitations = await listEventInvitations(deps, post);
  // The invitation to the event replaces notifications of its post.
  const thing: Thing = { type: "Post", guid: post.guid, postId };
  if (invitations) {
    await notifyAll(deps, invitations);
    const invited = new Set(invitations.map(({ userId }) => userId));
    return notifyFollowers(deps, post, thing, invited);
  }
  if (post.rootPersonId !== null) {
    const rootAuthor = await people.find({ id: post.rootPersonId });
    const root = await posts.find({ guid: post.rootGuid ?? "" });
    await notifyOne(deps, rootAuthor?.userId, "reshare", post.personId, {
      ...thing,
      rootId: root?.id,
    });
  }
  await notifyOne(
    deps,
    await findQuoted(deps, postId),
    "quote",
    post.personId,
    thing,
  );
  const place = { postId, commentId: null };
  await notifyMentioned(deps, place, post.personId, thing);
  if (post.rootGuid === null) await notifyFollowers(deps, post, thing);
}

const MINUTE_MS = 60_000;
/** A post that comes later is not news. */
const NEWS_FOR_MS = 2 * 24 * 60 * MINUTE_MS;

/**
 * Notifies the users who want to be of each post of its author, after those whom it mentions:
 * one notification per thing. Not of what was written before they chose so, such as the old
 * posts of somebody who is new here; clocks of servers may differ by a minute.
 */
async function notifyFollowers(
  deps: NotifyDeps,
  { createdAt, language, personId }: Post,
  thing: Thing,
  except?: ReadonlySet<UserId>,
): Promise<void> {
  const written = Date.parse(createdAt);
  if (written < deps.clock.now().getTime() - NEWS_FOR_MS) return;
  const wanting = await deps.contacts.listNotifiedOf(personId, language);
  for (const { updatedAt, userId } of wanting) {
    if (except?.has(userId)) continue;
    if (written < Date.parse(updatedAt) - MINUTE_MS) continue;
    await notifyOne(deps, userId, "post", personId, thing);
  }
}

/** Of mentions only people whom no earlier version named: one notification per thing. */
async function notifyOfPostEdit(
  deps: NotifyDeps,
  postId: PostId,
): Promise<void> {
  const post = await deps.posts.find({ id: postId });
  if (!post || (await listEventInvitations(deps, post))) return;
  const thing: Thing = { type: "Post", guid: post.guid, postId };
  const place = { postId, commentId: null };
  await notifyMentioned(deps, place, post.personId, thing);
  await notifyAll(deps, await listEditNotices(deps, post));
}

async function notifyOfCommentEdit(
  deps: NotifyDeps,
  commentId: CommentId,
): Promise<void> {
  const comment = await deps.comments.find({ id: commentId });
  if (!comment) return;
  const { guid, personId, postId } = comment;
  const thing: Thing = { type: "Comment", guid, postId };
  await notifyMentioned(deps, { postId, commentId }, personId, thing);
}

async function notifyOfComment(
  deps: NotifyDeps,
  commentId: CommentId,
): Promise<void> {
  const { people, posts, comments } = deps;
  const comment = await comments.find({ id: commentId });
  const post = comment && (await posts.find({ id: comment.postId }));
  if (!comment || !post) return;
  if (post.participants !== null) return notifyOfMessage(deps, post, comment);
  const { personId, postId } = comment;
  const thing: Thing = { type: "Comment", guid: comment.guid, postId };
  const author = await people.find({ id: post.personId });
  await notifyOne(deps, author?.userId, "comment", personId, thing);
  await notifyOne(
    deps,
    await findAnswered(deps, comment),
    "comment",
    personId,
    thing,
  );
  await notifyMentioned(deps, { postId, commentId }, personId, thing);
}

/** Notifies the participants who have not read the message. */
async function notifyOfMessage(
  deps: NotifyDeps,
  { id: postId, guid, personId: starterId }: Post,
  comment?: Comment,
): Promise<void> {
  const { conversations } = deps;
  const thing: Thing = { type: "Conversation", guid, postId };
  const by = comment?.personId ?? starterId;
  const commentId = comment?.id ?? null;
  for (const userId of await conversations.listUsersWithout(postId, commentId))
    await notifyOne(deps, userId, "message", by, thing);
}

async function notifyOfLike(deps: NotifyDeps, likeId: LikeId): Promise<void> {
  const { people, posts, comments, likes } = deps;
  const like = await likes.find({ id: likeId });
  if (!like) return;
  const liked =
    like.commentId === null
      ? await posts.find({ id: like.postId })
      : await comments.find({ id: like.commentId });
  const author = liked && (await people.find({ id: liked.personId }));
  const { guid, postId } = like;
  const thing: Thing = { type: "Like", guid, postId };
  await notifyOne(deps, author?.userId, "like", like.personId, thing);
}

async function notifyOfContact(
  deps: NotifyDeps,
  userId: UserId,
  by: PersonId,
): Promise<void> {
  const person = await deps.people.find({ id: by });
  if (!person) return;
  const thing: Thing = { type: "Contact", guid: person.guid };
  await notifyOne(deps, userId, "contact", by, thing);
}

/** Each time anew: whoever was refused, or took it back, may ask again. */
async function notifyOfRequest(
  deps: NotifyDeps,
  userId: UserId,
  by: PersonId,
): Promise<void> {
  const person = await deps.people.find({ id: by });
  if (!person || !(await deps.contacts.requests.isPending(userId, by))) return;
  const thing: Thing = { type: "Request", guid: person.guid };
  await notifyOne(deps, userId, "follow_request", by, thing);
}

/** The notification is by the new person: the old one may be deleted. */
async function notifyOfMove(
  deps: NotifyDeps,
  { userId, to, by }: Extract<Fact, { type: "contact.moved" }>,
): Promise<void> {
  const old = await deps.people.find({ id: by });
  if (!old) return;
  const thing: Thing = { type: "Move", guid: old.guid };
  await notifyOne(deps, userId, "contact_moved", to, thing);
}

/** Notifies the local people mentioned in a text. */
async function notifyMentioned(
  deps: NotifyDeps,
  place: TextPlace,
  by: PersonId,
  thing: Thing,
): Promise<void> {
  const { people, texts } = deps;
  const ids = await texts.listMentioned(place);
  for (const { userId } of (await people.listById(ids)).values()) {
    await notifyOne(deps, userId, "mention", by, thing);
  }
}

async function notifyAll(
  deps: NotifyDeps,
  notices: readonly (
    PostNotice | Awaited<ReturnType<typeof listChangeNotices>>[number]
  )[],
): Promise<void> {
  for (const { userId, reason, by, thing } of notices)
    await notifyOne(deps, userId, reason, by, thing);
}

async function notifyOne(
  deps: NotifyDeps,
  userId: UserId | null | undefined,
  reason: NotificationReason,
  by: PersonId,
  thing: Thing,
): Promise<void> {
  if (userId == null) return;
  const { people, posts, threads } = deps;
  const self = await people.find({ userId });
  if (self?.state !== "active") return;
  if (self.id === by && reason !== "poll_ended") return;
  const { type, guid, postId, rootId, name = null } = thing;
  const viewer = { personId: self.id, userId };
  if (
    postId !== undefined &&
    !(await posts.findVisible({ id: postId }, viewer))
  )
    return;
  const about = [postId, rootId].filter((id) => id !== undefined);
  if ((await threads.listMuted(userId, about)).length > 0) return;
  const notification: NewNotification = {
    userId,
    personId: by,
    reason,
    shareableType: type,
    shareableGuid: guid,
    thingName: name,
  };
  await storeNotification(deps, { selfId: self.id, notification, postId });
}

/** Also deletes the notifications of its comments, likes and reshares. */
async function forget(
  { db, retractions }: NotifyDeps,
  kind: "Comment" | "Like" | "Post",
  guid: string,
  personId: PersonId,
): Promise<void> {
  const details = (await retractions.find({ kind, guid, personId }))?.details;
  const below = (details && "below" in details && details.below) || [];
  await db.transaction(async (tx) => {
    const kinds =
      kind === "Post" ? (["Post", "Conversation"] as const) : [kind];
    await deleteNotificationsOf(tx, kinds, [guid]);
    if (kind === "Post") await deleteReshareNotifications(tx, guid);
    await deleteNotificationsOf(tx, ["Comment", "Like"], below);
  });
}
