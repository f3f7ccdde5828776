import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { test, type TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import type { UserId } from "../ids.ts";
import { openImportFolder, sweepImportFolders } from "./import-folder.ts";

const ANN = 1 as UserId;
const BEN = 2 as UserId;

async function makeRoot(t: TestContext): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), "kith-imports-"));
  t.after(async () => {
    for (const folder of [root, `${root}-locks`])
      await rm(folder, { recursive: true, force: true });
  });
  return root;
}

/** Leaves the files of an import, as a process does that is killed. */
async function leave(root: string, name: string): Promise<void> {
  const files = path.join(root, name, "files");
  await mkdir(files, { recursive: true });
  await writeFile(path.join(files, "0"), "private");
}

const MODULE = pathToFileURL(
  path.join(import.meta.dirname, "import-folder.ts"),
).href;
const RESOLVE = path.join(
  import.meta.dirname,
  "../../../bin/resolve-sources.cjs",
);

/** Another process opens the folder of Ann's import, and says whether it may. */
function openElsewhere(root: string, waits: boolean) {
  const program = `
    const { openImportFolder } = await import(${JSON.stringify(MODULE)});
    try {
      await openImportFolder(${JSON.stringify(root)}, 1);
      process.stdout.write("opened");
      if (${String(waits)}) setInterval(() => {}, 1_000);
    } catch (error) {
      process.stdout.write(error.code);
    }`;
  return spawn(
    process.execPath,
    ["--import", RESOLVE, "--input-type=module", "-e", program],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
}

test("an account has one import at a time, and its folder is removed", async (t) => {
  const root = await makeRoot(t);
  const first = await openImportFolder(root, ANN);
  await assert.rejects(openImportFolder(root, ANN), /running already/);
  assert.equal(await text(openElsewhere(root, false).stdout), "conflict");
  const other = await openImportFolder(root, BEN);
  assert.deepEqual(await readdir(root), ["1", "2"]);
  await first.remove();
  await (await openImportFolder(root, ANN)).remove();
  await other.remove();
  assert.deepEqual(await readdir(root), []);
});

test("of many that begin at once one gets the folder", async (t) => {
  const root = await makeRoot(t);
  await leave(root, "1");
  const all = await Promise.allSettled(
    Array.from({ length: 8 }, () => openImportFolder(root, ANN)),
  );
  const opened = all.filter(({ status }) => status === "fulfilled");
  assert.equal(opened.length, 1);
  assert.deepEqual(await readdir(root), ["1"]);
});

test("the import of a process that is killed can begin again at once, whatever its number was", async (t) => {
  const root = await makeRoot(t);
  const other = openElsewhere(root, true);
  await once(other.stdout, "data");
  await assert.rejects(openImportFolder(root, ANN), /running already/);
  const ended = once(other, "exit");
  other.kill("SIGKILL");
  await ended;
  // In a container each server has the number 1.
  await writeFile(path.join(root, "1", "pid"), String(process.pid));
  await (await openImportFolder(root, ANN)).remove();
});

test("files of killed imports are deleted, those of running ones stay", async (t) => {
  const root = await makeRoot(t);
  await leave(root, "1");
  const running = await openImportFolder(root, BEN);
  await sweepImportFolders(root);
  assert.deepEqual(await readdir(root), ["2"]);
  await running.remove();
  await sweepImportFolders(path.join(root, "none"));
});
