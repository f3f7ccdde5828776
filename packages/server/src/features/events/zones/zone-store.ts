import type { Reader, Tx } from "../../../db/db.ts";
import { loadJson, storeJson } from "../../../db/schema/columns/json-text.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";
import type { ZonePeriods } from "../../../lib/time/zone-periods.ts";
import type { EventId } from "../../ids.ts";

/** Notes that a version of zone data is used from now on, unless it is used already. */
export async function saveZoneData(
  tx: Tx,
  version: string,
  now: Timestamp,
): Promise<void> {
  await tx.deleteFrom("zone_data").where("version", "<>", version).execute();
  await tx
    .insertInto("zone_data")
    .values({ version, since: now })
    .onConflict((conflict) => conflict.column("version").doNothing())
    .execute();
}

/** Since when a version of zone data is used; undefined if another one is. */
export async function findZoneDataSince(
  reader: Reader,
  version: string,
): Promise<Timestamp | undefined> {
  const row = await reader
    .selectFrom("zone_data")
    .select("since")
    .where("version", "=", version)
    .executeTakeFirst();
  return row?.since;
}

export async function listKnownZones(
  reader: Reader,
): Promise<Map<string, ZonePeriods>> {
  const rows = await reader.selectFrom("known_zones").selectAll().execute();
  return new Map(rows.map(({ name, periods }) => [name, loadJson(periods)]));
}

export async function saveKnownZone(
  tx: Tx,
  name: string,
  periods: ZonePeriods,
): Promise<void> {
  const stored = { periods: storeJson(periods) };
  await tx
    .insertInto("known_zones")
    .values({ name, ...stored })
    .onConflict((conflict) => conflict.column("name").doUpdateSet(stored))
    .execute();
}

/** Of people of this server: others send their own changes. */
const selectComing = (reader: Reader, now: Timestamp) =>
  reader
    .selectFrom("events")
    .innerJoin("people", "people.id", "events.person_id")
    .where("people.user_id", "is not", null)
    .where("events.all_day", "=", false)
    .where("events.until_at", ">", now);

/** The zones of coming events. */
export async function listZonesInUse(
  reader: Reader,
  now: Timestamp,
): Promise<string[]> {
  const rows = await selectComing(reader, now)
    .select("events.time_zone")
    .distinct()
    .execute();
  return rows.map((row) => row.time_zone);
}

/** Some coming events of a zone that were last written before a moment, by their id. */
export async function listWrittenBefore(
  reader: Reader,
  zone: string,
  { now, before }: { readonly now: Timestamp; readonly before: Timestamp },
  after: EventId | undefined,
  limit: number,
): Promise<EventId[]> {
  let query = selectComing(reader, now)
    .select("events.id")
    .where("events.time_zone", "=", zone)
    .where("events.updated_at", "<", before);
  if (after !== undefined) query = query.where("events.id", ">", after);
  const rows = await query.orderBy("events.id").limit(limit).execute();
  return rows.map((row) => row.id);
}
