import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { forEachDatabase } from "../../test/support/server/databases.ts";
import type { Tx } from "./db.ts";
import { statedAnswers } from "./migrations/0046-stated-answers.ts";
import { bringUpToDate } from "./older-database.fixture.ts";

const STATED = "2026-01-01T00:00:00.000Z";
const CAME = "2026-01-01T00:00:00.123Z";

forEachDatabase((kind) => {
  test("of the answers that are here, those that pods dated stay dated", () =>
    bringUpToDate(kind, statedAnswers, fill, async (db) => {
      const rows = await db.read
        .selectFrom("participations")
        .select(["guid", "stated_at"])
        .orderBy("guid")
        .execute();
      assert.deepEqual(
        rows.map(({ guid, stated_at }) => [guid, stated_at]),
        [
          ["by-a-pod", STATED],
          ["from-here", null],
          ["over-activitypub", null],
          ["without-a-time", null],
        ],
      );
    }));
});

async function fill(tx: Tx): Promise<void> {
  const no = sql.lit(false);
  await sql`insert into users (id, username, password_hash, role, state, locale, time_zone, created_at, updated_at)
    values (1, 'ann', '', 'user', 'active', 'en', 'Etc/UTC', ${CAME}, ${CAME})`.execute(
    tx,
  );
  const answers = [
    ["from-here", null, STATED],
    ["by-a-pod", null, STATED],
    ["without-a-time", null, CAME],
    ["over-activitypub", "https://x.example/accept", STATED],
  ] as const;
  for (const [index, [guid, uri, updatedAt]] of answers.entries()) {
    const id = index + 1;
    const userId = id === 1 ? 1 : null;
    await sql`insert into people (id, guid, handle, user_id, public_key_pem, has_diaspora_key, state, created_at, updated_at)
      values (${id}, ${`p${id}`}, ${`p${id}@x.example`}, ${userId}, '', ${no}, 'active', ${CAME}, ${CAME})`.execute(
      tx,
    );
    if (id === 1)
      await sql`insert into events (id, guid, uid, person_id, audience, public, summary, description, location, start_at, until_at, all_day, time_zone, sequence, created_at, updated_at)
        values (1, 'e1', 'e1', 1, 'everyone', ${sql.lit(true)}, '', '', '', ${CAME}, ${CAME}, ${no}, 'Etc/UTC', 0, ${CAME}, ${CAME})`.execute(
        tx,
      );
    await sql`insert into participations (guid, event_id, person_id, status, uri, created_at, updated_at)
      values (${guid}, 1, ${id}, 'accepted', ${uri}, ${CAME}, ${updatedAt})`.execute(
      tx,
    );
  }
}
