import type { Tx } from "../../db/db.ts";
import type { Person } from "./person.ts";

/**
 * Gives a person another, free Guid. Also updates every reference by Guid instead of id.
 * They are all listed here because no feature uses these references.
 */
export async function renamePerson(
  tx: Tx,
  { id, guid }: Pick<Person, "id" | "guid">,
  to: string,
): Promise<void> {
  await tx
    .updateTable("people")
    .set({ guid: to })
    .where("id", "=", id)
    .execute();
  await tx
    .updateTable("notifications")
    .set({ shareable_guid: to })
    .where("shareable_guid", "=", guid)
    .where("shareable_type", "=", "Contact")
    .where("person_id", "=", id)
    .execute();
  // Notifications of a move refer to the old account by its Guid.
  await tx
    .updateTable("notifications")
    .set({ shareable_guid: to })
    .where("shareable_guid", "=", guid)
    .where("shareable_type", "=", "Move")
    .execute();
  await tx
    .updateTable("reports")
    .set({ target_guid: to })
    .where("person_id", "=", id)
    .where("target_kind", "=", "person")
    .where("target_guid", "=", guid)
    .execute();
}
