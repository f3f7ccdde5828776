import type { Reader } from "../../db/db.ts";
import type { PersonId, PostId } from "../ids.ts";
import { isPostVisibleTo, type Viewer } from "../visibility/index.ts";

/** More than any peer lets its people pin. */
const MAX_LISTED = 20;

/** Lists the ids of pinned posts of a person that the viewer may see, newest pin first. */
export async function listPinnedIds(
  reader: Reader,
  personId: PersonId,
  viewer: Viewer,
): Promise<PostId[]> {
  const rows = await reader
    .selectFrom("posts")
    .select("posts.id")
    .where("posts.person_id", "=", personId)
    .where("posts.pinned_at", "is not", null)
    .where((eb) => isPostVisibleTo(viewer)(eb))
    .orderBy("posts.pinned_at", "desc")
    .orderBy("posts.id", "desc")
    .limit(MAX_LISTED)
    .execute();
  return rows.map(({ id }) => id);
}

export async function countPinned(
  reader: Reader,
  personId: PersonId,
): Promise<number> {
  const { count } = await reader
    .selectFrom("posts")
    .select((eb) => eb.fn.countAll<number | string>().as("count"))
    .where("person_id", "=", personId)
    .where("pinned_at", "is not", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}
