import type { Migration } from "../migration.ts";

/**
 * The Guid by which somebody's own diaspora* server knows it, as that server told it.
 * Not unique: anybody can have its server tell the Guid of another one. Null of those
 * of whom it is not known yet; the next look-up tells it.
 */
export const confirmedGuids: Migration = {
  number: 36,
  name: "confirmed-guids",
  statements: () => [`alter table people add column diaspora_guid text`],
};
