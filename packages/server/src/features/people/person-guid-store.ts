import type { Tx } from "../../db/db.ts";
import type { Person } from "./person.ts";

/**
 * Gives a person another Guid, which is free. What names people by their Guid and
 * not by their id changes along: it stands together here, because no feature does
 * anything with it.
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
  // Who has moved is named by its Guid in what is told of the new person.
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
