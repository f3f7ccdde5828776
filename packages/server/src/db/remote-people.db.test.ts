import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { forEachDatabase } from "../../test/support/server/databases.ts";
import type { Tx } from "./db.ts";
import { remotePeople } from "./migrations/0054-remote-people.ts";
import { bringUpToDate } from "./older-database.fixture.ts";
import type { PersonId } from "./schema/ids.ts";

const TIME = "2026-01-01T00:00:00.000Z";

forEachDatabase((kind) => {
  test("facts that an older Kith knows of remote people stay, each in its place", async () => {
    await bringUpToDate(kind, remotePeople, fill, async (db) => {
      const rows = await db.read
        .selectFrom("remote_people")
        .selectAll()
        .orderBy("person_id")
        .execute();
      assert.deepEqual(
        rows.map((row) => ({
          ...row,
          protocol_open: Boolean(row.protocol_open),
          has_diaspora_key: Boolean(row.has_diaspora_key),
        })),
        [BOB, CID, DAN],
      );
      const people = await db.read
        .selectFrom("people")
        .select(["id", "handle", "public_key_pem", "state"])
        .orderBy("id")
        .execute();
      assert.deepEqual(
        people.map((row) => Object.values(row)),
        [1, 2, 3, 4].map((id) => [id, `p${id}@x.example`, "key", "active"]),
      );
    });
  });

  test("of two people of one actor the second is refused, as before", async () => {
    await bringUpToDate(kind, remotePeople, fill, async (db) => {
      await assert.rejects(
        db.transaction((tx) =>
          tx
            .updateTable("remote_people")
            .set({ uri: BOB.uri })
            .where("person_id", "=", DAN.person_id as PersonId)
            .execute(),
        ),
      );
    });
  });

  test("contacts of an older Kith keep their requests, and each of these is one contact's", async () => {
    await bringUpToDate(kind, remotePeople, fill, async (db) => {
      const rows = await db.read
        .selectFrom("contacts")
        .select(["person_id", "request_guid", "confirmed"])
        .orderBy("person_id")
        .execute();
      assert.deepEqual(
        rows.map((row) => [
          ...[row.person_id, row.request_guid, Boolean(row.confirmed)],
        ]),
        [
          [2, "f2", true],
          [3, "f3", false],
          [4, null, false],
        ],
      );
      await assert.rejects(
        db.transaction((tx) =>
          tx
            .updateTable("contacts")
            .set({ request_guid: "f2" })
            .where("person_id", "=", 4 as PersonId)
            .execute(),
        ),
      );
    });
  });

  test("facts of contacts that an older Kith left in the queue name their requests", async () => {
    await bringUpToDate(kind, remotePeople, fill, async (db) => {
      const jobs = await db.read
        .selectFrom("jobs")
        .select(["kind", "payload"])
        .orderBy("id")
        .execute();
      assert.deepEqual(
        jobs.map((job) => [job.kind, JSON.parse(job.payload) as unknown]),
        [
          ["fan-out", { ...CHANGED, following: true, requestGuid: "f2" }],
          ["notify", { ...REFUSED, requestGuid: "f3" }],
          ["fan-out", { type: "profile.changed", by: 1 }],
          ["leave-relay", { relay: { followGuid: "r" } }],
        ],
      );
    });
  });
});

const CHANGED = { type: "contact.changed", userId: 1, personId: 2, by: 1 };
const REFUSED = { type: "follow.refused", userId: 1, by: 3 };

async function fill(tx: Tx): Promise<void> {
  await fillPeople(tx);
  await fillContacts(tx);
  const jobs: [string, object][] = [
    ["fan-out", { ...CHANGED, following: true, followGuid: "f2" }],
    ["notify", { ...REFUSED, followGuid: "f3" }],
    ["fan-out", { type: "profile.changed", by: 1 }],
    ["leave-relay", { relay: { followGuid: "r" } }],
  ];
  for (const [kind, payload] of jobs)
    await sql`insert into jobs (kind, pool, payload, state, run_at, turn, attempts, created_at)
      values (${kind}, 'default', ${JSON.stringify(payload)}, 'ready', ${TIME}, ${TIME}, 0, ${TIME})`.execute(
      tx,
    );
}

const NOTHING = {
  ...{ protocol: null, protocol_open: false, has_diaspora_key: false },
  ...{ diaspora_guid: null, uri: null, inbox_uri: null },
  ...{ shared_inbox_uri: null, followers_uri: null, seed_location: null },
  ...{ profile_url: null, discovered_at: null },
};
const BOB = {
  person_id: 2,
  protocol: "activitypub",
  protocol_open: false,
  has_diaspora_key: true,
  diaspora_guid: "d2",
  uri: "https://x.example/2",
  inbox_uri: "https://x.example/2/inbox",
  shared_inbox_uri: "https://x.example/inbox",
  followers_uri: "https://x.example/2/followers",
  seed_location: "https://x.example/",
  profile_url: "https://x.example/@2",
  discovered_at: TIME,
};
const CID = {
  ...NOTHING,
  person_id: 3,
  protocol: "diaspora",
  protocol_open: true,
  has_diaspora_key: true,
  seed_location: "https://pod.example/",
  discovered_at: TIME,
};
const DAN = { ...NOTHING, person_id: 4 };

async function fillPeople(tx: Tx): Promise<void> {
  await sql`insert into users (id, username, password_hash, role, state, locale, time_zone, created_at, updated_at)
    values (1, 'ann', 'x', 'user', 'active', 'en', 'UTC', ${TIME}, ${TIME})`.execute(
    tx,
  );
  const here = { ...NOTHING, person_id: 1, has_diaspora_key: true };
  for (const { person_id: id, uri, ...others } of [here, BOB, CID, DAN]) {
    const remote = { ...others, actor_uri: uri };
    const columns = Object.keys(remote).map((name) => sql.ref(name));
    const values = Object.values(remote).map((value) => sql.lit(value));
    await sql`insert into people (id, guid, handle, user_id, public_key_pem, state, created_at, updated_at, ${sql.join(columns)})
      values (${id}, ${`p${id}`}, ${`p${id}@x.example`}, ${id === 1 ? 1 : null}, 'key', 'active', ${TIME}, ${TIME}, ${sql.join(values)})`.execute(
      tx,
    );
  }
}

async function fillContacts(tx: Tx): Promise<void> {
  const contacts = [
    { id: 2, guid: "f2", accepted: true },
    { id: 3, guid: "f3", accepted: false },
    { id: 4, guid: null, accepted: false },
  ];
  for (const { id, guid, accepted } of contacts)
    await sql`insert into contacts (user_id, person_id, following, sharing, follow_guid, follow_accepted, created_at, updated_at)
      values (1, ${id}, ${sql.lit(true)}, ${sql.lit(false)}, ${guid}, ${sql.lit(accepted)}, ${TIME}, ${TIME})`.execute(
      tx,
    );
}
