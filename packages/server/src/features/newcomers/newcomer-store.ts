import type { InferResult } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
import type { NewcomerActsTable } from "../../db/schema/schema-moderation.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { UserId } from "../ids.ts";

export type NewcomerAct = NewcomerActsTable["kind"];

/** The limits for new accounts, with the age of an account; a limit of 0 is none. */
export type NewcomerRules = {
  readonly days: number;
  readonly writings: number;
  readonly follows: number;
  readonly mayLink: boolean;
  readonly since: Timestamp;
};

const selectRules = (reader: Reader, userId: UserId) =>
  reader
    .selectFrom("server_profile")
    .innerJoin("users", (join) => join.on("users.id", "=", userId))
    .select(["newcomer_days", "newcomer_posts", "newcomer_follows"])
    .select(["newcomer_links", "users.created_at"])
    .where("server_profile.newcomer_days", ">", 0)
    .where("users.role", "=", "user");

const rulesFor = prepareQuery<
  { userId: UserId },
  InferResult<ReturnType<typeof selectRules>>[number]
>((reader, value) => selectRules(reader, value("userId")).compile(), {
  types: { userId: "bigint" },
});

/** @returns undefined where there are no limits, and for moderators and admins */
export async function findRules(
  reader: Reader,
  userId: UserId,
): Promise<NewcomerRules | undefined> {
  const [row] = await rulesFor(reader, { userId });
  return (
    row && {
      days: row.newcomer_days,
      writings: row.newcomer_posts,
      follows: row.newcomer_follows,
      mayLink: Boolean(row.newcomer_links),
      since: row.created_at,
    }
  );
}

/** The time of the n-th newest act after a time; undefined if there are fewer. */
export async function findNthNewest(
  tx: Tx,
  userId: UserId,
  kind: NewcomerAct,
  after: Timestamp,
  n: number,
): Promise<Timestamp | undefined> {
  const row = await tx
    .selectFrom("newcomer_acts")
    .select("at")
    .where("user_id", "=", userId)
    .where("kind", "=", kind)
    .where("at", ">", after)
    .orderBy("at", "desc")
    .limit(1)
    .offset(n - 1)
    .executeTakeFirst();
  return row?.at;
}

export async function insertNewcomerAct(
  tx: Tx,
  userId: UserId,
  kind: NewcomerAct,
  at: Timestamp,
): Promise<void> {
  await tx
    .insertInto("newcomer_acts")
    .values({ user_id: userId, kind, at })
    .execute();
}

/** Some of all, or of one account. @returns how many */
export async function deleteSomeActs(
  tx: Tx,
  of: { readonly userId: UserId } | { readonly before: Timestamp },
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("newcomer_acts")
    .where("id", "in", (eb) => {
      const some = eb.selectFrom("newcomer_acts as some").select("some.id");
      const meant =
        "userId" in of
          ? some.where("some.user_id", "=", of.userId)
          : some.where("some.at", "<=", of.before);
      return meant.limit(limit);
    })
    .executeTakeFirst();
  return Number(numDeletedRows);
}
