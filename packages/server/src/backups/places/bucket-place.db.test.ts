import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { migrate } from "../../db/migrate.ts";
import { openDatabase } from "../../db/open-database.ts";
import { createFileMediaStore } from "../../lib/media/file-media-store.ts";
import { later, systemClock } from "../../lib/time/clock.ts";
import {
  createReadyDatabase,
  createTestDatabase,
  forEachDatabase,
} from "../../../test/support/server/databases.ts";
import { S3Server } from "../../../test/support/storage/s3-server.ts";
import { examineBackups } from "../../doctor/examine-backups.ts";
import { makeBackup, type BackupDeps } from "../make-backup.ts";
import { readBackup } from "../read-backup.ts";
import { openSource, openTarget } from "../open-place.ts";
import { restoreBackup } from "../restore-backup.ts";
import { verifyBackup } from "../verify-backup.ts";
import { createBucketPlace } from "./bucket-place.ts";

const KIB = 1024;
const PART = 64 * KIB;
const HOUR_MS = 3_600_000;

forEachDatabase((kind) => {
  describe("backups in a bucket", { concurrency: false }, () => {
    let s3: S3Server;
    let folder: string;
    let database: Awaited<ReturnType<typeof createReadyDatabase>>;
    let deps: BackupDeps;
    let places = 0;
    let nowMs = Date.now();
    const clock = { now: () => new Date((nowMs += 1000)) };
    before(async () => {
      s3 = await S3Server.start();
      s3.pageSize = 50;
      folder = mkdtempSync(path.join(tmpdir(), "kith-bucket-"));
      database = await createReadyDatabase(kind);
      const db = await openDatabase(database.location);
      await migrate(db, systemClock);
      await db.close();
      deps = {
        ...{ location: database.location, clock, media: store("media") },
        ...{ version: "1", baseUrl: "http://localhost:3000" },
        findSecretKey: () => Buffer.alloc(32, 7),
        passphrase: "a staple of horses",
      };
      for (const name of ["one", "two"])
        await store("media").put(`${name}-full.png`, Buffer.alloc(700, name));
      const large = Buffer.alloc(5 * PART + 11, "abcdefg");
      await store("media").put("large-full.png", large);
    });
    after(async () => {
      await s3.close();
      await database.remove();
      rmSync(folder, { recursive: true });
    });
    afterEach(() => assert.deepEqual(s3.refusals.splice(0), []));
    const store = (name: string) =>
      createFileMediaStore(path.join(folder, name));
    const place = () =>
      createBucketPlace(s3.place({ prefix: "all/" }), clock, PART);
    const back = () => makeBackup(deps, place());
    const keys = (beginning = "") =>
      [...s3.objects.keys()]
        .filter((key) => key.startsWith(`all/${beginning}`))
        .toSorted();
    const sourceOf = (shown: string) => openSource(shown, [s3.place()]);
    const readAll = (shown: string) =>
      readBackup(sourceOf(shown), folder, { isKept: () => false });
    const restoreTo = async (shown: string) => {
      const dataDir = path.join(folder, `restored-${(places += 1)}`);
      const empty = await createTestDatabase(kind);
      const file = path.join(dataDir, "kith.sqlite");
      const location =
        kind === "sqlite"
          ? ({ kind: "sqlite", file } as const)
          : empty.location;
      try {
        const restored = await restoreBackup(
          {
            ...{ dataDir, location, clock: systemClock },
            ...{ passphrase: deps.passphrase, findSecretKey: () => undefined },
          },
          sourceOf(shown),
        );
        return { dataDir, restored };
      } finally {
        await empty.remove();
      }
    };

    test("a backup is sent in parts, verified, and restored", async () => {
      const made = await back();
      assert.match(made.path, /^s3:\/\/uploads\/all\/kith-\d{4}-/);
      assert.equal(made.hasSecretKey, true);
      assert.ok(s3.longest <= PART + KIB * 200, String(s3.longest));
      assert.equal(s3.uploads.size, 0);
      assert.deepEqual(keys("unfinished-"), []);
      const source = sourceOf(made.path);
      const { location } = database;
      const checking = { location, clock, passphrase: deps.passphrase };
      const manifest = await verifyBackup(checking, source);
      assert.equal(
        manifest.files.filter(({ path: it }) => it.startsWith("media/")).length,
        3,
      );
      const { dataDir } = await restoreTo(made.path);
      assert.equal(
        readFileSync(path.join(dataDir, "media/la/large-full.png"), "latin1"),
        Buffer.alloc(5 * PART + 11, "abcdefg").toString("latin1"),
      );
      assert.ok(existsSync(path.join(dataDir, "secret.key")));
    });

    test("the next one sends nothing again, and pruning leaves what others name", async () => {
      const [first] = [await place().findNewest()];
      await store("media").remove("two-full.png");
      const sent = s3.puts;
      const second = await back();
      // Its mark, its description, the key sealed anew, and what has changed of the database.
      assert.ok(s3.puts - sent <= 12, `${s3.puts - sent} were sent`);
      const contents = keys("content/").length;
      await store("media").put("three-full.png", Buffer.alloc(700, "three"));
      const third = await back();
      assert.ok(keys("content/").length > contents);
      assert.deepEqual(await place().prune(2, third.path), [first?.path]);
      assert.equal((await place().findNewest())?.path, third.path);
      const examine = (hours: number) =>
        examineBackups(
          { place: place(), everyHours: 24, keep: 7 },
          { baseUrl: "https://kith.example" },
          { now: () => later(new Date(nowMs), hours * HOUR_MS) },
        );
      assert.equal((await examine(1)).state, "ok");
      assert.equal((await examine(49)).state, "failed");
      await restoreTo(second.path);
      // Only the first one named it.
      const left = JSON.stringify(
        keys("kith-").map((key) => String(s3.objects.get(key)?.body)),
      );
      for (const key of keys("content/"))
        assert.ok(left.includes(key.slice("all/content/".length)), key);
      assert.doesNotMatch(left, /two-full/);
    });

    test("one that was interrupted is no backup, and the next removes what it left", async () => {
      const newest = (await place().findNewest())?.path;
      const contents = keys("content/");
      await store("media").put("four-full.png", Buffer.alloc(3 * PART, "four"));
      const stop = new AbortController();
      const making = makeBackup(deps, place(), {
        signal: stop.signal,
        onProgress: ({ files }) => void (files > 0 && stop.abort()),
      });
      await assert.rejects(making, { name: "AbortError" });
      assert.equal((await place().findNewest())?.path, newest);
      assert.equal(keys("interrupted-").length, 1);
      // As if it had been killed between its objects, or in the middle of a large one.
      const now = new Date(Date.now() - HOUR_MS);
      const body = Buffer.from("x");
      s3.objects.set("all/unfinished-dead", { body, modifiedAt: now });
      s3.objects.set(`all/content/${"0".repeat(64)}`, {
        body,
        modifiedAt: now,
      });
      const half = "all/kith-2020-01-01T00-00-00.000Z/manifest.json";
      s3.objects.set(half, { body, modifiedAt: now });
      s3.uploads.set("left", {
        ...{ key: `all/content/${"1".repeat(64)}`, parts: new Map() },
      });
      s3.uploads.set("other", { key: "elsewhere", parts: new Map() });
      await store("media").remove("four-full.png");
      await back();
      assert.deepEqual(keys("interrupted-").concat(keys("unfinished-")), []);
      assert.equal(s3.objects.has(half), false);
      assert.deepEqual([...s3.uploads.keys()], ["other"]);
      const made = keys("content/").filter((key) => !contents.includes(key));
      assert.ok(!made.some((key) => key.includes("0".repeat(64))));
      await readAll((await place().findNewest())?.path ?? "");
    });

    test("while one runs another is refused, and a broken one counts as none", async () => {
      const body = Buffer.from("x");
      const modifiedAt = new Date();
      s3.objects.set("all/unfinished-running", { body, modifiedAt });
      await assert.rejects(back(), /Another backup into s3:\/\/uploads\/all/);
      assert.deepEqual(keys("unfinished-"), ["all/unfinished-running"]);
      s3.objects.delete("all/unfinished-running");
      const made = await back();
      const name = made.path.slice("s3://uploads/".length);
      const manifest = String(s3.objects.get(`${name}/manifest.json`)?.body);
      const [, sha256 = ""] =
        /large-full[^}]*"sha256":"([0-9a-f]{64})"/.exec(manifest) ??
        assert.fail(manifest);
      const large = s3.objects.get(`all/content/${sha256}`) ?? assert.fail();
      s3.objects.set(`all/content/${sha256}`, {
        ...{ body: Buffer.alloc(large.body.length), modifiedAt },
      });
      const verify = () => readAll(made.path);
      await assert.rejects(verify, /large-full\.png is not what was written/);
      s3.objects.delete(`all/content/${sha256}`);
      await assert.rejects(verify, /large-full\.png is missing/);
      // All others name it as well: none is whole, and none is removed.
      assert.deepEqual(await place().prune(1), []);
      s3.objects.set(`all/content/${sha256}`, large);
      await verify();
      const damaged = Buffer.from(`${manifest} `);
      s3.objects.set(`${name}/manifest.json`, { body: damaged, modifiedAt });
      assert.notEqual((await place().findNewest())?.path, made.path);
      await assert.rejects(verify, /manifest\.json does not match/);
    });
  });
});

test("addresses of buckets have their key, or that of a setting, and no error repeats it", () => {
  const setting = {
    ...{ endpoint: "https://s3.example", region: "eu", bucket: "mine" },
    ...{ prefix: "x/", keyId: "id", secret: "hush" },
  };
  const target = (text: string, known = [setting]) =>
    openTarget(text, systemClock, known).name;
  assert.equal(target("s3://mine/deep/er/"), "s3://mine/deep/er");
  assert.equal(target("s3://other"), "s3://other");
  const whole = "s3://id:hush@host.example/bucket/prefix?region=eu";
  assert.equal(target(whole, []), "s3://bucket/prefix");
  const later7 = later(new Date(), 7).toISOString().replaceAll(":", "-");
  for (const [text, says] of [
    [`s3://mine/kith-${later7}`, /gets its name by itself/],
    ["s3://id:hush@host/UPPER", /must be an address such as/],
    ["s3://mine/../x y", /must be an address such as/],
  ] as const)
    assert.throws(
      () => target(text),
      (error: Error) => {
        assert.match(error.message, says);
        assert.doesNotMatch(error.message, /hush/);
        return true;
      },
    );
  assert.throws(() => target("s3://mine/x", []), /Neither KITH_BACKUP_URL/);
});
