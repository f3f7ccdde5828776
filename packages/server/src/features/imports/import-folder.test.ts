import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdir,
  mkdtemp,
  readdir,
  rm,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test, type TestContext } from "node:test";
import { systemClock } from "../../lib/time/clock.ts";
import type { UserId } from "../ids.ts";
import { openImportFolder, sweepImportFolders } from "./import-folder.ts";

const ANN = 1 as UserId;
const BEN = 2 as UserId;

async function makeRoot(t: TestContext): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), "kith-imports-"));
  t.after(() => rm(root, { recursive: true, force: true }));
  return root;
}

/** Leaves the files of an import, as a process does that is killed. */
async function leave(root: string, name: string, pid: number): Promise<void> {
  const folder = path.join(root, name);
  await mkdir(path.join(folder, "files"), { recursive: true });
  await writeFile(path.join(folder, "files", "0"), "private");
  await writeFile(path.join(folder, "pid"), String(pid));
  await utimes(folder, 0, 0);
}

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "exit");
  return child.pid ?? assert.fail();
}

test("an account has one import at a time, and its folder is removed", async (t) => {
  const root = await makeRoot(t);
  const first = await openImportFolder(root, ANN, systemClock);
  await assert.rejects(
    openImportFolder(root, ANN, systemClock),
    /running already/,
  );
  const other = await openImportFolder(root, BEN, systemClock);
  assert.deepEqual(await readdir(root), ["1", "2"]);
  await first.remove();
  await (await openImportFolder(root, ANN, systemClock)).remove();
  await other.remove();
  assert.deepEqual(await readdir(root), []);
});

test("of many that begin at once one gets the folder", async (t) => {
  const root = await makeRoot(t);
  await leave(root, "1", await deadPid());
  const all = await Promise.allSettled(
    Array.from({ length: 8 }, () => openImportFolder(root, ANN, systemClock)),
  );
  const opened = all.filter(({ status }) => status === "fulfilled");
  assert.equal(opened.length, 1);
  assert.deepEqual(await readdir(root), ["1"]);
});

test("files of killed imports are deleted, those of running ones stay", async (t) => {
  const root = await makeRoot(t);
  await leave(root, "1", await deadPid());
  await leave(root, "2", process.pid);
  await sweepImportFolders(root, systemClock);
  assert.deepEqual(await readdir(root), ["2"]);
  await sweepImportFolders(path.join(root, "none"), systemClock);
});
