import assert from "node:assert/strict";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  type Ended,
  runKith,
  settingsFor,
  spawnKith,
} from "../support/kith-command.ts";
import { eventually, KithProcess } from "../support/kith-process.ts";
import { Resident } from "../support/resident.ts";
import { inEmptyPlace, snapshotOf } from "../support/restored-server.ts";

const FAILED = 1;

function assertRefused(ended: Ended, says: RegExp): void {
  assert.match(ended.complaint, says);
  assert.match(ended.complaint, /^kith: [^\n]+\n$/);
  assert.equal(ended.code, FAILED);
}

const namesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder).filter((name) => !name.includes(".lock"))
    : [];

forEachDatabase((kind) => {
  describe("a backup that is not whole", { concurrency: false }, () => {
    let kith: KithProcess;
    let parent: string;
    let archive: string;
    let folder: string;
    before(async () => {
      parent = mkdtempSync(path.join(tmpdir(), "kith-backups-"));
      archive = path.join(parent, "whole.tar");
      folder = path.join(parent, "folder");
      kith = await KithProcess.start({
        database: kind,
        protocols: "activitypub",
      });
      const alice = await Resident.settle(kith, "alice");
      const photo = await alice.upload("The lake");
      await alice.publish("Kept", { photo });
      await kith.stop();
      for (const to of [archive, folder]) {
        const { code, complaint } = await runKith(
          ["backup", to],
          kith.settings,
        );
        assert.equal(code, 0, complaint);
      }
    });
    after(async () => {
      await kith.remove();
      rmSync(parent, { recursive: true, force: true });
    });

    /** Neither verifying nor restoring takes it, and nothing is left in the place. */
    async function assertNotTaken(backup: string, says: RegExp): Promise<void> {
      await inEmptyPlace(kind, async (place) => {
        const settings = settingsFor(place);
        assertRefused(await runKith(["restore", backup], settings), says);
        assert.deepEqual(namesIn(place.dataDir), []);
      });
      const verifying = ["backup", "verify", backup];
      assertRefused(await runKith(verifying, kith.settings), says);
    }

    test("because a bit has flipped, or its end is missing", async () => {
      const whole = readFileSync(archive);
      const broken = path.join(parent, "broken.tar");
      const flipped = Buffer.from(whole);
      const at = whole.length >> 1;
      flipped[at] = (flipped[at] ?? 0) ^ 0x10;
      for (const bytes of [flipped, whole.subarray(0, at)]) {
        writeFileSync(broken, bytes);
        await assertNotTaken(broken, /damaged|no whole backup/);
      }
    });

    test("because a file of the folder was changed, removed, or is a link", async () => {
      const [name = ""] = readdirSync(folder).filter(
        (it) => it !== "backup.lock",
      );
      const [file = ""] = readdirSync(path.join(folder, name, "media"), {
        recursive: true,
      })
        .map(String)
        .filter((it) => it.includes("/"));
      const changes: [RegExp, (picture: string, backup: string) => void][] = [
        [/is not what was written/, (it) => writeFileSync(it, "another")],
        [/is missing/, (it) => rmSync(it)],
        [
          /is missing/,
          (it) => {
            const target = `${it}.moved`;
            cpSync(it, target);
            rmSync(it);
            symlinkSync(target, it);
          },
        ],
        [
          /manifest\.json does not match/,
          (_, backup) =>
            writeFileSync(path.join(backup, "manifest.json"), "{}\n"),
        ],
        [
          /manifest\.sha256 cannot be read/,
          (_, backup) => rmSync(path.join(backup, "manifest.sha256")),
        ],
      ];
      for (const [says, change] of changes) {
        const broken = path.join(parent, "broken");
        cpSync(path.join(folder, name), broken, { recursive: true });
        change(path.join(broken, "media", file), broken);
        await assertNotTaken(broken, says);
        rmSync(broken, { recursive: true });
      }
    });

    test("does not pass a file that was cut on to the next", async () => {
      const [name = ""] = namesIn(folder);
      const media = readdirSync(path.join(folder, name, "media"), {
        recursive: true,
        withFileTypes: true,
      }).filter((entry) => entry.isFile());
      const [file] = media;
      assert.ok(file);
      const cut = path.join(file.parentPath, file.name);
      const whole = readFileSync(cut);
      writeFileSync(cut, whole.subarray(1));
      const made = await runKith(["backup", folder], kith.settings);
      assert.equal(made.code, 0, made.complaint);
      const next = namesIn(folder).find((it) => it !== name) ?? "";
      const verified = await runKith(
        ["backup", "verify", path.join(folder, next)],
        kith.settings,
      );
      assert.equal(verified.code, 0, verified.complaint);
      rmSync(path.join(folder, next), { recursive: true });
      writeFileSync(cut, whole);
    });

    test("because it was killed never looks whole, and is cleared away by the next", async () => {
      const killed = path.join(parent, "killed");
      for (const delayMs of [150, 250, 350, 450]) {
        const child = spawnKith(["backup", killed], kith.settings);
        const ended = once(child, "exit");
        setTimeout(() => child.kill("SIGKILL"), delayMs);
        await ended;
      }
      const child = spawnKith(["backup", killed], kith.settings);
      const ended = once(child, "exit");
      await eventually(async () =>
        assert.ok(namesIn(killed).some((it) => it.startsWith("unfinished-"))),
      );
      child.kill("SIGKILL");
      await ended;
      const again = await runKith(["backup", killed], kith.settings);
      assert.equal(again.code, 0, again.complaint);
      const names = namesIn(killed);
      assert.deepEqual(
        names.filter((it) => it.startsWith("unfinished-")),
        [],
      );
      for (const name of names) {
        const verifying = ["backup", "verify", path.join(killed, name)];
        const { code, complaint } = await runKith(verifying, kith.settings);
        assert.equal(code, 0, complaint);
      }
    });

    test("because the disk is full leaves nothing behind", async () => {
      const full = path.join(parent, "full");
      for (const to of [full, path.join(parent, "full.tar")]) {
        const ended = await runKith(["backup", to], kith.settings, "", {
          // Before its largest file is written, in the middle of it.
          maxFileBytes: kind === "sqlite" ? 100_000 : 2_000,
        });
        assert.equal(ended.code, FAILED, ended.output);
        assert.match(ended.complaint, /^kith: [^\n]+\n$/);
      }
      assert.deepEqual(namesIn(full), []);
      assert.deepEqual(
        namesIn(parent).filter((name) => name.includes("full.tar")),
        [],
      );
    });

    test("a full disk is named where a backup is verified or restored", async () => {
      const limits = { maxFileBytes: kind === "sqlite" ? 100_000 : 2_000 };
      const tmp = { TMPDIR: parent };
      const [name = ""] = namesIn(folder);
      for (const backup of [archive, path.join(folder, name)]) {
        const verified = await runKith(
          ["backup", "verify", backup],
          { ...kith.settings, ...tmp },
          ...(["", limits] as const),
        );
        assertRefused(
          verified,
          new RegExp(`no room in ${parent} for the files.*TMPDIR names`),
        );
        await inEmptyPlace(kind, async (place) => {
          const restored = await runKith(
            ["restore", backup],
            settingsFor(place),
            ...(["", limits] as const),
          );
          assertRefused(
            restored,
            new RegExp(`no room in ${place.dataDir} for the files`),
          );
        });
      }
      const nowhere = { TMPDIR: path.join(parent, "nowhere") };
      const verifying = ["backup", "verify", archive];
      assertRefused(
        await runKith(verifying, { ...kith.settings, ...nowhere }),
        /No folder can be made in .*nowhere: ENOENT.*TMPDIR/,
      );
    });

    test("a killed restore is no server, and is done again from the beginning", async () => {
      const rows = await snapshotOf(kith);
      for (const delayMs of [200, 300, 400, 500, 600])
        await inEmptyPlace(kind, async (place) => {
          const settings = settingsFor(place);
          const child = spawnKith(["restore", archive], settings);
          const ended = once(child, "exit");
          setTimeout(() => child.kill("SIGKILL"), delayMs);
          await ended;
          const listed = await runKith(["account", "list"], settings);
          if (child.exitCode !== 0 && !isKeyMissing(listed)) {
            assertRefused(listed, /no database at|no tables of|interrupted/);
            const again = await runKith(["restore", archive], settings);
            assert.equal(again.code, 0, again.complaint);
          }
          assert.deepEqual(await snapshotOf(place), rows);
          assert.deepEqual(
            namesIn(path.join(place.dataDir, "media")),
            namesIn(path.join(kith.dataDir, "media")),
          );
        });
    });
  });
});

/** The database is there, which is the last step of a restore. */
const isKeyMissing = ({ complaint }: Ended): boolean =>
  complaint.includes("secret.key");
