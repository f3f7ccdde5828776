import { guidOf, type Activity } from "@kith/activitypub";
import type { Person } from "../../../features/people/index.ts";
import { isOfServer } from "../authority/origins.ts";
import { findKnown, type ObjectsDeps } from "../records/objects.ts";

/**
 * Recognises a post by its Guid, where an Update or Delete of its author names it by an id that is
 * unknown here: the author has moved to another server with it, or it came over diaspora*.
 */
export async function recogniseRenamed(
  deps: ObjectsDeps,
  { type, object }: Activity,
  { id, addresses }: Person,
): Promise<void> {
  if (type !== "Update" && type !== "Delete") return;
  const uri = object?.id;
  const guid = object?.embedded && guidOf(object.embedded);
  if (uri === undefined || guid === undefined) return;
  if (!isOfServer(uri, addresses.actorUri ?? "")) return;
  if (await findKnown(deps, uri)) return;
  await deps.posts.rename({ guid, personId: id }, uri);
}
