import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import type { Said } from "./restricted-process.fixture.ts";
import { forkRestricted } from "./restricted-process.ts";

const PROGRAM = new URL("./restricted-process.fixture.ts", import.meta.url);
const FORKING = new URL("./restricted-process.ts", import.meta.url).href;
const REFUSED = "ERR_ACCESS_DENIED";

let folder: string;
before(() => {
  folder = mkdtempSync(path.join(tmpdir(), "kith-test-"));
});
after(() => rmSync(folder, { recursive: true, force: true }));

test("a restricted program reads nothing but its code, and then nothing, in an empty folder", async () => {
  const secret = path.join(folder, "secret.key");
  writeFileSync(secret, "secret");
  const child = forkRestricted(PROGRAM, 192);
  const fail = () => child.emit("error", new Error("It ended by itself"));
  child.once("exit", fail);
  child.send(secret);
  const [said] = (await once(child, "message")) as [Said];
  child.off("exit", fail);
  assert.deepEqual(readdirSync(said.folder), []);
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  assert.ok(!existsSync(said.folder), "nothing is left of it");
  const always = { readSecret: REFUSED, listRoot: REFUSED, write: REFUSED };
  assert.deepEqual(said.before, {
    ...{ ...always, spawn: REFUSED, connect: REFUSED },
    ...{ readProgram: "done", readPackage: "done" },
    // The right to load some is there, and there is none of this name.
    loadAddon: "ERR_DLOPEN_FAILED",
  });
  assert.deepEqual(said.after, {
    ...{ ...always, spawn: REFUSED, connect: REFUSED },
    ...{ readProgram: REFUSED, readPackage: REFUSED, loadAddon: REFUSED },
  });
  assert.ok(said.bytes > 0, "it still makes pictures");
});

test("nothing is left of its folder where the server ends first", () => {
  const temporary = mkdtempSync(path.join(folder, "temporary-"));
  const program = `
    import { forkRestricted } from ${JSON.stringify(FORKING)};
    const child = forkRestricted(new URL(${JSON.stringify(PROGRAM.href)}), 192);
    child.once("spawn", () => {
      child.kill("SIGKILL");
      process.exit(0);
    });`;
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module", "--eval", program],
    { encoding: "utf8", env: { TMPDIR: temporary } },
  );
  assert.equal(status, 0, stderr);
  assert.deepEqual(readdirSync(temporary), []);
});
