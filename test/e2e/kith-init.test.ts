import assert from "node:assert/strict";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { runKith, spawnKith } from "../support/kith-command.ts";
import { eventually } from "../support/kith-process.ts";
import { findFreePort } from "../../scripts/testing/free-port.ts";

const FAILED = 1;
const MISUSED = 2;

describe("kith init", () => {
  let parent: string;
  let dataDir: string;
  beforeEach(() => {
    parent = mkdtempSync(path.join(tmpdir(), "kith-init-"));
    dataDir = path.join(parent, "data");
  });
  afterEach(() => rmSync(parent, { recursive: true }));

  test("makes a server that starts with its own file, and is never replaced", async () => {
    const port = String(await findFreePort());
    const made = await runKith(["init", "--data-dir", dataDir, "--port", port]);
    assert.equal(made.code, 0, made.complaint);
    assert.match(made.output, /Made .*kith\.toml.*\nNext: .*kith serve/);
    assert.deepEqual(readdirSync(dataDir).toSorted(), [
      "kith.toml",
      "secret.key",
    ]);
    for (const name of readdirSync(dataDir))
      assert.equal(statSync(path.join(dataDir, name)).mode & 0o777, 0o600);

    const before = readFileSync(path.join(dataDir, "secret.key"), "utf8");
    const again = await runKith(["init", "--data-dir", dataDir]);
    assert.equal(again.code, FAILED);
    assert.match(again.complaint, /is used: it has .*replaces nothing/);
    const key = readFileSync(path.join(dataDir, "secret.key"), "utf8");
    assert.equal(key, before);

    const child = spawnKith(["serve", "--data-dir", dataDir]);
    try {
      await eventually(async () => {
        const { status } = await fetch(`http://localhost:${port}/healthz`);
        assert.equal(status, 200);
      });
    } finally {
      child.kill("SIGKILL");
    }
  });

  test("makes nothing with a wrong setting", async () => {
    const ended = await runKith(["init", "--port", "x", "--data-dir", dataDir]);
    assert.equal(ended.code, MISUSED);
    assert.equal(existsSync(dataDir), false);
  });

  test("commands in a folder without a server make nothing", async () => {
    for (const words of [
      ["backup", path.join(parent, "backups")],
      ["upgrade", "check"],
      ["config", "show"],
      ["queue", "list"],
      ["doctor"],
    ]) {
      await runKith(words, { KITH_DATA_DIR: dataDir });
      assert.deepEqual(readdirSync(parent), [], words.join(" "));
    }
    const settings = { KITH_DATA_DIR: dataDir };
    const ended = await runKith(["backup", "x.tar"], settings);
    assert.match(ended.complaint, /^kith: There is no database at .*\n$/);
    assert.equal(existsSync("x.tar"), false);
  });

  test("all faults of the file, the environment and the flags are reported at once", async () => {
    const file = path.join(parent, "kith.toml");
    writeFileSync(file, 'port = 99999\nbase_ulr = "https://kith.example"\n');
    const ended = await runKith(["serve", "--concurrency", "0"], {
      KITH_CONFIG: file,
      KITH_DATA_DIR: dataDir,
      KITH_BIND: "nowhere",
    });
    assert.equal(ended.code, MISUSED);
    const lines = ended.complaint.trim().split("\n");
    assert.equal(lines.length, 4, ended.complaint);
    assert.match(ended.complaint, /kith\.toml:1: port must be a number/);
    assert.match(ended.complaint, /kith\.toml:2: "base_ulr" .* base_url\?/);
    assert.equal(existsSync(dataDir), false);
  });

  test("config show lists each value and its source", async () => {
    const file = path.join(parent, "kith.toml");
    writeFileSync(
      file,
      'port = 4444\nsecret_key = "x"\n'.replace("x", "0a".repeat(32)),
    );
    const settings = { KITH_CONFIG: file, KITH_LOG_LEVEL: "warn" };
    const { output } = await runKith(["config", "show"], settings);
    assert.match(output, /^KITH_PORT\t4444\tfile \(.*kith\.toml:1: port\)$/m);
    assert.match(
      output,
      /^KITH_LOG_LEVEL\twarn\tenvironment \(KITH_LOG_LEVEL\)$/m,
    );
    assert.match(output, /^KITH_SECRET_KEY\t\(secret\)\tfile/m);
    assert.match(output, /^KITH_WORKER\ttrue\tdefault$/m);
    assert.doesNotMatch(output, /0a0a/);
    const json = await runKith(["config", "show", "--json"], settings);
    assert.doesNotMatch(json.output, /0a0a/);
    const { settings: shown } = JSON.parse(json.output) as {
      settings: { name: string; source: string }[];
    };
    const port = shown.find(({ name }) => name === "KITH_PORT");
    assert.equal(port?.source, "file");
  });
});
