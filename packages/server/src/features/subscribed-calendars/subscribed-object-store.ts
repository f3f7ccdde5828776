import type { Reader, Tx } from "../../db/db.ts";
import { loadJson, storeJson } from "../../db/schema/columns/json-text.ts";
import type { Recurrence } from "../../lib/icalendar/occurrences.ts";
import { shiftedBy, type Timestamp } from "../../lib/time/clock.ts";
import type { EventDetails, EventStatus } from "../events/index.ts";
import type { SubscriptionId, UserId } from "../ids.ts";

/** The details of a subscribed event. */
export type SubscribedDetails = EventDetails & {
  readonly recurrence: Recurrence | null;
  readonly status: EventStatus;
};

/** An event of a subscribed calendar, or a series with its exceptions. */
export type SubscribedObject = {
  readonly subscriptionId: SubscriptionId;
  /** The last part of its address. */
  readonly name: string;
  readonly uid: string;
  /** The number of its last change in its calendar. */
  readonly change: number;
  readonly text: string;
  readonly details: SubscribedDetails;
};

/** The same as it was read. */
export type ReadObject = Pick<
  SubscribedObject,
  "details" | "name" | "text" | "uid"
> & {
  readonly digest: string;
  readonly startAt: Timestamp;
  readonly untilAt: Timestamp;
};

const selectObjects = (reader: Reader) =>
  reader.selectFrom("subscribed_objects").selectAll("subscribed_objects");

type Row = Awaited<
  ReturnType<ReturnType<typeof selectObjects>["executeTakeFirstOrThrow"]>
>;

function objectOf(row: Row): SubscribedObject {
  return {
    ...{ subscriptionId: row.subscription_id, name: row.name, uid: row.uid },
    ...{ change: row.change, text: row.ical, details: loadJson(row.details) },
  };
}

/** A part of the objects of a calendar, by their names. */
export type PartOfSubscribed = {
  readonly after: string | undefined;
  readonly limit: number;
  /** Leaves out what does not touch this range. */
  readonly from?: Timestamp | undefined;
  readonly to?: Timestamp | undefined;
};

const DAY_MS = 24 * 3_600_000;

export async function listSubscribedObjects(
  reader: Reader,
  id: SubscriptionId,
  { after, limit, from, to }: PartOfSubscribed,
): Promise<SubscribedObject[]> {
  let query = selectObjects(reader).where("subscription_id", "=", id);
  if (after !== undefined) query = query.where("name", ">", after);
  // All-day events last from midnight to midnight of some zone: a day more on both sides.
  if (from !== undefined)
    query = query.where("until_at", ">=", shiftedBy(from, -DAY_MS));
  if (to !== undefined)
    query = query.where("start_at", "<", shiftedBy(to, DAY_MS));
  const rows = await query.orderBy("name").limit(limit).execute();
  return rows.map(objectOf);
}

/** At most some hundred. */
export async function listSubscribedByName(
  reader: Reader,
  id: SubscriptionId,
  names: readonly string[],
): Promise<SubscribedObject[]> {
  if (names.length === 0) return [];
  const rows = await selectObjects(reader)
    .where("subscription_id", "=", id)
    .where("name", "in", names)
    .execute();
  return rows.map(objectOf);
}

/** The changes after one, oldest first. */
export async function listSubscribedChanges(
  reader: Reader,
  id: SubscriptionId,
  after: number,
  limit: number,
): Promise<Pick<SubscribedObject, "change" | "name">[]> {
  return reader
    .selectFrom("subscribed_objects")
    .select(["name", "change"])
    .where("subscription_id", "=", id)
    .where("change", ">", after)
    .orderBy("change")
    .limit(limit)
    .execute();
}

/** Those of all calendars of a user that touch a range, by their start. */
export async function listSubscribedIn(
  reader: Reader,
  userId: UserId,
  { from, to }: { readonly from: Timestamp; readonly to: Timestamp },
  limit: number,
): Promise<SubscribedObject[]> {
  const rows = await selectObjects(reader)
    .where("subscription_id", "in", (eb) =>
      eb
        .selectFrom("subscribed_calendars")
        .select("subscribed_calendars.id")
        .where("user_id", "=", userId),
    )
    .where("until_at", ">", from)
    .where("start_at", "<", to)
    .orderBy("start_at")
    .limit(limit)
    .execute();
  return rows.map(objectOf);
}

/** The digests of all objects, by their names. */
export async function listDigests(
  reader: Reader,
  id: SubscriptionId,
): Promise<Map<string, string>> {
  const rows = await reader
    .selectFrom("subscribed_objects")
    .select(["name", "digest"])
    .where("subscription_id", "=", id)
    .execute();
  return new Map(rows.map(({ name, digest }) => [name, digest]));
}

/** Stores what is new or changed. */
export async function saveSubscribedObject(
  tx: Tx,
  id: SubscriptionId,
  object: ReadObject,
  change: number,
): Promise<void> {
  const { name, uid, digest, text, details, startAt, untilAt } = object;
  const stored = {
    ...{ uid, change, digest, ical: text, details: storeJson(details) },
    ...{ start_at: startAt, until_at: untilAt },
  };
  await tx
    .insertInto("subscribed_objects")
    .values({ subscription_id: id, name, ...stored })
    .onConflict((conflict) =>
      conflict.columns(["subscription_id", "name"]).doUpdateSet(stored),
    )
    .execute();
}

/** Stores the same object as it is understood in another zone. */
export async function updateSubscribedTimes(
  tx: Tx,
  id: SubscriptionId,
  { name, details, startAt, untilAt }: ReadObject,
): Promise<void> {
  await tx
    .updateTable("subscribed_objects")
    .set({
      ...{ details: storeJson(details), start_at: startAt, until_at: untilAt },
    })
    .where("subscription_id", "=", id)
    .where("name", "=", name)
    .execute();
}

export async function deleteSubscribedObject(
  tx: Tx,
  id: SubscriptionId,
  name: string,
): Promise<void> {
  await tx
    .deleteFrom("subscribed_objects")
    .where("subscription_id", "=", id)
    .where("name", "=", name)
    .execute();
}
