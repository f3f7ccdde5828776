import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { forEachDatabase } from "../../test/support/server/databases.ts";
import type { Tx } from "./db.ts";
import { answersGiven } from "./migrations/0037-answers-given.ts";
import { bringUpToDate } from "./older-database.fixture.ts";

const TIME = "2026-01-01T00:00:00.000Z";
const ELSEWHERE = "https://elsewhere.example/users";
const accept = (object: unknown, type = "Accept") =>
  JSON.stringify({ "@context": ["x"], type, object });
const follow = (id: string, more: object = {}) => ({
  id: `${ELSEWHERE}/${id}`,
  type: "Follow",
  ...more,
});

forEachDatabase((kind) => {
  test("an older Kith's answers go, and what Follows they knew stays with the contacts", async () => {
    await bringUpToDate(
      kind,
      answersGiven,
      async (tx) => {
        await insertPeople(tx);
        const sent: [number, string, string][] = [
          [2, accept(follow("old")), TIME],
          [2, accept(follow("new")), TIME.replace("2026", "2027")],
          // What a hostile server may have put into it.
          [3, accept(follow("odd", { name: "\ud800\0" })), TIME],
          [3, accept(follow("refused"), "Reject"), TIME],
          [4, accept(follow("x".repeat(3000))), TIME],
          [4, accept({ type: "Join", id: `${ELSEWHERE}/join` }), TIME],
          [2, accept("https://here.example/event"), TIME],
          [
            2,
            JSON.stringify({ type: "Note", content: accept(follow("")) }),
            TIME,
          ],
        ];
        for (const [index, [to, document, at]] of sent.entries())
          await sql`insert into sent_activities (guid, person_id, public, addressees, document, created_at, is_object)
            values (${`g${index}`}, 1, ${sql.lit(false)}, ${JSON.stringify([`${ELSEWHERE}/${to}`])}, ${document}, ${at}, ${sql.lit(false)})`.execute(
            tx,
          );
      },
      async (db) => {
        const contacts = await db.read
          .selectFrom("contacts")
          .select(["person_id", "sharing_uri"])
          .orderBy("person_id")
          .execute();
        assert.deepEqual(
          contacts.map((one) => [one.person_id, one.sharing_uri]),
          [
            [2, `${ELSEWHERE}/new`],
            [3, null],
            [4, null],
          ],
        );
        const left = await db.read
          .selectFrom("sent_activities")
          .select("guid")
          .orderBy("guid")
          .execute();
        assert.deepEqual(
          left.map(({ guid }) => guid),
          ["g6", "g7"],
        );
      },
    );
  });
});

/** One user here, and three people elsewhere who share with it. */
async function insertPeople(tx: Tx): Promise<void> {
  const no = sql.lit(false);
  const yes = sql.lit(true);
  await sql`insert into users (id, username, password_hash, role, state, locale, time_zone, created_at, updated_at)
    values (1, 'ann', '', 'user', 'active', 'en', 'Etc/UTC', ${TIME}, ${TIME})`.execute(
    tx,
  );
  for (const id of [1, 2, 3, 4]) {
    const userId = id === 1 ? 1 : null;
    const actorUri = id === 1 ? null : `${ELSEWHERE}/${id}`;
    await sql`insert into people (id, guid, handle, user_id, public_key_pem, has_diaspora_key, state, actor_uri, created_at, updated_at)
      values (${id}, ${`p${id}`}, ${`p${id}@x.example`}, ${userId}, '', ${no}, 'active', ${actorUri}, ${TIME}, ${TIME})`.execute(
      tx,
    );
    if (id !== 1)
      await sql`insert into contacts (user_id, person_id, following, sharing, follow_accepted, created_at, updated_at)
        values (1, ${id}, ${no}, ${yes}, ${no}, ${TIME}, ${TIME})`.execute(tx);
  }
}
