import assert from "node:assert/strict";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { DONE } from "../../jobs/job.ts";
import { silentLog } from "../../observability/log.ts";
import { createBackUp } from "../back-up-job.ts";
import {
  backupName,
  findNewest,
  listBackups,
  pruneBackups,
  withFolder,
} from "./backup-folder.ts";
import { createFolderPlace } from "./folder-place.ts";
import {
  createManifest,
  MANIFEST,
  MANIFEST_SUM,
  renderManifest,
  renderManifestSum,
} from "../manifest.ts";

const DAYS = [1, 2, 3, 4, 5].map((day) => `2026-01-0${day}T04:00:00.000Z`);

describe("a folder of backups", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "kith-folder-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function put(takenAt: string): string {
    const backup = path.join(folder, backupName(takenAt));
    const text = renderManifest(
      createManifest({
        ...{ kith: "1", baseUrl: "http://localhost", takenAt },
        database: { kind: "sqlite", migrations: [], tables: [], sequences: [] },
        files: [{ path: "database/kith.sqlite", bytes: 4, sha256: "" }],
      }),
    );
    mkdirSync(path.join(backup, "database"), { recursive: true });
    writeFileSync(path.join(backup, "database/kith.sqlite"), "four");
    writeFileSync(path.join(backup, MANIFEST), text);
    writeFileSync(path.join(backup, MANIFEST_SUM), renderManifestSum(text));
    return backup;
  }

  const listed = () => listBackups(folder).map(({ path: backup }) => backup);

  test("keeps the newest whole ones, and no broken one counts", async () => {
    const [one = "", two = "", three = "", four = "", five = ""] =
      DAYS.map(put);
    writeFileSync(path.join(five, "database/kith.sqlite"), "longer");
    rmSync(path.join(four, MANIFEST_SUM));
    assert.deepEqual(listed(), [three, two, one]);
    assert.equal(findNewest(folder)?.path, three);
    assert.deepEqual(await pruneBackups(folder, 2), [one]);
    assert.deepEqual(listed(), [three, two]);
    assert.deepEqual(await pruneBackups(folder, 1), [two]);
    assert.deepEqual(await pruneBackups(folder, 0), []);
    assert.deepEqual(listed(), [three]);
    assert.equal(readdirSync(folder).length, 3, "broken ones are not removed");
  });

  test("keeps the real ones, though the clock had been wrong", async () => {
    const [first = "", made = "", ...future] = DAYS.map(put);
    assert.deepEqual(await pruneBackups(folder, 2, made), []);
    assert.deepEqual(await pruneBackups(folder, 1, made), [first]);
    assert.deepEqual(listed(), [...future.toReversed(), made]);
    assert.equal(findNewest(folder, new Date("2026-01-03"))?.path, made);
  });

  test("is written to by one at a time, who clears away what was left behind", async () => {
    for (const name of ["unfinished-1", "removed-kith-1"])
      mkdirSync(path.join(folder, name));
    await withFolder(folder, async () => {
      assert.deepEqual(
        readdirSync(folder).filter((it) => /^[ur]/.test(it)),
        [],
      );
      await assert.rejects(
        withFolder(folder, async () => {}),
        /Another backup into .* is running/,
      );
    });
    await withFolder(folder, async () => {});
  });

  test("gets no backup while the newest is young, and none without a plan", async () => {
    put(DAYS[0] ?? "");
    const backup = {
      location: { kind: "sqlite" as const, file: path.join(folder, "none") },
      ...{ version: "1", baseUrl: "http://localhost" },
      findSecretKey: () => undefined,
      media: { list: async function* () {}, open: async () => undefined },
    };
    let notified = 0;
    const notifyFailed = async () => void (notified += 1);
    const runAt = (time: string, plan = true) => {
      const clock = { now: () => new Date(time) };
      const job = createBackUp(
        { clock, log: silentLog(), backup: { ...backup, clock }, notifyFailed },
        plan
          ? { place: createFolderPlace(folder, clock), everyHours: 24, keep: 1 }
          : null,
      );
      const context = { signal: new AbortController().signal } as never;
      return job({}, context);
    };
    for (const result of [
      await runAt("2026-01-01T23:00:00Z"),
      await runAt("2027-01-01T00:00:00Z", false),
    ]) {
      assert.notEqual(result, DONE);
      assert.equal(result.kind, "again");
    }
    for (const late of ["2026-01-02T03:50:00Z", "2026-01-09T00:00:00Z"])
      await assert.rejects(runAt(late), /There is no database at/);
    assert.equal(notified, 2);
  });
});
