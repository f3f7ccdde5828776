import type { Comment } from "../../features/comments/index.ts";
import type { NotificationId, PostId } from "../../features/ids.ts";
import type { Like } from "../../features/likes/index.ts";
import {
  DRAFT_GUID,
  type Notification,
  type NotificationOwner,
} from "../../features/notifications/index.ts";
import type { Participation } from "../../features/participations/index.ts";
import type { Person } from "../../features/people/index.ts";
import type { Post } from "../../features/posts/index.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { CalendarEvent } from "../../features/events/index.ts";
import { eventPath } from "../events/event-parts.ts";
import { inWords } from "../events/event-time.ts";
import { currentTimeZone } from "../languages/reader.ts";
import { personPath } from "../kit/person-view.ts";
import { conversationPath } from "../messages/message-draft.ts";
import { CALENDARS } from "../own-calendars/paths.ts";
import { REQUESTS } from "../people/request-view.ts";
import { postPath } from "../posts/act-view.ts";
import { excerpt } from "../posts/post-text.ts";
import { draftPath, STRIKES } from "../session/places.ts";
import type { PagesContext } from "../session/visitor.ts";
import type { NoticeKind } from "../languages/en/notifications.ts";

/** Notifications of one kind about one thing, shown as one. */
export type ShownNotification = {
  readonly kind: NoticeKind;
  readonly ids: readonly NotificationId[];
  /** The latest first. */
  readonly people: readonly Person[];
  readonly isUnread: boolean;
  /** Of the latest. */
  readonly at: Timestamp;
  readonly path: string | undefined;
  /** The beginning of the text that it is about; may be empty. */
  readonly words: string;
};

/** The target of a notification. */
type Target = {
  readonly kind: NoticeKind;
  /** Notifications with the same name are shown as one. */
  readonly group: string;
  readonly path?: string | undefined;
  readonly words?: string | undefined;
};

/** The targets of the notifications of a page, read once for all of them. */
type Things = {
  readonly posts: ReadonlyMap<PostId, Post>;
  readonly postsByGuid: ReadonlyMap<string, Post>;
  /** The reshared posts of reshares. */
  readonly roots: ReadonlyMap<string, Post>;
  readonly comments: ReadonlyMap<string, Comment>;
  readonly likes: ReadonlyMap<string, Like>;
  readonly liked: ReadonlyMap<number, Comment>;
};

const EXCERPT_LENGTH = 100;

const OWN_KINDS: Partial<Record<NoticeKind, NoticeKind>> = {
  event_reminder: "own_event_reminder",
  poll_ended: "own_poll_ended",
};

/** The features that know what notifications are about. */
export type NoticeDeps = Pick<
  PagesContext,
  | "calendars"
  | "comments"
  | "events"
  | "likes"
  | "participations"
  | "people"
  | "posts"
>;

/** Groups the notifications of a page, the latest first. */
export async function loadNotices(
  context: NoticeDeps,
  user: NotificationOwner,
  notifications: readonly Notification[],
): Promise<ShownNotification[]> {
  const [things, people] = await Promise.all([
    loadThings(context, user, notifications),
    context.people.listById(notifications.map(({ personId }) => personId)),
  ]);
  const notices = new Map<string, ShownNotification>();
  for (const notification of notifications) {
    const person = people.get(notification.personId);
    if (!person) continue;
    const { shareableType: type } = notification;
    const target =
      type === "Event"
        ? await findEventTarget(context, user, notification)
        : type === "Calendar"
          ? await findCalendarTarget(context, user, notification)
          : findTarget(things, notification, person);
    const { group } = target;
    const isOwn = person.id === user.personId;
    const kind = (isOwn && OWN_KINDS[target.kind]) || target.kind;
    const before = notices.get(group);
    notices.set(
      group,
      joined(before, { ...target, kind }, notification, person),
    );
  }
  return [...notices.values()];
}

function joined(
  before: ShownNotification | undefined,
  { kind, path, words = "" }: Target,
  { id, unread, createdAt }: Notification,
  person: Person,
): ShownNotification {
  if (!before)
    return {
      ...{ kind, path, words, people: [person] },
      ...{ ids: [id], isUnread: unread, at: createdAt },
    };
  const isKnown = before.people.some((it) => it.id === person.id);
  return {
    ...before,
    ids: [...before.ids, id],
    people: isKnown ? before.people : [...before.people, person],
    isUnread: before.isUnread || unread,
  };
}

async function loadThings(
  { comments, likes, posts }: NoticeDeps,
  user: NotificationOwner,
  notifications: readonly Notification[],
): Promise<Things> {
  const guidsOf = (...types: readonly Notification["shareableType"][]) =>
    notifications
      .filter(({ shareableType }) => types.includes(shareableType))
      .map(({ shareableGuid }) => shareableGuid);
  const [postsByGuid, byGuid, likesByGuid] = await Promise.all([
    posts.listByGuid(guidsOf("Post", "Conversation"), user),
    comments.listByGuid(guidsOf("Comment")),
    likes.listByGuid(guidsOf("Like")),
  ]);
  const given = [...likesByGuid.values()];
  const below = [...byGuid.values(), ...given].map(({ postId }) => postId);
  const roots = [...postsByGuid.values()].flatMap((it) => it.rootGuid ?? []);
  const [found, rootsByGuid, liked] = await Promise.all([
    posts.listById([...new Set(below)], user),
    posts.listByGuid([...new Set(roots)], user),
    comments.listById(given.flatMap(({ commentId }) => commentId ?? [])),
  ]);
  return {
    ...{ postsByGuid, comments: byGuid, likes: likesByGuid, liked },
    roots: rootsByGuid,
    posts: new Map(found.map((post) => [post.id, post])),
  };
}

function findTarget(
  things: Things,
  { id, reason, shareableType, shareableGuid: guid, thingName }: Notification,
  person: Person,
): Target {
  const alone = `${reason} ${id}`;
  switch (shareableType) {
    case "Comment": {
      const comment = things.comments.get(guid);
      const group = comment ? `${reason} ${comment.postId}` : alone;
      return {
        kind: kindOf(reason),
        // A mention in a comment is read there, and not beside another one.
        group: reason === "comment" ? group : alone,
        path: comment && `/comments/${encodeURIComponent(guid)}`,
        words: comment && beginningOf(comment),
      };
    }
    case "Like":
      return findLikeTarget(things, guid, alone);
    case "Post":
    case "Conversation": {
      const post = things.postsByGuid.get(guid);
      const root = reason === "reshare" ? post?.rootGuid : undefined;
      const isGone = root != null && !things.roots.has(root);
      return {
        kind: kindOf(reason),
        group: root == null ? alone : `${reason} ${root}`,
        path: post && !isGone ? pathOf(shareableType, root ?? guid) : undefined,
        words: post && beginningOf(post),
      };
    }
    case "Request":
      return { kind: kindOf(reason), group: reason, path: REQUESTS };
    case "Strike":
      return { kind: kindOf(reason), group: alone, path: STRIKES };
    case "Contact":
    case "Refusal":
    case "Move":
      return { kind: kindOf(reason), group: alone };
    case "Cancellation":
      return {
        kind: kindOf(reason),
        group: alone,
        words: thingName ?? undefined,
      };
    case "Draft":
      return {
        kind: kindOf(reason),
        group: alone,
        path: draftPath(guid.slice(DRAFT_GUID.length)),
        words:
          thingName === null ? undefined : excerpt(thingName, EXCERPT_LENGTH),
      };
    case "Event":
    case "Calendar":
      return {
        kind: kindOf(reason),
        group: alone,
        path: personPath(person),
      };
  }
}

function findLikeTarget(
  { likes, liked, posts }: Things,
  guid: string,
  alone: string,
): Target {
  const like = likes.get(guid);
  const act = like?.positive === false ? "dislike" : "like";
  const comment = liked.get(like?.commentId ?? 0);
  if (comment)
    return {
      kind: `${act}_comment`,
      group: `${act} comment ${comment.id}`,
      path: `/comments/${encodeURIComponent(comment.guid)}`,
      words: beginningOf(comment),
    };
  const post = like && posts.get(like.postId);
  return {
    kind: `${act}_post`,
    group: post ? `${act} post ${post.id}` : alone,
    path: post && postPath(post.guid),
    words: post && beginningOf(post),
  };
}

async function findEventTarget(
  { events, participations }: NoticeDeps,
  user: NotificationOwner,
  { id, reason, personId, shareableGuid: guid }: Notification,
): Promise<Target> {
  const event = await events.findVisible({ guid }, user);
  // Requests to come are between the guest and the organizer.
  const answer =
    event && reason === "event_answer" && event.personId === user.personId
      ? await participations.find({ eventId: event.id, personId })
      : undefined;
  const kind = answer ? answerKindOf(answer) : kindOf(reason);
  return {
    kind,
    group: event ? `${kind} event ${event.id}` : `${kind} ${id}`,
    path: event && eventPath(event.guid),
    words: event === undefined ? "" : eventWords(events, event, reason),
  };
}

/** The present answer: the notification is renewed with each. */
function answerKindOf({ reply, status }: Participation): NoticeKind {
  const asks = reply === "pending" && status !== "declined";
  return `event_answer_${asks ? "pending" : status}`;
}

async function findCalendarTarget(
  { calendars }: NoticeDeps,
  user: NotificationOwner,
  { id, reason, shareableGuid: guid }: Notification,
): Promise<Target> {
  const calendar = await calendars.findShared(user, { guid });
  return {
    ...{ kind: kindOf(reason), group: `${reason} ${id}` },
    path: calendar && `${CALENDARS}#shared-calendars`,
    words: calendar?.name,
  };
}

/** A reminder says when the event, or the next of a series, takes place. */
function eventWords(
  events: NoticeDeps["events"],
  event: CalendarEvent,
  reason: Notification["reason"],
): string {
  if (reason !== "event_reminder") return event.summary;
  const next = events.upcoming(event);
  const zone = next.allDay ? "UTC" : currentTimeZone();
  return [next.summary, inWords(next, zone)].filter(Boolean).join(" · ");
}

function pathOf(type: "Post" | "Conversation", guid: string): string {
  return type === "Post" ? postPath(guid) : conversationPath(guid);
}

/** The kind of a like follows from its target. */
function kindOf(reason: Notification["reason"]): NoticeKind {
  return reason === "like" ? "like_post" : reason;
}

/** A text that its author hid behind a warning stays behind it. */
function beginningOf({
  text,
  warning,
}: Pick<Comment, "text" | "warning">): string {
  return warning ?? excerpt(text, EXCERPT_LENGTH);
}
