import type { Reader, Tx } from "../../db/db.ts";
import { loadJson, storeJson } from "../../db/schema/columns/json-text.ts";
import type { SubscriptionFault } from "../../db/schema/schema-events.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import { colorOf } from "../../lib/icalendar/calendar-look.ts";
import type { SubscriptionId, UserId } from "../ids.ts";
import {
  SUBSCRIBED_PREFIX,
  type Subscription,
  type SubscriptionState,
} from "./subscription.ts";

const selectSubscriptions = (reader: Reader, userId: UserId) =>
  reader
    .selectFrom("subscribed_calendars")
    .selectAll()
    .where("user_id", "=", userId);

type Row = Awaited<
  ReturnType<ReturnType<typeof selectSubscriptions>["executeTakeFirstOrThrow"]>
>;

function subscriptionOf(row: Row): Subscription {
  const properties: Subscription["properties"] =
    row.properties === null ? {} : loadJson(row.properties);
  return {
    id: row.id,
    userId: row.user_id,
    url: row.url,
    name: row.name ?? (row.given_name || (URL.parse(row.url)?.host ?? row.url)),
    color: colorOf(properties),
    pathName: `${SUBSCRIBED_PREFIX}${row.guid}`,
    changes: row.changes,
    forgottenChanges: row.forgotten_changes,
    properties,
    readAt: row.read_at,
    dueAt: row.due_at,
    fault: row.fault,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Those of a user, oldest first: a user has few. */
export async function listSubscriptions(
  reader: Reader,
  userId: UserId,
): Promise<Subscription[]> {
  const rows = await selectSubscriptions(reader, userId)
    .orderBy("id")
    .execute();
  return rows.map(subscriptionOf);
}

export type SubscriptionKey =
  { readonly id: SubscriptionId } | { readonly pathName: string };

/** Undefined for another user's. */
export async function findSubscription(
  reader: Reader,
  userId: UserId,
  key: SubscriptionKey,
): Promise<Subscription | undefined> {
  const query = selectSubscriptions(reader, userId);
  const found =
    "id" in key
      ? query.where("id", "=", key.id)
      : query.where("guid", "=", key.pathName.slice(SUBSCRIBED_PREFIX.length));
  const row = await found.executeTakeFirst();
  return row && subscriptionOf(row);
}

export async function insertSubscription(
  tx: Tx,
  subscription: {
    readonly guid: string;
    readonly userId: UserId;
    readonly url: string;
    readonly name: string | null;
    readonly understanding: string;
  },
  now: Timestamp,
): Promise<SubscriptionId> {
  const { guid, userId, url, name, understanding } = subscription;
  const { id } = await tx
    .insertInto("subscribed_calendars")
    .values({
      ...{ guid, user_id: userId, url, name, given_name: "", understanding },
      ...{ tried_at: now, due_at: now, created_at: now, updated_at: now },
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Counts a change of how it looks. */
export async function updateLook(
  tx: Tx,
  { id, changes }: Pick<Subscription, "changes" | "id">,
  look: {
    readonly name?: string | null;
    readonly properties?: Readonly<Record<string, string>>;
  },
  now: Timestamp,
): Promise<void> {
  const { name, properties } = look;
  await tx
    .updateTable("subscribed_calendars")
    .set({
      ...(name !== undefined && { name }),
      ...(properties && { properties: storeJson(properties) }),
      changes: changes + 1,
      updated_at: now,
    })
    .where("id", "=", id)
    .execute();
}

/** @returns false if the user has no such one */
export async function deleteSubscribedCalendar(
  tx: Tx,
  userId: UserId,
  id: SubscriptionId,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("subscribed_calendars")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

const selectStates = (reader: Reader) =>
  reader
    .selectFrom("subscribed_calendars")
    .innerJoin("users", "users.id", "subscribed_calendars.user_id")
    .select(["subscribed_calendars.id", "url", "etag", "last_modified"])
    .select([
      "digest",
      "understanding",
      "changes",
      "refresh_ms",
      "failures",
      "tried_at",
    ])
    .select("users.time_zone as current_zone")
    .where("users.state", "=", "active");

type StateRow = Awaited<
  ReturnType<ReturnType<typeof selectStates>["executeTakeFirstOrThrow"]>
>;

function stateOf(row: StateRow): SubscriptionState {
  return {
    ...{ id: row.id, url: row.url, etag: row.etag, digest: row.digest },
    ...{ lastModified: row.last_modified, changes: row.changes },
    ...{ understanding: row.understanding, currentZone: row.current_zone },
    ...{ refreshMs: row.refresh_ms, failures: row.failures },
    triedAt: row.tried_at,
  };
}

/** Undefined for one that is gone, or whose user has no active account. */
export async function findSubscriptionState(
  reader: Reader,
  id: SubscriptionId,
): Promise<SubscriptionState | undefined> {
  const row = await selectStates(reader)
    .where("subscribed_calendars.id", "=", id)
    .executeTakeFirst();
  return row && stateOf(row);
}

/** Some that are to be read again, the longest due first. */
export async function listDueSubscriptions(
  reader: Reader,
  now: Timestamp,
  limit: number,
): Promise<SubscriptionState[]> {
  const rows = await selectStates(reader)
    .where("due_at", "<=", now)
    .orderBy("due_at")
    .limit(limit)
    .execute();
  return rows.map(stateOf);
}

/** Notes the outcome of a try, and when the next one is due. */
export async function updateTried(
  tx: Tx,
  id: SubscriptionId,
  outcome: {
    readonly at: Timestamp;
    readonly dueAt: Timestamp;
    readonly failures: number;
    readonly fault: SubscriptionFault | null;
  },
): Promise<void> {
  const { at, dueAt, failures, fault } = outcome;
  await tx
    .updateTable("subscribed_calendars")
    .set({
      ...{ tried_at: at, due_at: dueAt, failures, fault },
      ...(fault === null && { read_at: at }),
    })
    .where("id", "=", id)
    .execute();
}

/** Stores the state of a calendar that was read. */
export async function updateAsRead(
  tx: Tx,
  id: SubscriptionId,
  read: {
    readonly etag: string | null;
    readonly lastModified: string | null;
    readonly digest: string;
    readonly understanding: string;
    /** Its own words about itself, unless they are known. */
    readonly hints?: {
      readonly name: string;
      readonly refreshMs: number | undefined;
    };
    readonly changes: number;
    /** Is something gone? */
    readonly hasRemoved: boolean;
    /** Has anything changed? */
    readonly isChanged: boolean;
  },
  now: Timestamp,
): Promise<void> {
  const { changes, hasRemoved, hints, isChanged } = read;
  await tx
    .updateTable("subscribed_calendars")
    .set({
      ...{ etag: read.etag, last_modified: read.lastModified },
      ...{ digest: read.digest, understanding: read.understanding, changes },
      ...(hints && {
        given_name: hints.name,
        refresh_ms: hints.refreshMs ?? null,
      }),
      ...(hasRemoved && { forgotten_changes: changes }),
      ...(isChanged && { updated_at: now }),
    })
    .where("id", "=", id)
    .execute();
}

/** Deletes one of a person who has left. @returns false if there is none */
export async function deleteOneSubscriptionOf(
  tx: Tx,
  userId: UserId,
): Promise<boolean> {
  const row = await tx
    .selectFrom("subscribed_calendars")
    .select("id")
    .where("user_id", "=", userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined && deleteSubscribedCalendar(tx, userId, row.id);
}
