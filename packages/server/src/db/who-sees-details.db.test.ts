import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { forEachDatabase } from "../../test/support/server/databases.ts";
import type { Tx } from "./db.ts";
import { whoSeesDetails } from "./migrations/0043-who-sees-details.ts";
import { bringUpToDate } from "./older-database.fixture.ts";

const TIME = "2026-01-01T00:00:00.000Z";

type Old = {
  readonly isHere: boolean;
  readonly state?: "closed";
  readonly isPublic: boolean;
  readonly bio: string;
};

const PEOPLE: readonly Old[] = [
  { isHere: true, isPublic: false, bio: "for contacts" },
  { isHere: true, isPublic: false, bio: "" },
  { isHere: true, isPublic: true, bio: "for everyone" },
  { isHere: true, isPublic: false, bio: "", state: "closed" },
  { isHere: false, isPublic: false, bio: "for contacts" },
  { isHere: false, isPublic: false, bio: "" },
  { isHere: false, isPublic: true, bio: "" },
];

forEachDatabase((kind) => {
  test("people who saw the details of a profile still see them, and nobody else does; a new bio is for everyone", () =>
    bringUpToDate(kind, whoSeesDetails, fill, async (db) => {
      const rows = await db.read
        .selectFrom("profiles")
        .select(["bio_for", "birthday_for", "gender_for", "location_for"])
        .orderBy("person_id")
        .execute();
      const [all, few] = ["everyone", "contacts"];
      const same = (who: string) => [who, who, who, who];
      assert.deepEqual(
        rows.map((row) => [
          row.bio_for,
          row.birthday_for,
          row.gender_for,
          row.location_for,
        ]),
        [
          same(few),
          [all, few, few, few],
          same(all),
          same(few),
          same(few),
          same(few),
          same(all),
        ],
      );
      const isLeft = await db.read
        .selectFrom("profiles")
        .select(sql<boolean>`public`.as("public"))
        .execute()
        .then(
          () => true,
          () => false,
        );
      assert.equal(isLeft, false, "it is what the four say together");
    }));
});

async function fill(tx: Tx): Promise<void> {
  const bool = (value: boolean) => sql.lit(value);
  for (const [index, old] of PEOPLE.entries()) {
    const id = index + 1;
    if (old.isHere)
      await sql`insert into users (id, username, password_hash, role, state, locale, time_zone, created_at, updated_at)
        values (${id}, ${`u${id}`}, '', 'user', 'active', 'en', 'Etc/UTC', ${TIME}, ${TIME})`.execute(
        tx,
      );
    const userId = old.isHere ? id : null;
    await sql`insert into people (id, guid, handle, user_id, public_key_pem, has_diaspora_key, state, created_at, updated_at)
      values (${id}, ${`p${id}`}, ${`p${id}@x.example`}, ${userId}, '', ${bool(false)}, ${old.state ?? "active"}, ${TIME}, ${TIME})`.execute(
      tx,
    );
    await sql`insert into profiles (person_id, first_name, last_name, full_name, image_url, image_url_small, image_url_medium, gender, bio, location, searchable, public, nsfw, created_at, updated_at)
      values (${id}, '', '', '', '', '', '', '', ${old.bio}, '', ${bool(true)}, ${bool(old.isPublic)}, ${bool(false)}, ${TIME}, ${TIME})`.execute(
      tx,
    );
  }
}
