import assert from "node:assert/strict";
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import type { Manifest } from "../../packages/server/src/backups/manifest.ts";
import { openDatabase } from "../../packages/server/src/db/open-database.ts";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { type Ended, runKith, settingsFor } from "../support/kith-command.ts";
import { eventually, KithProcess } from "../support/kith-process.ts";
import { Resident } from "../support/resident.ts";
import { inEmptyPlace, snapshotOf } from "../support/restored-server.ts";
import { findFreePort } from "../../scripts/testing/free-port.ts";

const FAILED = 1;
const SEALED = { KITH_BACKUP_PASSPHRASE: "a staple of horses" };
const IS_BACKUP = /^kith-/;

function assertWell(ended: Ended): Ended {
  assert.equal(ended.code, 0, ended.complaint);
  return ended;
}

function assertRefused(ended: Ended, says: RegExp): void {
  assert.match(ended.complaint, says);
  assert.match(ended.complaint, /^kith: [^\n]+\n$/);
  assert.equal(ended.code, FAILED);
}

const listBackups = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => IS_BACKUP.test(name))
    .toSorted()
    .map((name) => path.join(folder, name));

const manifestOf = (backup: string): Manifest =>
  JSON.parse(
    readFileSync(path.join(backup, "manifest.json"), "utf8"),
  ) as Manifest;

const mediaOf = (backup: string): string[] =>
  manifestOf(backup)
    .files.map((file) => file.path)
    .filter((name) => name.startsWith("media/"));

forEachDatabase((kind) => {
  describe("a backup", { concurrency: false }, () => {
    let kith: KithProcess;
    let alice: Resident;
    let parent: string;
    let folder: string;
    before(async () => {
      parent = mkdtempSync(path.join(tmpdir(), "kith-backups-"));
      folder = path.join(parent, "all");
      kith = await KithProcess.start({
        database: kind,
        protocols: "activitypub,diaspora",
      });
      alice = await Resident.settle(kith, "alice");
      const photo = await alice.upload("The lake");
      await alice.publish("Kept, with a tab\tand a \\ and 🦊", { photo });
    });
    after(async () => {
      await kith.remove();
      rmSync(parent, { recursive: true, force: true });
    });

    const kithOn = (words: string[], more = {}) =>
      runKith(words, { ...kith.settings, ...more });

    test("that is made beside writes has everything answered before it", async () => {
      let isDone = false;
      const published: string[] = [];
      const writing = (async () => {
        while (!isDone) published.push(await alice.publish("meanwhile"));
      })();
      await eventually(async () => assert.ok(published.length > 3));
      const answered = [...published];
      const ended = await kithOn(["backup", folder]);
      isDone = true;
      await writing;
      assert.match(assertWell(ended).output, /kith-.*Z: \d+ files/);
      const [backup = ""] = listBackups(folder);
      await inEmptyPlace(kind, async (place) => {
        const settings = settingsFor(place);
        assertWell(await runKith(["restore", backup], settings));
        const { location } = place;
        const db = await openDatabase(location);
        const rows = await db.read.selectFrom("posts").select("guid").execute();
        await db.close();
        const guids = new Set(rows.map(({ guid }) => String(guid)));
        for (const guid of answered) assert.ok(guids.has(guid), guid);
      });
    });

    test("that is unchanged costs nothing again, and stays whole without the first", async () => {
      assertWell(await kithOn(["backup", folder]));
      const [first = "", second = ""] = listBackups(folder);
      const media = mediaOf(second);
      assert.ok(media.length > 0);
      for (const name of media) {
        const [one, two] = [first, second].map((backup) =>
          statSync(path.join(backup, name)),
        );
        assert.equal(one?.ino, two?.ino, name);
      }
      rmSync(first, { recursive: true });
      const ended = await kithOn(["backup", "verify", second]);
      assert.match(assertWell(ended).output, /is whole.*with the same rows/);
    });

    test("is restored row by row, with the files, and serves", async () => {
      const archive = path.join(parent, "one.tar");
      const port = await findFreePort();
      await kith.stop();
      const rows = await snapshotOf(kith);
      assertWell(await kithOn(["backup", archive], SEALED));
      assert.deepEqual(await snapshotOf(kith), rows, "nothing is changed");
      await inEmptyPlace(kind, async (place) => {
        const settings = { ...settingsFor(place), ...SEALED };
        const ended = await runKith(["restore", archive], settings);
        assert.match(
          assertWell(ended).output,
          new RegExp(`Start it with KITH_BASE_URL=${kith.baseUrl}`),
        );
        assert.deepEqual(await snapshotOf(place), rows);
        const keys = [kith.dataDir, place.dataDir].map((dataDir) =>
          readFileSync(path.join(dataDir, "secret.key"), "utf8"),
        );
        assert.equal(keys[0], keys[1]);
        const media = readdirSync(path.join(kith.dataDir, "media"), {
          recursive: true,
        });
        assert.deepEqual(
          readdirSync(path.join(place.dataDir, "media"), {
            recursive: true,
          }).toSorted(),
          media.toSorted(),
        );
        const again = await runKith(["restore", archive], settings);
        assertRefused(again, /server already|tables already/);
        const listed = await runKith(["account", "list"], settings);
        assert.match(assertWell(listed).output, /^alice\tuser/m);
        const made = await runKith(
          ["account", "create", "bob"],
          { ...settings, KITH_PORT: String(port) },
          "correct horse\n",
        );
        assertWell(made);
      });
      await kith.start();
    });

    test("goes nowhere but into an empty place", async () => {
      const [backup = ""] = listBackups(folder);
      await inEmptyPlace(kind, async (place) => {
        const settings = settingsFor(place);
        writeFileSync(path.join(place.dataDir, "mine.txt"), "mine");
        const ended = await runKith(["restore", backup], settings);
        assertRefused(ended, /is used: it has mine\.txt/);
        assert.deepEqual(
          readdirSync(place.dataDir).filter((name) => !name.includes(".lock")),
          ["mine.txt"],
        );
      });
    });

    test("of a server with a passphrase opens with that one alone", async () => {
      const archive = path.join(parent, "one.tar");
      await inEmptyPlace(kind, async (place) => {
        const settings = settingsFor(place);
        const wrong = { KITH_BACKUP_PASSPHRASE: "a staple of zebras" };
        for (const words of [
          ["restore", archive],
          ["backup", "verify", archive],
        ])
          assertRefused(
            await runKith(words, { ...settings, ...wrong }),
            /passphrase .* does not open/,
          );
        const ended = await runKith(["restore", archive], settings);
        assert.match(assertWell(ended).output, /secret key is missing/);
        assertRefused(
          await runKith(["account", "list"], settings),
          /secret\.key/,
        );
      });
    });

    test("replaces no file", async () => {
      const archive = path.join(parent, "one.tar");
      const before = readFileSync(archive);
      assertRefused(
        await kithOn(["backup", archive]),
        /exists already, and is not replaced/,
      );
      assert.deepEqual(readFileSync(archive), before);
      assert.deepEqual(
        readdirSync(parent).filter((name) => name.includes("unfinished")),
        [],
      );
    });

    test("is made at the same time as another: one after the other, or one of them", async () => {
      const both = path.join(parent, "both");
      const ended = await Promise.all(
        [1, 2].map(() => kithOn(["backup", both])),
      );
      for (const one of ended)
        if (one.code !== 0)
          assertRefused(one, /Another backup into .* is running/);
      const made = listBackups(both);
      assert.equal(made.length, ended.filter(({ code }) => code === 0).length);
      assert.ok(made.length > 0);
      for (const backup of made)
        assertWell(await kithOn(["backup", "verify", backup]));
    });

    test("is made by the server itself, which keeps as many as it should", async () => {
      const own = path.join(parent, "own");
      const settings = { KITH_BACKUP_DIR: own, KITH_BACKUP_KEEP: "1" };
      const other = await KithProcess.start({
        ...{ database: kind, protocols: "diaspora", settings },
      });
      try {
        const [backup = ""] = await eventually(async () => {
          const made = listBackups(own);
          assert.equal(made.length, 1);
          return made;
        });
        const verifying = ["backup", "verify", backup];
        assertWell(await runKith(verifying, other.settings));
        assert.equal(await other.stop(), 0);
      } finally {
        await other.remove();
      }
    });
  });
});
