import type { Reader } from "../../db/db.ts";
import { loadJson } from "../../db/schema/columns/json-text.ts";
import type { SignedIn } from "../accounts/index.ts";
import type { Keyed } from "./export-file.ts";
import { pageAfter } from "./page-after.ts";

/** Aspects with the handles of their members. */
export async function listExportedAspects(
  reader: Reader,
  { userId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("aspects")
    .select(["id", "name", "replies_policy", "exclusive", "created_at"])
    .where("user_id", "=", userId)
    .$call(pageAfter("id", afterId, limit))
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
      repliesPolicy: row.replies_policy,
      exclusive: Boolean(row.exclusive),
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
      "contacts.hides_reshares",
      "contacts.notifies",
      "contacts.languages",
      "contacts.featured",
      "people.handle",
      "people.guid",
    ])
    .where("contacts.user_id", "=", userId)
    .$call(pageAfter("contacts.id", afterId, limit))
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: {
      handle: row.handle,
      guid: row.guid,
      following: Boolean(row.following),
      sharing: Boolean(row.sharing),
      reshares: !row.hides_reshares,
      notify: Boolean(row.notifies),
      languages: row.languages === null ? [] : loadJson(row.languages),
      featured: Boolean(row.featured),
      createdAt: row.created_at,
    },
  }));
}

/** The people who asked to follow the user, and have no answer yet. */
export async function listExportedFollowRequests(
  reader: Reader,
  { userId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("follow_requests")
    .innerJoin("people", "people.id", "follow_requests.person_id")
    .select(["follow_requests.id", "follow_requests.created_at"])
    .select(["people.handle", "people.guid"])
    .where("follow_requests.user_id", "=", userId)
    .$call(pageAfter("follow_requests.id", afterId, limit))
    .execute();
  return rows.map(toDistance);
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
    .where("blocks.by_host", "=", false)
    .$call(pageAfter("blocks.blocked_person_id", afterId, limit))
    .execute();
  return rows.map(toDistance);
}

/** Blocked servers. */
export async function listExportedHostBlocks(
  reader: Reader,
  { personId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("host_blocks")
    .select(["id", "host", "created_at"])
    .where("person_id", "=", personId)
    .$call(pageAfter("id", afterId, limit))
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: { host: row.host, createdAt: row.created_at },
  }));
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
    .$call(pageAfter("ignores.ignored_person_id", afterId, limit))
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
    .$call(pageAfter("notifications.id", afterId, limit))
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: {
      by: row.handle,
      reason: row.reason,
      shareableType: row.shareable_type,
      shareableGuid: row.shareable_guid,
      thingName: row.thing_name,
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
    .$call(pageAfter("reports.id", afterId, limit))
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

/** The moderators' decisions about the user, and the appeals. */
export async function listExportedStrikes(
  reader: Reader,
  { personId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("strikes")
    .selectAll()
    .where("person_id", "=", personId)
    .$call(pageAfter("id", afterId, limit))
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: {
      action: row.action,
      message: row.message,
      text: row.excerpt,
      createdAt: row.created_at,
      endedAt: row.ended_at,
      appeal: row.appeal,
      appealedAt: row.appealed_at,
      decidedAt: row.decided_at,
      accepted: row.accepted === null ? null : Boolean(row.accepted),
    },
  }));
}

/** The texts of the user that wait for a moderator; a post is also among the others. */
export async function listExportedHeldTexts(
  reader: Reader,
  { personId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("held_texts")
    .innerJoin("posts", "posts.id", "held_texts.post_id")
    .selectAll("held_texts")
    .select("posts.guid as post_guid")
    .where("held_texts.person_id", "=", personId)
    .$call(pageAfter("held_texts.id", afterId, limit))
    .execute();
  return rows.map(({ comment, ...row }) => ({
    key: row.id,
    record: {
      ...{ kind: row.kind, guid: row.guid, post: row.post_guid },
      text: comment === null ? null : loadJson(comment).text,
      createdAt: row.created_at,
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
    .$call(pageAfter("id", afterId, limit))
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
