import assert from "node:assert/strict";
import { fdatasync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { createCredentials } from "./credentials.ts";

const folder = mkdtempSync(path.join(tmpdir(), "kith-credentials-"));
after(() => rmSync(folder, { recursive: true }));

test("a flush does not wait for the passwords that are checked at the same time", async () => {
  const { passwords } = createCredentials();
  let checked = 0;
  const checks = Array.from({ length: 20 }, async () => {
    await passwords.verify(undefined, "correct horse");
    checked += 1;
  });
  await promisify(fdatasync)(openSync(path.join(folder, "log"), "w"));
  assert.ok(checked < checks.length / 2, `${checked} were checked before`);
  await Promise.all(checks);
});
