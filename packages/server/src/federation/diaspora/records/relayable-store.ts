import type { SignedProperties } from "@kith/diaspora";
import { sql } from "kysely";
import type { Db, Reader, Tx } from "../../../db/db.ts";
import { lockKey } from "../../../db/dialect.ts";
import type { PersonId, PostId } from "../../../features/ids.ts";
import type { RetractedKind } from "../../../features/retractions/index.ts";

export type RelayableKind =
  "Comment" | "EventParticipation" | "Like" | "PollParticipation";

/** The protocol's names of the retracted kinds that authors sign. */
export const RELAYABLE_KINDS: Readonly<
  Record<Exclude<RetractedKind, "Post" | "Photo">, RelayableKind>
> = {
  Comment: "Comment",
  Like: "Like",
  Vote: "PollParticipation",
  Attendance: "EventParticipation",
};

const DELETED_AT_ONCE = 500;

/**
 * The signed properties of a relayable and their signature, relayed unchanged.
 */
export type StoredSignature = Required<SignedProperties>;

export async function findSignature(
  reader: Reader,
  kind: RelayableKind,
  guid: string,
): Promise<StoredSignature | undefined> {
  const row = await reader
    .selectFrom("relayable_signatures")
    .select(["properties", "author_signature"])
    .where("kind", "=", kind)
    .where("guid", "=", guid)
    .executeTakeFirst();
  return (
    row && {
      properties: JSON.parse(row.properties) as StoredSignature["properties"],
      authorSignature: row.author_signature,
    }
  );
}

type Saving = {
  readonly replace: boolean;
  /** Is this a former handle of the author? */
  readonly isSameAuthor?: (handle: string, tx: Tx) => Promise<boolean>;
};

/**
 * Stores a signature. One of the same author is replaced if `replace` is set;
 * one of another author never is: a guid belongs to its first author for ever.
 * @returns the stored signature, or undefined if it is another author's
 */
export async function saveSignature(
  db: Db,
  kind: RelayableKind,
  guid: string,
  signed: StoredSignature,
  { replace, isSameAuthor = async () => false }: Saving,
): Promise<StoredSignature | undefined> {
  return db.transaction(async (tx) => {
    await lockKey(tx, db.dialect, `relayable:${kind}:${guid}`);
    const known = await findSignature(tx, kind, guid);
    const [before, now] = [known && authorOf(known), authorOf(signed)];
    const isOther = known !== undefined && before !== now;
    if (isOther && !(await isSameAuthor(before ?? "", tx))) return undefined;
    if (known && (!replace || isNewer(known, signed))) return known;
    await upsert(tx, kind, guid, signed);
    return signed;
  });
}

/** Deletes signatures of deleted objects, once their retractions are sent. */
export async function deleteSignatures(
  db: Db,
  kind: RelayableKind,
  guids: readonly string[],
): Promise<void> {
  for (let at = 0; at < guids.length; at += DELETED_AT_ONCE)
    await db.transaction((tx) =>
      tx
        .deleteFrom("relayable_signatures")
        .where("kind", "=", kind)
        .where("guid", "in", guids.slice(at, at + DELETED_AT_ONCE))
        .execute(),
    );
}

/** Deletes the signatures of what is below posts, before they are deleted. */
export async function deleteSignaturesBelow(
  tx: Tx,
  postIds: readonly PostId[],
): Promise<void> {
  const ofKind = (kind: RelayableKind) =>
    tx.deleteFrom("relayable_signatures").where("kind", "=", kind);
  await ofKind("Comment")
    .where("guid", "in", (eb) =>
      eb.selectFrom("comments").select("guid").where("post_id", "in", postIds),
    )
    .execute();
  await ofKind("Like")
    .where("guid", "in", (eb) =>
      eb.selectFrom("likes").select("guid").where("post_id", "in", postIds),
    )
    .execute();
  await ofKind("PollParticipation")
    .where("guid", "in", (eb) =>
      eb
        .selectFrom("poll_votes")
        .innerJoin("polls", "polls.id", "poll_votes.poll_id")
        .select("poll_votes.guid")
        .where("polls.post_id", "in", postIds),
    )
    .execute();
}

async function upsert(
  tx: Tx,
  kind: RelayableKind,
  guid: string,
  signed: StoredSignature,
): Promise<void> {
  const columns = {
    properties: JSON.stringify(signed.properties),
    author_signature: signed.authorSignature,
  };
  await tx
    .insertInto("relayable_signatures")
    .values({ kind, guid, ...columns })
    .onConflict((conflict) =>
      conflict.columns(["kind", "guid"]).doUpdateSet(columns),
    )
    .execute();
}

/** Two edits may arrive in the wrong order. */
function isNewer(known: StoredSignature, signed: StoredSignature): boolean {
  const [before, now] = [known, signed].map((one) =>
    Date.parse(valueOf(one, "edited_at") ?? ""),
  );
  return (before ?? NaN) > (now ?? NaN);
}

function authorOf(signed: StoredSignature): string | undefined {
  return valueOf(signed, "author");
}

/** Of a repeated element the first one counts. */
function valueOf(
  { properties }: StoredSignature,
  wanted: string,
): string | undefined {
  return properties.find(([name]) => name === wanted)?.[1];
}

/**
 * Deletes the signatures of a person's relayables, and at last the remaining
 * ones of objects retracted before.
 * @returns true if more may be left
 */
export async function deleteSomeSignaturesOf(
  db: Db,
  personId: PersonId,
  limit: number,
): Promise<boolean> {
  const written = await listSignedGuids(db.read, personId, limit);
  const signed =
    written.length > 0 ? written : await listLeftOver(db.read, personId, limit);
  await db.transaction(async (tx) => {
    for (const { kind, guid } of signed)
      await tx
        .deleteFrom("relayable_signatures")
        .where("kind", "=", kind)
        .where("guid", "=", guid)
        .execute();
  });
  return signed.length > 0;
}

/** Only the signed properties name their author, so all of them are scanned. */
async function listLeftOver(
  reader: Reader,
  personId: PersonId,
  limit: number,
): Promise<{ kind: string; guid: string }[]> {
  const person = await reader
    .selectFrom("people")
    .select("handle")
    .where("id", "=", personId)
    .executeTakeFirst();
  if (!person) return [];
  const author = JSON.stringify(["author", person.handle]);
  const pattern = `%${author.replace(/[\\%_]/g, "\\$&")}%`;
  return reader
    .selectFrom("relayable_signatures")
    .select(["kind", "guid"])
    .where(sql<boolean>`properties like ${pattern} escape '\\'`)
    .limit(limit)
    .execute();
}

async function listSignedGuids(
  reader: Reader,
  personId: PersonId,
  limit: number,
): Promise<{ kind: string; guid: string }[]> {
  const signatures = reader
    .selectFrom("relayable_signatures as signed")
    .select(["signed.kind", "signed.guid"])
    .limit(limit);
  const underComments = await signatures
    .innerJoin("comments", "comments.guid", "signed.guid")
    .where("signed.kind", "=", "Comment")
    .where("comments.person_id", "=", personId)
    .execute();
  const underLikes = await signatures
    .innerJoin("likes", "likes.guid", "signed.guid")
    .where("signed.kind", "=", "Like")
    .where("likes.person_id", "=", personId)
    .execute();
  const underAnswers = await signatures
    .innerJoin("participations", "participations.guid", "signed.guid")
    .where("signed.kind", "=", "EventParticipation")
    .where("participations.person_id", "=", personId)
    .execute();
  const underVotes = await signatures
    .innerJoin("poll_votes", "poll_votes.guid", "signed.guid")
    .where("signed.kind", "=", "PollParticipation")
    .where("poll_votes.person_id", "=", personId)
    .execute();
  return [...underComments, ...underLikes, ...underAnswers, ...underVotes];
}
