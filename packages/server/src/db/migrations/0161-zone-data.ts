import type { Migration } from "../migration.ts";

/** The offsets of time zones as events were written with them, and since when others are used. */
export const zoneData: Migration = {
  number: 161,
  name: "zone-data",
  statements: () => [
    `create table zone_data (
      version text primary key,
      since text not null)`,
    `create table known_zones (
      name text primary key,
      periods text not null)`,
  ],
};
