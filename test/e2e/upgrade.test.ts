import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { migrate, MIGRATIONS } from "../../packages/server/src/db/migrate.ts";
import { openDatabase } from "../../packages/server/src/db/open-database.ts";
import { systemClock } from "../../packages/server/src/lib/time/clock.ts";
import {
  forEachDatabase,
  type TestDatabase,
} from "../../packages/server/test/support/server/databases.ts";
import { runKith, settingsFor } from "../support/kith-command.ts";
import { inEmptyPlace } from "../support/restored-server.ts";

/** All but the last three. */
const OLDER = MIGRATIONS.slice(0, -3);
const PENDING = MIGRATIONS.slice(-3).map(({ name }) => name);

/** The database of a Kith that had fewer migrations. */
async function fillOlder({ location }: TestDatabase): Promise<void> {
  const db = await openDatabase(location);
  try {
    await migrate(db, systemClock, { migrations: OLDER });
  } finally {
    await db.close();
  }
}

async function pretendNewer({ location }: TestDatabase): Promise<void> {
  const db = await openDatabase(location);
  try {
    await db.transaction((tx) =>
      sql`insert into schema_migrations (number, name, applied_at)
        values (9000, 'of-the-future', '')`.execute(tx),
    );
  } finally {
    await db.close();
  }
}

const copiesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder).filter((name) => name.startsWith("kith-"))
    : [];

forEachDatabase((kind) => {
  test(`an upgrade is announced beforehand, and copies the database first (${kind})`, async () =>
    inEmptyPlace(kind, async (place) => {
      const settings = settingsFor(place);
      const before = path.join(place.dataDir, "before-upgrade");
      await fillOlder(place);
      const checked = await runKith(["upgrade", "check", "--json"], settings);
      assert.equal(checked.code, 0, checked.complaint);
      const plan = JSON.parse(checked.output) as { migrations: string[] };
      assert.deepEqual(plan.migrations, PENDING);
      assert.deepEqual(copiesIn(before), []);
      const words = await runKith(["upgrade", "check"], settings);
      assert.match(words.output, /would run: .*\nLargest tables.*\nIt takes/);

      const done = await runKith(["migrate"], settings);
      assert.equal(done.code, 0, done.complaint);
      assert.match(done.complaint, /A backup comes first: .*before-upgrade/);
      assert.match(done.complaint, /Upgrade 3 of 3: /);
      const [copy = "", ...more] = copiesIn(before);
      assert.deepEqual(more, []);
      const backup = path.join(before, copy);
      const verified = await runKith(["backup", "verify", backup], settings);
      assert.equal(verified.code, 0, verified.complaint);
      await inEmptyPlace(kind, async (other) => {
        const restored = await runKith(["restore", backup], settingsFor(other));
        assert.equal(restored.code, 0, restored.complaint);
        const again = await runKith(
          ["upgrade", "check", "--json"],
          settingsFor(other),
        );
        assert.deepEqual(JSON.parse(again.output), plan);
      });
      const now = await runKith(["upgrade", "check"], settings);
      assert.equal(now.output, "The database is up to date.\n");
    }));

  test(`several processes that upgrade at once make one copy (${kind})`, async () =>
    inEmptyPlace(kind, async (place) => {
      const settings = settingsFor(place);
      await fillOlder(place);
      const all = await Promise.all(
        [1, 2, 3].map(() => runKith(["migrate"], settings)),
      );
      for (const { code, complaint } of all) assert.equal(code, 0, complaint);
      const before = path.join(place.dataDir, "before-upgrade");
      assert.equal(copiesIn(before).length, 1);
    }));

  test(`an upgrade without a copy, if it is switched off (${kind})`, async () =>
    inEmptyPlace(kind, async (place) => {
      await fillOlder(place);
      const settings = settingsFor(place);
      const more = { KITH_BACKUP_BEFORE_UPGRADE: "false" };
      const done = await runKith(["migrate"], { ...settings, ...more });
      assert.equal(done.code, 0, done.complaint);
      assert.deepEqual(
        copiesIn(path.join(place.dataDir, "before-upgrade")),
        [],
      );
    }));

  test(`a newer schema is refused, with what to do, and a backup of it, too (${kind})`, async () =>
    inEmptyPlace(kind, async (place) => {
      const settings = settingsFor(place);
      const made = await runKith(
        ["account", "create", "ann"],
        settings,
        "correct horse\n",
      );
      // There is no database before the first start.
      assert.equal(made.code, 1);
      const db = await openDatabase(place.location);
      await migrate(db, systemClock);
      await db.close();
      await pretendNewer(place);
      for (const words of [["serve"], ["account", "list"]]) {
        const ended = await runKith(words, settings);
        assert.match(
          ended.complaint,
          /newer Kith \(its schema has step 9000.*Nothing was changed.*restore the backup/,
        );
        assert.equal(ended.code, 1);
      }
      const folder = `${place.dataDir}/backups`;
      const backed = await runKith(["backup", folder], settings);
      assert.equal(backed.code, 0, backed.complaint);
      const [name = ""] = copiesIn(folder);
      await inEmptyPlace(kind, async (other) => {
        const restored = await runKith(
          ["restore", path.join(folder, name)],
          settingsFor(other),
        );
        assert.match(
          restored.complaint,
          /which is newer \(its schema has step/,
        );
        assert.deepEqual(
          readdirSync(other.dataDir).filter((it) => !it.includes(".lock")),
          [],
        );
      });
    }));
});
