import type { Db } from "../../db/db.ts";
import type { Comments } from "../comments/index.ts";
import type { Conversations } from "../conversations/index.ts";
import type { PersonId, UserId } from "../ids.ts";
import type { Homes, PostInHomes } from "../homes/index.ts";
import type { Likes } from "../likes/index.ts";
import type { Notifications } from "../notifications/index.ts";
import type { Post, Posts } from "../posts/index.ts";
import type { Texts } from "../texts/index.ts";
import { areShownTo } from "../visibility/index.ts";
import type { Change, LiveEvent, RemovedPost } from "./change.ts";

/** A user who is told of changes. */
export type Watcher = { readonly userId: UserId; readonly personId: PersonId };

export type ReadChangeDeps = {
  readonly db: Pick<Db, "read">;
  readonly posts: Pick<Posts, "find" | "listRecipientIds" | "listSelected">;
  readonly comments: Pick<Comments, "find" | "leaveOutHidden">;
  readonly likes: Pick<Likes, "find">;
  readonly conversations: Pick<Conversations, "find">;
  readonly notifications: Pick<Notifications, "isListed">;
  readonly texts: Pick<Texts, "listTags">;
  readonly homes: Pick<Homes, "findBringing" | "listWith" | "place">;
};

/** An event, and the watchers whom it concerns. */
export type AddressedEvent = {
  readonly event: LiveEvent;
  readonly to: readonly Watcher[];
  /** Asked at the moment of sending. */
  readonly isShownTo: (watcher: Watcher) => Promise<boolean>;
};

/** Reads what a change means for these watchers. A thing that is gone by now concerns nobody. */
export async function readChange(
  deps: ReadChangeDeps,
  change: Change,
  watchers: readonly Watcher[],
): Promise<AddressedEvent[]> {
  switch (change.kind) {
    case "post":
      return readNewPost(deps, change, watchers);
    case "edit": {
      const post = await deps.posts.find({ id: change.postId });
      return post ? [await ofPost(deps, post, "edit", { watchers })] : [];
    }
    case "comment":
    case "comment edit":
      return readComment(deps, change, watchers);
    case "like": {
      const like = await deps.likes.find({ id: change.likeId });
      return readCount(deps, like?.postId, { watchers, by: like?.personId });
    }
    case "removal below":
      return readCount(deps, change.postId, { watchers, by: change.by });
    case "removal":
      return readRemoval(deps, change, watchers);
    case "notification":
      return [readNotification(deps, change, watchers)];
    case "filters": {
      const to = watchers.filter(({ userId }) => userId === change.userId);
      const event = { type: change.kind };
      return [{ event, to, isShownTo: async () => true }];
    }
    case "announcement reaction": {
      const { kind: type, announcementId, emoji } = change;
      const event = { type, announcementId, emoji };
      return [{ event, to: watchers, isShownTo: async () => true }];
    }
    case "announcement":
    case "announcement removal": {
      const { kind: type, announcementId } = change;
      const event = { type, announcementId };
      return [{ event, to: watchers, isShownTo: async () => true }];
    }
  }
}

type About = {
  readonly watchers: readonly Watcher[];
  /** The person who did it, if not the author of the post. */
  readonly by?: PersonId | undefined;
};

async function readNewPost(
  deps: ReadChangeDeps,
  { postId, to }: Extract<Change, { readonly kind: "post" }>,
  all: readonly Watcher[],
): Promise<AddressedEvent[]> {
  const post = await deps.posts.find({ id: postId });
  if (!post) return [];
  const people = to && new Set(to);
  const watchers = people
    ? all.filter(({ personId }) => people.has(personId))
    : all;
  const isMessage = post.participants !== null;
  const arrived = await ofPost(deps, post, isMessage ? "message" : "post", {
    watchers,
  });
  if (!isMessage) await deps.homes.place();
  // A reshare brings nothing to homes where its root is already.
  const placeFor = createFindPlace(deps, postId);
  const isNew = (place: "home" | "apart") => async (watcher: Watcher) =>
    (await placeFor(watcher)) === place && (await arrived.isShownTo(watcher));
  const apart = { ...arrived.event, type: "post apart" as const };
  const events = isMessage
    ? [arrived]
    : [
        { ...arrived, isShownTo: isNew("home") },
        { ...arrived, event: apart, isShownTo: isNew("apart") },
      ];
  if (post.rootGuid === null) return events;
  const root = await deps.posts.find({ guid: post.rootGuid });
  const about = { watchers, by: post.personId };
  return [...events, ...(await readCount(deps, root?.id, about))];
}

/** The place of a post for each watcher, read once for both events about it. */
function createFindPlace({ homes }: ReadChangeDeps, postId: Post["id"]) {
  const places = new Map<Watcher, ReturnType<Homes["findBringing"]>>();
  return (watcher: Watcher): ReturnType<Homes["findBringing"]> => {
    const known = places.get(watcher);
    if (known) return known;
    const found = homes.findBringing(watcher, postId);
    places.set(watcher, found);
    return found;
  };
}

async function readComment(
  deps: ReadChangeDeps,
  { kind, commentId }: Extract<Change, { commentId: unknown }>,
  watchers: readonly Watcher[],
): Promise<AddressedEvent[]> {
  const comment = await deps.comments.find({ id: commentId });
  const post = comment && (await deps.posts.find({ id: comment.postId }));
  if (!post) return [];
  const about = { watchers, by: comment.personId };
  if (kind === "comment edit") {
    const edited = await ofPost(deps, post, "edit", about);
    return [
      {
        ...{ to: edited.to, event: { ...edited.event, commentId } },
        isShownTo: async (watcher) =>
          (await deps.comments.leaveOutHidden([comment], watcher)).length > 0 &&
          (await edited.isShownTo(watcher)),
      },
    ];
  }
  const type = post.participants === null ? "count" : "message";
  return [await ofPost(deps, post, type, about)];
}

async function readCount(
  deps: ReadChangeDeps,
  postId: Post["id"] | undefined,
  about: About,
): Promise<AddressedEvent[]> {
  if (postId === undefined) return [];
  const post = await deps.posts.find({ id: postId });
  return post ? [await ofPost(deps, post, "count", about)] : [];
}

/** An event about a stored post. */
async function ofPost(
  deps: ReadChangeDeps,
  post: Post,
  type: "post" | "edit" | "count" | "message",
  { watchers, by }: About,
) {
  const { id, guid, participants } = post;
  const { read } = deps.db;
  const isShown =
    participants === null
      ? async (watcher: Watcher) => isListedFor(deps, post, watcher)
      : async (watcher: Watcher) => isInConversation(deps, post, watcher);
  return {
    event: { type, postId: id, guid },
    to: await listConcerned(deps, post, watchers),
    isShownTo: async (watcher: Watcher) =>
      (by === undefined || (await areShownTo(read, watcher.personId, [by]))) &&
      (await isShown(watcher)),
  };
}

async function isListedFor(
  { posts }: ReadChangeDeps,
  { id }: Post,
  watcher: Watcher,
): Promise<boolean> {
  const page = { offset: 0, limit: 1 };
  const found = await posts.listSelected(watcher, { ids: [id] }, page, "home");
  return found.length > 0;
}

async function isInConversation(
  { conversations, db }: ReadChangeDeps,
  { id, personId }: Post,
  watcher: Watcher,
): Promise<boolean> {
  const found = await conversations.find(watcher, { id });
  if (found?.state !== "shown") return false;
  return areShownTo(db.read, watcher.personId, [personId]);
}

async function listConcerned(
  { homes, posts, texts }: ReadChangeDeps,
  { id, guid, personId, participants }: Post,
  watchers: readonly Watcher[],
): Promise<Watcher[]> {
  if (participants !== null) {
    const people = new Set(await posts.listRecipientIds(id)).add(personId);
    return watchers.filter((watcher) => people.has(watcher.personId));
  }
  const tags = await texts.listTags(id);
  return amongHomes(homes, { guid, authorId: personId, tags }, watchers);
}

async function amongHomes(
  homes: ReadChangeDeps["homes"],
  post: PostInHomes,
  watchers: readonly Watcher[],
): Promise<Watcher[]> {
  const users = watchers.map(({ userId }) => userId);
  const found = await homes.listWith(post, users);
  return watchers.filter(({ userId }) => found.has(userId));
}

/** Only those who could see the post may learn that it existed. */
async function readRemoval(
  { db, homes }: ReadChangeDeps,
  { postId, guid, authors, tags, to }: RemovedPost,
  watchers: readonly Watcher[],
): Promise<AddressedEvent[]> {
  const people = to && new Set(to);
  const [authorId] = authors;
  if (authorId === undefined) return [];
  const concerned = people
    ? watchers.filter(({ personId }) => people.has(personId))
    : await amongHomes(homes, { guid, authorId, tags }, watchers);
  return [
    {
      event: { type: "deletion", postId, guid },
      to: concerned,
      isShownTo: ({ personId }) => areShownTo(db.read, personId, authors),
    },
  ];
}

function readNotification(
  { notifications }: ReadChangeDeps,
  {
    userId,
    notificationId,
  }: Extract<Change, { readonly kind: "notification" }>,
  watchers: readonly Watcher[],
): AddressedEvent {
  return {
    event: { type: "notification", notificationId },
    to: watchers.filter((watcher) => watcher.userId === userId),
    isShownTo: (watcher) => notifications.isListed(watcher, notificationId),
  };
}
