import type { KithServer, TestPerson } from "../server/kith-server.ts";
import type { AspectRecord } from "../server/wire.ts";

/** An aspect of `by` that holds these people. @returns its id */
export async function aspectOf(
  by: TestPerson,
  ...members: readonly TestPerson[]
): Promise<number> {
  const { ID } = await by.post<AspectRecord>("/aspects", { name: "a" });
  for (const { record } of members)
    await by.post(`/people/${record.ID}/aspects/${ID}`);
  return ID;
}

/** `by` wants nothing of `other`, or does not want to read it. */
export async function keepAway(
  { db }: Pick<KithServer, "db">,
  how: "blocks" | "ignores",
  by: TestPerson,
  other: TestPerson,
): Promise<void> {
  const row = {
    person_id: by.record.ID,
    created_at: "2026-01-01T00:00:00.000Z",
  };
  const id = other.record.ID;
  await db.transaction(async (tx) => {
    if (how === "blocks")
      await tx
        .insertInto("blocks")
        .values({ ...row, blocked_person_id: id })
        .execute();
    else
      await tx
        .insertInto("ignores")
        .values({ ...row, ignored_person_id: id })
        .execute();
  });
}
