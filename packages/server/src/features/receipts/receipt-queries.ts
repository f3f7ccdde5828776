import { sql } from "kysely";
import type { Reader } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PostId } from "../ids.ts";

/** The state of a post's delivery to one server. */
export type Receipt = {
  /** `name[:port]` of the server. The recipients on it are not recorded. */
  readonly host: string;
  /** Its place in the list, with its scheme. */
  readonly key: string;
  /**
   * `waiting`: at least one delivery is still being retried. `failed`: given up. Else the
   * server has accepted it.
   */
  readonly state: "delivered" | "waiting" | "failed";
  /** When the server last accepted it. */
  readonly deliveredAt: Timestamp | null;
  /** When it was last given up. */
  readonly failedAt: Timestamp | null;
  /** The time of the next attempt, while it waits. */
  readonly nextAttemptAt: Timestamp | null;
};

export type ReceiptPage = {
  readonly offset: number;
  readonly limit: number;
  /** The key of the receipt after which the page begins. */
  readonly afterKey?: string | undefined;
};

/** Ordered by server name. */
export async function listReceipts(
  reader: Reader,
  postId: PostId,
  { offset, limit, afterKey = "" }: ReceiptPage,
): Promise<Receipt[]> {
  const none = sql<Timestamp | null>`cast(null as text)`;
  const settled = reader
    .selectFrom("delivery_receipts")
    .where("post_id", "=", postId)
    .select(["host", "delivered_at", "failed_at", none.as("run_at")]);
  const waiting = reader
    .selectFrom("job_documents")
    .innerJoin("jobs", "jobs.document_id", "job_documents.id")
    .where("job_documents.post_id", "=", postId)
    .where("jobs.state", "<>", "dead")
    .select((eb) => [
      eb.fn.coalesce("jobs.host", sql<string>`''`).as("host"),
      none.as("delivered_at"),
      none.as("failed_at"),
      "jobs.run_at",
    ]);
  const rows = await reader
    .selectFrom(settled.unionAll(waiting).as("receipt"))
    .select((eb) => [
      "host",
      eb.fn.max("delivered_at").as("delivered_at"),
      eb.fn.max("failed_at").as("failed_at"),
      eb.fn.min("run_at").as("next_at"),
    ])
    .where("host", afterKey === "" ? ">=" : ">", afterKey)
    .groupBy("host")
    .orderBy("host")
    .offset(offset)
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    host: nameOf(row.host),
    key: row.host,
    state: stateOf(row),
    deliveredAt: row.delivered_at,
    failedAt: row.failed_at,
    nextAttemptAt: row.next_at,
  }));
}

function stateOf(row: {
  delivered_at: Timestamp | null;
  failed_at: Timestamp | null;
  next_at: Timestamp | null;
}): Receipt["state"] {
  if (row.next_at !== null) return "waiting";
  const hasFailed =
    row.failed_at !== null && row.failed_at > (row.delivered_at ?? "");
  return hasFailed ? "failed" : "delivered";
}

function nameOf(origin: string): string {
  return URL.parse(origin)?.host ?? origin;
}
