import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

const run = promisify(execFile);
const SETTINGS = new URL("../../.npmrc", import.meta.url);

let root: string;
before(() => {
  root = fs.mkdtempSync(path.join(tmpdir(), "kith-npm-warnings-"));
});
after(() => fs.rmSync(root, { recursive: true, force: true }));

/** Installs a package that requires another Node. @returns the output of npm */
async function install(name: string, settings: string): Promise<string> {
  const home = path.join(root, name);
  const wanting = path.join(home, "wanting");
  fs.mkdirSync(wanting, { recursive: true });
  const write = (folder: string, manifest: object) =>
    fs.writeFileSync(
      path.join(folder, "package.json"),
      JSON.stringify({ version: "1.0.0", ...manifest }),
    );
  write(home, { name: "home", dependencies: { wanting: "file:wanting" } });
  write(wanting, { name: "wanting", engines: { node: ">=999" } });
  fs.writeFileSync(path.join(home, ".npmrc"), settings);
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([key]) => !/^npm_/i.test(key)),
  );
  const { stdout, stderr } = await run(
    "npm",
    ["install", "--offline", "--no-audit"],
    { cwd: home, env },
  );
  assert.ok(fs.existsSync(path.join(home, "node_modules/wanting")));
  return stdout + stderr;
}

test("an install with an older Node prints no warnings about packages that require a newer one", async () => {
  assert.match(await install("plain", ""), /EBADENGINE/);
  const settings = fs.readFileSync(SETTINGS, "utf8");
  assert.doesNotMatch(await install("ours", settings), /EBADENGINE|warn/i);
});
