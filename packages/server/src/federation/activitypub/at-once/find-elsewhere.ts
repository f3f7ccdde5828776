import type { Person } from "../../../features/people/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import { findKnown, type Known, type ObjectsDeps } from "../records/objects.ts";
import { postIdOf } from "../notes/receive-note.ts";

/** Finds a post of another server, or something below one, that a person may see and answer. */
export async function findElsewhere(
  deps: ObjectsDeps,
  uri: string,
  viewer: Person,
): Promise<{ readonly known: Known; readonly post: Post } | undefined> {
  const known = await findKnown(deps, uri);
  if (!known) return undefined;
  const key = { id: postIdOf(known) };
  const by = { personId: viewer.id, userId: null };
  const post = await deps.posts.findVisible(key, by);
  return post && (await isElsewhere(deps, post)) ? { known, post } : undefined;
}

/** Is it a post of another server, and no conversation? Nothing below it is passed on from here. */
export async function isElsewhere(
  { people }: ObjectsDeps,
  { participants, personId }: Post,
): Promise<boolean> {
  if (participants !== null) return false;
  return (await people.find({ id: personId }))?.userId === null;
}
