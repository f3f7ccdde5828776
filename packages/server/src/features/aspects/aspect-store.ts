import type { Selectable } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
import type { RepliesPolicy } from "../../db/schema/columns/stored-names.ts";
import type { Database } from "../../db/schema/schema.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { AspectId, MembershipId, PersonId, UserId } from "../ids.ts";

/**
 * A person's own, named group of contacts, with the number of its members.
 * Visible only to its owner.
 */
export type AspectSummary = {
  readonly id: AspectId;
  readonly userId: UserId;
  readonly name: string;
  readonly isDefault: boolean;
  /** Whose replies the programs of its owner show in it. */
  readonly repliesPolicy: RepliesPolicy;
  /** Are the posts of its members left out of the home of its owner? */
  readonly exclusive: boolean;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  readonly memberCount: number;
};

export type Aspect = AspectSummary & {
  readonly memberships: readonly Membership[];
};

const MAX_LISTED = 1000;

export type Membership = {
  readonly id: MembershipId;
  readonly aspectId: AspectId;
  readonly personId: PersonId;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

export async function insertAspect(
  tx: Tx,
  userId: UserId,
  name: string,
  now: Timestamp,
  isDefault = false,
): Promise<AspectId> {
  const { id } = await tx
    .insertInto("aspects")
    .values({
      user_id: userId,
      name,
      is_default: isDefault,
      // Behind those that have an order.
      position: (eb) =>
        eb
          .selectFrom("aspects as others")
          .select((other) =>
            other.fn
              .coalesce(other.fn.max("others.position"), other.val(0))
              .as("last"),
          )
          .where("others.user_id", "=", userId),
      created_at: now,
      updated_at: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** The parts of an aspect that its owner chooses; what is absent stays. */
export type AspectChange = {
  readonly name?: string | undefined;
  readonly repliesPolicy?: RepliesPolicy | undefined;
  readonly exclusive?: boolean | undefined;
};

export async function updateAspect(
  tx: Tx,
  id: AspectId,
  { name, repliesPolicy, exclusive }: AspectChange,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("aspects")
    .set({
      ...(name !== undefined && { name }),
      ...(repliesPolicy !== undefined && { replies_policy: repliesPolicy }),
      ...(exclusive !== undefined && { exclusive }),
      updated_at: now,
    })
    .where("id", "=", id)
    .execute();
}

export async function updateAspectPosition(
  tx: Tx,
  id: AspectId,
  position: number,
): Promise<void> {
  await tx
    .updateTable("aspects")
    .set({ position })
    .where("id", "=", id)
    .execute();
}

export async function deleteAspect(tx: Tx, id: AspectId): Promise<void> {
  await tx.deleteFrom("aspects").where("id", "=", id).execute();
}

/**
 * Lists the user's aspects in their order, or only the named ones. Other users' aspects are
 * not found.
 */
export async function listAspects(
  reader: Reader,
  userId: UserId,
  only: { ids?: readonly AspectId[]; holding?: PersonId } = {},
): Promise<Aspect[]> {
  let query = reader
    .selectFrom("aspects")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("position")
    .orderBy("id")
    .limit(MAX_LISTED);
  if (only.ids !== undefined) query = query.where("id", "in", only.ids);
  const { holding } = only;
  if (holding !== undefined)
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom("aspect_memberships")
          .select("aspect_memberships.id")
          .whereRef("aspect_memberships.aspect_id", "=", "aspects.id")
          .where("aspect_memberships.person_id", "=", holding),
      ),
    );
  const rows = await query.execute();
  const memberships = await listMemberships(
    reader,
    rows.map((row) => row.id),
  );
  const byAspect = Map.groupBy(memberships, ({ aspectId }) => aspectId);
  return rows.map((row) => {
    const members = byAspect.get(row.id) ?? [];
    const summary = toSummary(row, members.length);
    return { ...summary, memberships: members };
  });
}

/** Lists the user's aspects in their order, without naming their members. */
export async function listAspectSummaries(
  reader: Reader,
  userId: UserId,
): Promise<AspectSummary[]> {
  const rows = await SUMMARIES(reader, { userId });
  return rows.map(({ members, ...row }) => toSummary(row, members));
}

const SUMMARIES = prepareQuery<
  { userId: UserId },
  Selectable<Database["aspects"]> & { members: number }
>((reader, value) =>
  reader
    .selectFrom("aspects")
    .selectAll("aspects")
    .select((eb) =>
      eb
        .selectFrom("aspect_memberships")
        .select((of) => of.fn.countAll<number>().as("count"))
        .whereRef("aspect_memberships.aspect_id", "=", "aspects.id")
        .$asScalar()
        .$notNull()
        .as("members"),
    )
    .where("user_id", "=", value("userId"))
    .orderBy("position")
    .orderBy("id")
    .limit(MAX_LISTED)
    .compile(),
);

function toSummary(
  row: Selectable<Database["aspects"]>,
  memberCount: number,
): AspectSummary {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    isDefault: Boolean(row.is_default),
    repliesPolicy: row.replies_policy,
    exclusive: Boolean(row.exclusive),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    memberCount: Number(memberCount),
  };
}

async function listMemberships(
  reader: Reader,
  aspectIds: AspectId[],
): Promise<Membership[]> {
  if (aspectIds.length === 0) return [];
  const rows = await reader
    .selectFrom("aspect_memberships")
    .selectAll()
    .where("aspect_id", "in", aspectIds)
    .orderBy("id")
    .execute();
  return rows.map(toMembership);
}

export async function findMembership(
  reader: Reader,
  aspectId: AspectId,
  personId: PersonId,
): Promise<Membership | undefined> {
  const row = await reader
    .selectFrom("aspect_memberships")
    .selectAll()
    .where("aspect_id", "=", aspectId)
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return row && toMembership(row);
}

export async function insertMembership(
  tx: Tx,
  aspectId: AspectId,
  personId: PersonId,
  now: Timestamp,
): Promise<void> {
  await tx
    .insertInto("aspect_memberships")
    .values({
      aspect_id: aspectId,
      person_id: personId,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(["aspect_id", "person_id"]).doNothing(),
    )
    .execute();
}

export async function deleteMembership(
  tx: Tx,
  id: MembershipId,
): Promise<void> {
  await tx.deleteFrom("aspect_memberships").where("id", "=", id).execute();
}

/** Removes the person from all of the user's aspects. */
export async function deleteMembershipsOf(
  tx: Tx,
  userId: UserId,
  personId: PersonId,
): Promise<void> {
  await tx
    .deleteFrom("aspect_memberships")
    .where("person_id", "=", personId)
    .where("aspect_id", "in", (eb) =>
      eb
        .selectFrom("aspects")
        .select("aspects.id")
        .where("user_id", "=", userId),
    )
    .execute();
}

/** Lists the members of all of the user's aspects, each once. */
export async function listMemberIds(
  reader: Reader,
  userId: UserId,
): Promise<PersonId[]> {
  const rows = await reader
    .selectFrom("aspect_memberships")
    .innerJoin("aspects", "aspects.id", "aspect_memberships.aspect_id")
    .select("aspect_memberships.person_id")
    .distinct()
    .where("aspects.user_id", "=", userId)
    .execute();
  return rows.map((row) => row.person_id);
}

/** Is the person in an aspect of the user whose posts are left out of the home? */
export async function isInExclusiveAspect(
  reader: Reader,
  userId: UserId,
  personId: PersonId,
): Promise<boolean> {
  const row = await aspectsWith(reader, userId, personId)
    .where("aspects.exclusive", "=", true)
    .executeTakeFirst();
  return row !== undefined;
}

/** Is the person in any of the user's aspects? */
export async function isInAnyAspect(
  reader: Reader,
  userId: UserId,
  personId: PersonId,
): Promise<boolean> {
  const row = await aspectsWith(reader, userId, personId).executeTakeFirst();
  return row !== undefined;
}

/** The user's aspects that have the person. */
const aspectsWith = (reader: Reader, userId: UserId, personId: PersonId) =>
  reader
    .selectFrom("aspect_memberships")
    .innerJoin("aspects", "aspects.id", "aspect_memberships.aspect_id")
    .select("aspects.id")
    .where("aspects.user_id", "=", userId)
    .where("aspect_memberships.person_id", "=", personId);

function toMembership(row: {
  id: MembershipId;
  aspect_id: AspectId;
  person_id: PersonId;
  created_at: string;
  updated_at: string;
}): Membership {
  return {
    id: row.id,
    aspectId: row.aspect_id,
    personId: row.person_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/**
 * Deletes some aspects of a person who has left, and its memberships in others' aspects.
 * @returns how many were deleted
 */
export async function deleteSomeAspectsOf(
  tx: Tx,
  { personId, userId }: { personId: PersonId; userId: UserId | null },
  limit: number,
): Promise<number> {
  const { numDeletedRows: memberships } = await tx
    .deleteFrom("aspect_memberships")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("aspect_memberships as own")
        .select("own.id")
        .where("own.person_id", "=", personId)
        .limit(limit),
    )
    .executeTakeFirst();
  if (userId === null) return Number(memberships);
  const { numDeletedRows: aspects } = await tx
    .deleteFrom("aspects")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("aspects as own")
        .select("own.id")
        .where("own.user_id", "=", userId)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(memberships) + Number(aspects);
}
