import type { SignedIn } from "../../features/accounts/index.ts";
import type { Comment } from "../../features/comments/index.ts";
import type { Like } from "../../features/likes/index.ts";
import type { Notification } from "../../features/notifications/index.ts";
import type { Post } from "../../features/posts/index.ts";
import { idOfWriting, type Writing } from "../entities/status.ts";
import {
  toGroupKey,
  typeOf,
  type LoadedNotice,
} from "../entities/notification.ts";
import type { MastodonDeps } from "./deps.ts";
import { listWritings } from "./find-writing.ts";
import { loadAccounts } from "./load-accounts.ts";
import { loadStatuses } from "./load-statuses.ts";

/**
 * Loads what notifications are about. Those of something that is gone, or that clients know
 * nothing of, are left out.
 */
export async function loadClientNotices(
  deps: MastodonDeps,
  list: readonly Notification[],
  user: SignedIn,
): Promise<LoadedNotice[]> {
  const [writings, people, keys, strikes] = await Promise.all([
    findWritings(deps, list, user),
    deps.people.listById(list.map(({ personId }) => personId)),
    deps.notifications.groups.listKeys(list),
    findStrikes(deps, list, user),
  ]);
  const unique = new Map(
    [...writings.values()].map((writing) => [idOfWriting(writing), writing]),
  );
  const authors = [...people.values()];
  const [statuses, accounts] = await Promise.all([
    loadStatuses(deps, [...unique.values()], user, "notifications"),
    loadAccounts(deps, authors, user),
  ]);
  const byId = new Map(statuses.map((status) => [status["id"], status]));
  const byPerson = new Map(authors.map(({ id }, at) => [id, accounts[at]]));
  return list.flatMap((notification) => {
    const type = typeOf(notification.reason);
    const account = byPerson.get(notification.personId);
    if (type === undefined || !account) return [];
    const writing = writings.get(notification.id);
    const id = writing && String(idOfWriting(writing));
    const status = byId.get(id) ?? null;
    const strike = strikes.get(notification.shareableGuid);
    const isOfPerson = type === "follow" || type === "follow_request";
    if (!isOfPerson && status === null && !strike) return [];
    const groupKey = toGroupKey(keys.get(notification.id) ?? "");
    return [{ notification, type, groupKey, account, status, strike }];
  });
}

/** By their Guids. */
function findStrikes(
  { strikes }: MastodonDeps,
  list: readonly Notification[],
  { personId }: SignedIn,
) {
  const guids = list
    .filter(({ shareableType }) => shareableType === "Strike")
    .map(({ shareableGuid }) => shareableGuid);
  return strikes.listByGuid(personId, guids);
}

/** The things that notifications name by their Guids. */
type Named = {
  readonly likes: ReadonlyMap<string, Like>;
  /** Posts, reshares and conversations. */
  readonly posts: ReadonlyMap<string, Post>;
  readonly comments: ReadonlyMap<string, Comment>;
  /** The reshared posts, by their own Guids. */
  readonly roots: ReadonlyMap<string, Post>;
  /** The newest message of each conversation, by the id of that. */
  readonly newest: ReadonlyMap<number, { readonly id: number }>;
};

async function findNamed(
  { comments, conversations, likes, posts }: MastodonDeps,
  list: readonly Notification[],
  user: SignedIn,
): Promise<Named> {
  const guidsOf = (...types: Notification["shareableType"][]) =>
    list
      .filter(({ shareableType }) => types.includes(shareableType))
      .map(({ shareableGuid }) => shareableGuid);
  const [liked, named, replies] = await Promise.all([
    likes.listByGuid(guidsOf("Like")),
    posts.listByGuid(guidsOf("Post", "Conversation"), user),
    comments.listByGuid(guidsOf("Comment")),
  ]);
  const all = [...named.values()];
  const talks = all.filter(({ participants }) => participants !== null);
  const [roots, newest] = await Promise.all([
    posts.listByGuid(
      all.flatMap(({ rootGuid }) => rootGuid ?? []),
      user,
    ),
    conversations.listNewestMessages(
      user,
      talks.map(({ id }) => id),
    ),
  ]);
  return { likes: liked, posts: named, comments: replies, roots, newest };
}

/** The id of the status that a notification is about: for a reshare, that of the user's own. */
function findStatusId(
  { likes, posts, comments, roots, newest }: Named,
  { shareableType: type, shareableGuid: guid, reason }: Notification,
): number | undefined {
  if (type === "Comment") return comments.get(guid)?.id;
  if (type === "Like") {
    const like = likes.get(guid);
    return like?.commentId ?? like?.postId;
  }
  const post = posts.get(guid);
  if (!post) return undefined;
  if (type === "Conversation") return newest.get(post.id)?.id ?? post.id;
  return reason === "reshare" ? roots.get(post.rootGuid ?? "")?.id : post.id;
}

/** By the id of the notification. */
async function findWritings(
  deps: MastodonDeps,
  list: readonly Notification[],
  user: SignedIn,
): Promise<Map<number, Writing>> {
  const named = await findNamed(deps, list, user);
  const ids = new Map(
    list.flatMap((it) => {
      const id = findStatusId(named, it);
      return id === undefined ? [] : [[it.id, id] as const];
    }),
  );
  const found = await listWritings(deps, [...new Set(ids.values())], user);
  const byId = new Map(found.map((it) => [idOfWriting(it), it]));
  return new Map(
    [...ids].flatMap(([notificationId, id]) => {
      const writing = byId.get(id);
      return writing ? [[notificationId, writing] as const] : [];
    }),
  );
}
