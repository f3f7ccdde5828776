import type { Reader } from "../db/db.ts";
import { prepareQuery, type PreparedQuery } from "../db/prepared-query.ts";
import type { PersonId } from "./ids.ts";

/** Things that share one space of Guids: the ActivityPub ids made of them do not say which kind is meant. */
export type GuidKind = "Post" | "Comment" | "Like";

/**
 * Does a Guid name a thing of another kind, or did one of somebody here or of the same
 * author have it before that was retracted? Then it cannot name one of this kind:
 * whoever sends a thing chooses its Guid, and could choose the one by which something
 * else is known. What others retracted keeps nobody out. Who stores a thing has locked
 * its Guid.
 */
export async function isGuidOfOtherKind(
  reader: Reader,
  kind: GuidKind,
  { guid, personId }: { readonly guid: string; readonly personId: PersonId },
): Promise<boolean> {
  return (await namesakes[kind](reader, { guid, personId })).length > 0;
}

const TABLES = { Post: "posts", Comment: "comments", Like: "likes" } as const;

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
