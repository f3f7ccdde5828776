import type { Reader } from "../../db/db.ts";
import { isAfter } from "../../db/prepared-query.ts";
import type { SignedIn } from "../accounts/index.ts";
import type { PostId } from "../ids.ts";
import { isPostVisibleTo } from "../visibility/index.ts";
import type { Keyed } from "./export-file.ts";

/** Aspects with the handles of their members. */
export async function listExportedAspects(
  reader: Reader,
  { userId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("aspects")
    .select(["id", "name", "created_at"])
    .where("user_id", "=", userId)
    .where(isAfter("id", afterId))
    .orderBy("id")
    .limit(limit)
    .execute();
  const ids = rows.map(({ id }) => id);
  const members =
    ids.length === 0
      ? []
      : await reader
          .selectFrom("aspect_memberships")
          .innerJoin("people", "people.id", "aspect_memberships.person_id")
          .select(["aspect_memberships.aspect_id", "people.handle"])
          .where("aspect_memberships.aspect_id", "in", ids)
          .orderBy("aspect_memberships.id")
          .execute();
  const byAspect = Map.groupBy(members, (row) => row.aspect_id);
  return rows.map((row) => ({
    key: row.id,
    record: {
      name: row.name,
      createdAt: row.created_at,
      members: (byAspect.get(row.id) ?? []).map(({ handle }) => handle),
    },
  }));
}

export async function listExportedContacts(
  reader: Reader,
  { userId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("contacts")
    .innerJoin("people", "people.id", "contacts.person_id")
    .select([
      "contacts.id",
      "contacts.following",
      "contacts.sharing",
      "contacts.created_at",
      "people.handle",
      "people.guid",
    ])
    .where("contacts.user_id", "=", userId)
    .where(isAfter("contacts.id", afterId))
    .orderBy("contacts.id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: {
      handle: row.handle,
      guid: row.guid,
      following: Boolean(row.following),
      sharing: Boolean(row.sharing),
      createdAt: row.created_at,
    },
  }));
}

export async function listExportedBlocks(
  reader: Reader,
  { personId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("blocks")
    .innerJoin("people", "people.id", "blocks.blocked_person_id")
    .select(["people.id", "people.handle", "people.guid", "blocks.created_at"])
    .where("blocks.person_id", "=", personId)
    .where(isAfter("blocks.blocked_person_id", afterId))
    .orderBy("blocks.blocked_person_id")
    .limit(limit)
    .execute();
  return rows.map(toDistance);
}

export async function listExportedIgnores(
  reader: Reader,
  { personId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("ignores")
    .innerJoin("people", "people.id", "ignores.ignored_person_id")
    .select([
      ...(["people.id", "people.handle", "people.guid"] as const),
      ...(["ignores.created_at", "ignores.ends_at"] as const),
    ])
    .where("ignores.person_id", "=", personId)
    .where(isAfter("ignores.ignored_person_id", afterId))
    .orderBy("ignores.ignored_person_id")
    .limit(limit)
    .execute();
  return rows.map((row) => {
    const { key, record } = toDistance(row);
    return { key, record: { ...record, endsAt: row.ends_at } };
  });
}

function toDistance(row: {
  id: number;
  handle: string;
  guid: string;
  created_at: string;
}): Keyed {
  const { id, handle, guid, created_at: createdAt } = row;
  return { key: id, record: { handle, guid, createdAt } };
}

export async function listExportedNotifications(
  reader: Reader,
  { userId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("notifications")
    .innerJoin("people", "people.id", "notifications.person_id")
    .selectAll("notifications")
    .select("people.handle")
    .where("notifications.user_id", "=", userId)
    .where(isAfter("notifications.id", afterId))
    .orderBy("notifications.id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: {
      by: row.handle,
      reason: row.reason,
      shareableType: row.shareable_type,
      shareableGuid: row.shareable_guid,
      unread: Boolean(row.unread),
      createdAt: row.created_at,
    },
  }));
}

/** The user's own reports; reports about the user were made in confidence. */
export async function listExportedReports(
  reader: Reader,
  { personId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("reports")
    .leftJoin("people", "people.id", "reports.person_id")
    .selectAll("reports")
    .select("people.handle")
    .where("reports.reporter_id", "=", personId)
    .where(isAfter("reports.id", afterId))
    .orderBy("reports.id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: {
      about: row.handle,
      targetType: row.target_kind,
      targetGuid: row.target_guid,
      category: row.category,
      text: row.text,
      forwarded: Boolean(row.forwarded),
      createdAt: row.created_at,
      closedAt: row.resolved_at,
    },
  }));
}

/** Without the invited people, and without the codes, which are not stored. */
export async function listExportedInvitations(
  reader: Reader,
  { userId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("invitations")
    .selectAll()
    .where("by_user_id", "=", userId)
    .where(isAfter("id", afterId))
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: {
      maxUses: row.max_uses,
      uses: row.uses,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
      revokedAt: row.revoked_at,
    },
  }));
}

export async function listExportedHiddenPosts(
  reader: Reader,
  { userId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("hidden_posts")
    .select("post_id")
    .where("user_id", "=", userId)
    .where(isAfter("post_id", afterId))
    .orderBy("post_id")
    .limit(limit)
    .execute();
  return namePosts(reader, rows);
}

export async function listExportedMutedPosts(
  reader: Reader,
  { userId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("muted_posts")
    .select("post_id")
    .where("user_id", "=", userId)
    .where(isAfter("post_id", afterId))
    .orderBy("post_id")
    .limit(limit)
    .execute();
  return namePosts(reader, rows);
}

async function namePosts(
  reader: Reader,
  named: readonly { readonly post_id: PostId }[],
): Promise<Keyed[]> {
  if (named.length === 0) return [];
  const rows = await reader
    .selectFrom("posts")
    .innerJoin("people as author", "author.id", "posts.person_id")
    .select(["posts.id", "posts.guid", "author.handle"])
    .where(
      "posts.id",
      "in",
      named.map((row) => row.post_id),
    )
    .orderBy("posts.id")
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: { postGuid: row.guid, postAuthor: row.handle },
  }));
}

/** Of posts that the user may see: a bookmark does not tell whether another still exists. */
export async function listExportedBookmarks(
  reader: Reader,
  user: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("bookmarks")
    .innerJoin("posts", "posts.id", "bookmarks.post_id")
    .innerJoin("people as author", "author.id", "posts.person_id")
    .select(["bookmarks.id", "bookmarks.created_at"])
    .select(["posts.guid", "author.handle"])
    .where("bookmarks.user_id", "=", user.userId)
    .where((eb) => isPostVisibleTo(user)(eb))
    .where(isAfter("bookmarks.id", afterId))
    .orderBy("bookmarks.id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: {
      postGuid: row.guid,
      postAuthor: row.handle,
      createdAt: row.created_at,
    },
  }));
}

export async function listExportedStreams(
  reader: Reader,
  { userId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("user_streams")
    .selectAll()
    .where("user_id", "=", userId)
    .where(isAfter("id", afterId))
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: {
      name: row.name,
      tags: row.tags,
      people: row.people,
      expression: row.expression,
      createdAt: row.created_at,
    },
  }));
}

export async function listExportedFollowedTags(
  reader: Reader,
  { userId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("followed_tags")
    .selectAll()
    .where("user_id", "=", userId)
    .where(isAfter("id", afterId))
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: { tag: row.tag, createdAt: row.created_at },
  }));
}
