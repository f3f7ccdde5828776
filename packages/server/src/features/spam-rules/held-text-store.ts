import type { Selectable } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import { loadJson, storeJson } from "../../db/schema/columns/json-text.ts";
import type {
  HeldAudience,
  HeldComment,
  HeldTextsTable,
} from "../../db/schema/schema-moderation.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId, PostId } from "../ids.ts";
import { fetchPage, type Page } from "../page.ts";

export type { HeldAudience, HeldComment };

type HeldContent =
  | { readonly kind: "post"; readonly audience: HeldAudience }
  | { readonly kind: "comment"; readonly comment: HeldComment };

/** A text that waits for a moderator. */
export type HeldText = HeldContent & {
  readonly id: number;
  readonly guid: string;
  readonly uri: string | null;
  readonly personId: PersonId;
  /** The post that waits, or that the comment is on. */
  readonly postId: PostId;
  /** The name of the rule that held it. */
  readonly rule: string;
  readonly createdAt: Timestamp;
};

export type NewHeldText = HeldContent &
  Pick<HeldText, "createdAt" | "guid" | "personId" | "postId" | "rule" | "uri">;

/** One author cannot fill the list of the moderators. */
const MAX_OF_ONE = 20;
const MAX_HELD = 2_000;

/** May one more text of this author wait? */
export async function hasRoomToHold(
  reader: Reader,
  personId: PersonId,
): Promise<boolean> {
  const own = await countHeld(reader, personId);
  return own < MAX_OF_ONE && (await countHeld(reader)) < MAX_HELD;
}

export async function insertHeld(tx: Tx, held: NewHeldText): Promise<void> {
  await tx
    .insertInto("held_texts")
    .values({
      kind: held.kind,
      guid: held.guid,
      uri: held.uri,
      person_id: held.personId,
      post_id: held.postId,
      rule: held.rule,
      audience: held.kind === "post" ? storeJson(held.audience) : null,
      comment: held.kind === "comment" ? storeJson(held.comment) : null,
      created_at: held.createdAt,
    })
    .execute();
}

/** More people shall see the post. */
export async function updateHeldAudience(
  tx: Tx,
  id: number,
  audience: HeldAudience,
): Promise<void> {
  await tx
    .updateTable("held_texts")
    .set({ audience: storeJson(audience) })
    .where("id", "=", id)
    .execute();
}

/** Its author's server has sent another text, which a moderator reads instead. */
export async function updateHeldComment(
  tx: Tx,
  id: number,
  comment: HeldComment,
): Promise<void> {
  await tx
    .updateTable("held_texts")
    .set({ comment: storeJson(comment) })
    .where("id", "=", id)
    .execute();
}

/** @returns false if it was decided or withdrawn meanwhile */
export async function deleteHeld(tx: Tx, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("held_texts")
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

type HeldKey =
  | { readonly id: number }
  | { readonly guid: string }
  | { readonly uri: string };

export async function findHeld(
  reader: Reader,
  key: HeldKey,
): Promise<HeldText | undefined> {
  const query = reader.selectFrom("held_texts").selectAll();
  const named =
    "id" in key
      ? query.where("id", "=", key.id)
      : "guid" in key
        ? query.where("guid", "=", key.guid)
        : query.where("uri", "=", key.uri);
  const row = await named.executeTakeFirst();
  return row && toHeld(row);
}

/** The post, if it waits. */
export async function findHeldPost(
  reader: Reader,
  postId: PostId,
): Promise<(HeldText & { readonly kind: "post" }) | undefined> {
  const row = await reader
    .selectFrom("held_texts")
    .selectAll()
    .where("post_id", "=", postId)
    .where("kind", "=", "post")
    .executeTakeFirst();
  const held = row && toHeld(row);
  return held?.kind === "post" ? held : undefined;
}

/** Newest first. @param of one author alone */
export async function listHeld(
  reader: Reader,
  page: Page,
  of?: PersonId,
): Promise<HeldText[]> {
  const query = reader.selectFrom("held_texts").selectAll();
  const own = of === undefined ? query : query.where("person_id", "=", of);
  const rows = await fetchPage(own, "held_texts.id", page);
  return rows.map(toHeld);
}

/** @param of one author alone */
export async function countHeld(
  reader: Reader,
  of?: PersonId,
): Promise<number> {
  const query = reader
    .selectFrom("held_texts")
    .select((eb) => eb.fn.countAll<number>().as("count"));
  const own = of === undefined ? query : query.where("person_id", "=", of);
  return Number((await own.executeTakeFirstOrThrow()).count);
}

/** Deletes the held texts of an account that has left. @returns how many */
export async function deleteSomeHeldOf(
  tx: Tx,
  personId: PersonId,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("held_texts")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("held_texts as own")
        .select("own.id")
        .where("own.person_id", "=", personId)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

function toHeld(row: Selectable<HeldTextsTable>): HeldText {
  const { audience, comment } = row;
  const known = {
    id: row.id,
    guid: row.guid,
    uri: row.uri,
    personId: row.person_id,
    postId: row.post_id,
    rule: row.rule,
    createdAt: row.created_at,
  };
  if (comment !== null)
    return { ...known, kind: "comment", comment: loadJson(comment) };
  if (audience === null) throw new Error("A held text has no content");
  return { ...known, kind: "post", audience: loadJson(audience) };
}
