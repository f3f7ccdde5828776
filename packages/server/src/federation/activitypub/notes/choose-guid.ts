import type { Comments } from "../../../features/comments/index.ts";
import type { Db } from "../../../db/db.ts";
import type { Likes } from "../../../features/likes/index.ts";
import {
  isGuidOfOtherKind,
  type GuidKind,
} from "../../../features/taken-guid-store.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Posts } from "../../../features/posts/index.ts";
import { newGuid } from "../../../lib/guids.ts";

type Holder = Pick<Posts | Comments | Likes, "find">;

/**
 * The Guid that an object declares, unless it belongs to another author or another kind of object;
 * else a new one.
 */
export async function chooseGuid(
  { db, things }: { readonly db: Db; readonly things: Holder },
  kind: GuidKind,
  { guid }: { readonly guid?: string },
  author: Person,
): Promise<string> {
  if (guid === undefined) return newGuid();
  const holder = await things.find({ guid });
  const isTaken =
    (holder !== undefined && holder.personId !== author.id) ||
    (await isGuidOfOtherKind(db.read, kind, { guid, personId: author.id }));
  return isTaken ? newGuid() : guid;
}
