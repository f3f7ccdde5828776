import type { Reader, Tx } from "../db/db.ts";
import { prepareQuery, type PreparedQuery } from "../db/prepared-query.ts";
import { onlyClaimsGuids, signsGuids } from "../db/schema/remote-person.ts";
import { newGuid } from "../lib/guids.ts";
import type { CommentId, LikeId, PersonId, PostId } from "./ids.ts";

/**
 * Kinds that share one Guid namespace: ActivityPub ids built from Guids do not contain the
 * kind.
 */
export type GuidKind = "Post" | "Comment" | "Like";

const TABLES = { Post: "posts", Comment: "comments", Like: "likes" } as const;

type Taking = { readonly guid: string; readonly personId: PersonId };

/**
 * Frees a Guid for a remote person who signs it: an object whose author only claims the
 * Guid is renamed to a new one of ours. The caller has locked the Guid.
 * @returns whether any object gave up the Guid
 */
export async function freeClaimedGuid(
  tx: Tx,
  { guid, personId }: Taking,
): Promise<boolean> {
  const taker = await tx
    .selectFrom("people")
    .select("people.id")
    .where("people.id", "=", personId)
    .where(signsGuids("people.id"))
    .executeTakeFirst();
  if (!taker) return false;
  let isFreed = false;
  for (const kind of ["Post", "Comment", "Like"] as const) {
    const id = await findClaiming(tx, kind, guid);
    if (id === undefined) continue;
    await rename(tx, kind, { id, guid }, newGuid());
    isFreed = true;
  }
  return isFreed;
}

/** Is the Guid taken by another kind, even after objects that only claim it have been renamed? */
export async function isGuidKeptFrom(
  tx: Tx,
  kind: GuidKind,
  taking: Taking,
): Promise<boolean> {
  if (!(await isGuidOfOtherKind(tx, kind, taking))) return false;
  if (!(await freeClaimedGuid(tx, taking))) return true;
  return isGuidOfOtherKind(tx, kind, taking);
}

async function findClaiming(
  tx: Tx,
  kind: GuidKind,
  guid: string,
): Promise<PostId | CommentId | LikeId | undefined> {
  const row = await tx
    .selectFrom(TABLES[kind])
    .select("id")
    .where("guid", "=", guid)
    .where(onlyClaimsGuids(`${TABLES[kind]}.person_id`))
    .executeTakeFirst();
  return row?.id;
}

/** Also updates every reference by Guid. */
async function rename(
  tx: Tx,
  kind: GuidKind,
  {
    id,
    guid,
  }: { readonly id: PostId | CommentId | LikeId; readonly guid: string },
  to: string,
): Promise<void> {
  await tx
    .updateTable(TABLES[kind])
    .set({ guid: to })
    .where("id", "=", id)
    .execute();
  await tx
    .updateTable("notifications")
    .set({ shareable_guid: to })
    .where("shareable_type", "=", kind)
    .where("shareable_guid", "=", guid)
    .execute();
  if (kind !== "Like")
    await tx
      .updateTable("reports")
      .set({ target_guid: to })
      .where("target_kind", "=", kind === "Post" ? "post" : "comment")
      .where("target_guid", "=", guid)
      .execute();
  if (kind === "Post") {
    await tx
      .updateTable("posts")
      .set({ root_guid: to })
      .where("root_guid", "=", guid)
      .execute();
    await tx
      .updateTable("quotes")
      .set({ quoted_guid: to })
      .where("quoted_guid", "=", guid)
      .execute();
  }
  if (kind === "Comment")
    await tx
      .updateTable("comments")
      .set({ parent_guid: to })
      .where("parent_guid", "=", guid)
      .where("post_id", "in", (eb) =>
        eb
          .selectFrom("comments as one")
          .select("post_id")
          .where("guid", "=", to),
      )
      .execute();
}

/**
 * Is the Guid taken by an object of another kind, or by a retracted one of a local person
 * or of the same author? Then this kind cannot use it: the sender chooses the Guid, and
 * could choose one that already identifies another object. Other people's retracted
 * objects do not block a Guid. The caller storing the object has locked its Guid.
 */
export async function isGuidOfOtherKind(
  reader: Reader,
  kind: GuidKind,
  { guid, personId }: { readonly guid: string; readonly personId: PersonId },
): Promise<boolean> {
  return (await namesakes[kind](reader, { guid, personId })).length > 0;
}

type Find = PreparedQuery<
  { guid: string; personId: PersonId },
  { guid: string }
>;

const namesakes: Readonly<Record<GuidKind, Find>> = {
  Post: prepareAmong("Comment", "Like"),
  Comment: prepareAmong("Post", "Like"),
  Like: prepareAmong("Post", "Comment"),
};

function prepareAmong(one: GuidKind, other: GuidKind): Find {
  return prepareQuery((reader, value) => {
    const named = (kind: GuidKind) =>
      selectNamed(reader, TABLES[kind], value("guid"));
    return named(one)
      .unionAll(named(other))
      .unionAll(
        reader
          .selectFrom("tombstones")
          .select("guid")
          .where("kind", "in", [one, other])
          .where("guid", "=", value("guid"))
          .where((eb) =>
            eb.or([
              eb("person_id", "=", value("personId")),
              eb.exists(
                eb
                  .selectFrom("people")
                  .select("people.id")
                  .whereRef("people.id", "=", "tombstones.person_id")
                  .where("people.user_id", "is not", null),
              ),
            ]),
          ),
      )
      .compile();
  });
}

function selectNamed(
  reader: Reader,
  table: (typeof TABLES)[GuidKind],
  guid: string,
) {
  return reader.selectFrom(table).select("guid").where("guid", "=", guid);
}
