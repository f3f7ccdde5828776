import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { parse } from "smol-toml";
import { parseConfigFile, readConfigFile } from "./config-file.ts";
import { readConfig } from "./config.ts";
import { renderConfigFile } from "./create-server.ts";
import { ConfigError, type Env, type Flags } from "./reader.ts";
import { showConfig } from "./show-config.ts";

const FILE = "/srv/kith/kith.toml";

const readWith = (text: string, env: Env = {}, flags: Flags = {}) =>
  readConfig(env, flags, parseConfigFile(text, FILE));

function faultsOf(text: string, env: Env = {}): readonly string[] {
  try {
    readWith(text, env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.faults;
  }
}

describe("a configuration file", () => {
  test("yields to variables, and these to flags", () => {
    const text = 'port = 4001\nregistration = "approval"\nlog_level = "warn"';
    const env = { KITH_PORT: "4002", KITH_LOG_LEVEL: "error" };
    const { config } = readWith(text, env, { port: "4003" });
    assert.equal(config.port, 4003);
    assert.equal(config.logLevel, "error");
    assert.equal(config.registration, "approval");
    assert.equal(config.concurrency, 256);
  });

  test("has texts, numbers, switches and lists", () => {
    const { config, secrets } = readWith(
      `base_url = "https://kith.example"
       trusted_proxies = ["loopback", "10.0.0.0/8"]
       link_previews = false
       rate_limits = 2.5
       database_url = "postgres://kith:geheim@db/kith"`,
    );
    assert.deepEqual(config.trustedProxies, ["loopback", "10.0.0.0/8"]);
    assert.equal(config.linkPreviews, false);
    assert.equal(config.rateLimits, 2.5);
    assert.equal(secrets.databaseUrl, "postgres://kith:geheim@db/kith");
  });

  test("has paths that start at its folder", () => {
    const { config } = readWith(
      'data_dir = "."\nbackup_dir = "../backups"\nbackup_keep = 3',
    );
    assert.equal(config.dataDir, "/srv/kith");
    assert.equal(config.backups?.folder, "/srv/backups");
    assert.equal(config.backups?.keep, 3);
  });

  test("has its faults reported all together, with their lines", () => {
    const text = `# Settings
port = "eighty"
regstration = "open"

[limits]
sign_ups = 1
[[proxies]]
bind = { a = 1 }
`;
    assert.deepEqual(faultsOf(text, { KITH_CONCURRENCY: "0" }), [
      `${FILE}:3: "regstration" is not a setting; did you mean registration?`,
      `${FILE}:5: "limits" is not a setting.`,
      `${FILE}:7: "proxies" is not a setting.`,
      `${FILE}:2: port must be a number from 1 to 65535, not "eighty".`,
      'KITH_CONCURRENCY must be a number from 1 to 1000, not "0".',
    ]);
    assert.deepEqual(
      faultsOf('\nbind = { a = 1 }\nhosts = [1]\nconfig = "x"'),
      [
        `${FILE}:2: bind must be a text, a number, true or false, or a list of texts.`,
        `${FILE}:3: hosts must be a text, a number, true or false, or a list of texts.`,
        `${FILE}:4: "config" is not a setting.`,
      ],
    );
  });

  test("that is no TOML is named with the line, and what else is wrong", () => {
    const faults = faultsOf("port = 80\nbind = \n", { KITH_PORT: "x" });
    assert.match(
      faults[0] ?? "",
      /^\/srv\/kith\/kith\.toml:2: This is not TOML/,
    );
    assert.equal(faults.length, 2);
  });

  test("never repeats a secret in a fault", () => {
    for (const key of ["secret_key", "database_url", "backup_passphrase"])
      assert.doesNotMatch(faultsOf(`${key} = "geheim"`).join(), /geheim/);
  });

  test("is that of the data directory, unless another is named", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "kith-config-"));
    try {
      const [own, other] = ["kith.toml", "other.toml"].map((name) =>
        path.join(folder, name),
      ) as [string, string];
      assert.equal(readConfigFile(undefined, folder).path, undefined);
      assert.match(
        readConfigFile(other, folder).faults[0] ?? "",
        /other\.toml cannot be read \(ENOENT\)/,
      );
      for (const file of [own, other]) writeFileSync(file, "");
      assert.equal(readConfigFile(undefined, folder).path, own);
      assert.equal(readConfigFile(other, folder).path, other);
      writeFileSync(own, 'backup_passphrase = "a staple of horses"');
      chmodSync(own, 0o644);
      assert.match(
        readConfigFile(undefined, folder).warnings[0] ?? "",
        /has backup_passphrase, and other users.*chmod 600/,
      );
      chmodSync(own, 0o600);
      assert.deepEqual(readConfigFile(undefined, folder).warnings, []);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("that kith init writes has the given settings, and describes all", () => {
    const env = {
      KITH_BASE_URL: "https://kith.example",
      KITH_SECRET_KEY: "0a".repeat(32),
    };
    const text = renderConfigFile(env, { worker: false });
    assert.deepEqual(
      { ...parse(text) },
      {
        base_url: "https://kith.example",
        data_dir: ".",
        worker: "false",
      },
    );
    assert.match(text, /^# trusted_proxies = ""$/m);
    assert.ok(text.split("\n").every((line) => line.length <= 80));
    // Everything in it can be uncommented.
    assert.deepEqual(faultsOf(text.replaceAll(/^# (\w+ = )/gm, "$1")), []);
  });
});

test("each setting is shown with its value and its place, but no secret", () => {
  const file = parseConfigFile(
    'port = 4001\nbackup_passphrase = "a staple of horses"',
    FILE,
  );
  const env = { KITH_DATABASE_URL: "postgres://kith:geheim@db/kith" };
  const flags = { "log-level": "warn" };
  const shown = showConfig(readConfig(env, flags, file), env, flags, file);
  const of = (name: string) => shown.find((one) => one.name === name);
  assert.deepEqual(of("KITH_PORT"), {
    ...{ name: "KITH_PORT", value: "4001", isSecret: false },
    ...{ source: "file", place: `${FILE}:1: port` },
  });
  assert.equal(of("KITH_LOG_LEVEL")?.place, "--log-level");
  assert.equal(of("KITH_BASE_URL")?.value, "http://localhost:4001");
  assert.equal(of("KITH_BASE_URL")?.source, "default");
  assert.equal(of("KITH_DATABASE_URL")?.isSecret, true);
  assert.equal(of("KITH_DATABASE_URL")?.source, "environment");
  assert.doesNotMatch(JSON.stringify(shown), /geheim|staple/);
});
