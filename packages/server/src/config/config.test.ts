import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readConfig } from "./config.ts";
import type { Env, Flags } from "./reader.ts";
import { settingsHelp } from "./settings-help.ts";
import { SETTINGS } from "./settings.ts";

const read = (env: Env = {}, flags: Flags = {}) =>
  readConfig(env, flags).config;

describe("defaults", () => {
  test("with no settings at all", () => {
    assert.deepEqual(readConfig({}, {}), {
      warnings: [],
      config: {
        baseUrl: "http://localhost:3000",
        baseHost: "localhost:3000",
        port: 3000,
        bind: ["127.0.0.1", "::1"],
        apiVersion: "v0",
        dataDir: "./data",
        database: { kind: "sqlite", file: "data/kith.sqlite" },
        registration: "open",
        whoInvites: "admins",
        passwordGrant: true,
        protocols: { activitypub: true, diaspora: true },
        allowPrivateNetwork: true,
        authorizedFetch: false,
        onlyAllowedHosts: false,
        hosts: [],
        logLevel: "info",
        logFormat: null,
        accessLog: false,
        worker: true,
        concurrency: 256,
        processes: 1,
        remoteMediaBytes: 1024 ** 3,
        storage: {
          notificationDays: null,
          remotePostDays: null,
          followedPostDays: null,
        },
        recordings: { maxBytes: 40 * 1024 ** 2, maxDurationMs: 3_600_000 },
        importBytes: 1024 ** 3,
        media: { host: null, isSigned: false, origins: [] },
        linkPreviews: true,
        trends: true,
        metrics: null,
        rateLimits: 1,
        requestFactor: 200,
        signUpsPerHour: 500,
        backups: null,
        backupBeforeUpgrade: true,
        mail: null,
        trustedProxies: [],
        tracing: null,
        isOfThisMachine: true,
      },
      secrets: {},
    });
  });

  test("on a public host", () => {
    const config = read({ KITH_BASE_URL: "https://www.kith.example/" });
    assert.equal(config.baseUrl, "https://www.kith.example");
    assert.equal(config.baseHost, "kith.example");
    assert.equal(config.port, 3000);
    assert.deepEqual(config.bind, ["0.0.0.0", "::"]);
    assert.equal(config.registration, "closed");
    assert.equal(config.allowPrivateNetwork, false);
    assert.equal(config.rateLimits, 1);
    assert.equal(config.requestFactor, 1);
    assert.equal(config.signUpsPerHour, 10);
    assert.equal(config.isOfThisMachine, false);
  });

  test("hosts with an address of their own", () => {
    const list =
      "Kith.Example=10.0.0.7:8443, *.lan.example=[fd00::7] *=9.9.9.9";
    assert.deepEqual(read({ KITH_HOSTS: list }).hosts, [
      { name: "kith.example", address: "10.0.0.7", port: 8443 },
      { name: "*.lan.example", address: "fd00::7", port: 443 },
      { name: "*", address: "9.9.9.9", port: 443 },
    ]);
  });

  test("a process does at least one thing at once", () => {
    assert.equal(read({ KITH_CONCURRENCY: "1" }).concurrency, 1);
    assert.equal(read({ KITH_PROCESSES: "64" }).processes, 64);
    for (const text of ["0", "-1", "1.5", "65"])
      assert.throws(() => read({ KITH_PROCESSES: text }), /from 1 to 64/);
    for (const text of ["0", "-1", "many", "1001"])
      assert.throws(() => read({ KITH_CONCURRENCY: text }), /from 1 to 1000/);
  });

  test("metrics are served where a port is given, on loopback", () => {
    assert.deepEqual(read({ KITH_METRICS_PORT: "9100" }).metrics, {
      host: "127.0.0.1",
      port: 9100,
    });
    const given = { KITH_METRICS_PORT: "9100", KITH_METRICS_HOST: "[fd00::7]" };
    assert.deepEqual(read(given).metrics, { host: "fd00::7", port: 9100 });
    assert.equal(read({ KITH_METRICS_HOST: "127.0.0.1" }).metrics, null);
    assert.throws(() => read({ KITH_METRICS_HOST: "all" }), /an IP address/);
  });

  test("the port alone names a server on localhost", () => {
    const config = read({ KITH_PORT: "3001" });
    assert.equal(config.port, 3001);
    assert.equal(config.baseUrl, "http://localhost:3001");
    assert.equal(config.baseHost, "localhost:3001");
    assert.equal(read({ KITH_PORT: "80" }).baseUrl, "http://localhost");
  });

  test("the port follows a loopback base URL, but can differ", () => {
    const base = { KITH_BASE_URL: "http://localhost:4000" };
    assert.equal(read(base).port, 4000);
    assert.equal(read({ KITH_BASE_URL: "http://localhost" }).port, 80);
    const both = read({ ...base, KITH_PORT: "4001" });
    assert.equal(both.port, 4001);
    assert.equal(both.baseUrl, "http://localhost:4000");
    const publicBase = { KITH_BASE_URL: "https://kith.example:8443" };
    assert.equal(read(publicBase).port, 3000);
    assert.equal(read(publicBase).baseHost, "kith.example:8443");
  });
});

describe("base URL", () => {
  const cases: [string, string, string][] = [
    ["https://KITH.Example", "https://kith.example", "kith.example"],
    ["https://kith.example:443", "https://kith.example", "kith.example"],
    ["https://kith.example./", "https://kith.example", "kith.example"],
    [
      "https://bücher.example",
      "https://xn--bcher-kva.example",
      "xn--bcher-kva.example",
    ],
    ["http://127.0.0.1:3000", "http://127.0.0.1:3000", "127.0.0.1:3000"],
    ["http://127.9.9.9", "http://127.9.9.9", "127.9.9.9"],
    ["http://[::1]:3000", "http://[::1]:3000", "[::1]:3000"],
    ["http://a.localhost:3000", "http://a.localhost:3000", "a.localhost:3000"],
    ["HTTPS://localhost", "https://localhost", "localhost"],
  ];
  for (const [given, url, host] of cases) {
    test(given, () => {
      const config = read({ KITH_BASE_URL: given });
      assert.equal(config.baseUrl, url);
      assert.equal(config.baseHost, host);
    });
  }
});

describe("each setting", () => {
  test("takes its values", () => {
    const { config, secrets } = readConfig(
      {
        KITH_BASE_URL: "https://kith.example",
        KITH_PORT: "8080",
        KITH_BIND: "10.0.0.1, [fd00::1], localhost",
        KITH_API_VERSION: "v17",
        KITH_DATA_DIR: "/var/lib/kith",
        KITH_DATABASE_URL: "postgres://kith:geheim@db/kith",
        KITH_BACKUP_DIR: "/backups",
        KITH_BACKUP_HOURS: "6",
        KITH_BACKUP_KEEP: "30",
        KITH_BACKUP_PASSPHRASE: "a staple of horses",
        KITH_BACKUP_BEFORE_UPGRADE: "off",
        KITH_MEDIA_URL: "s3://key:secret@s3.example/uploads",
        KITH_MEDIA_SIGNED: "on",
        KITH_MEDIA_HOST: "https://Media.example/",
        KITH_SMTP_URL: "smtp://kith:geheim%40@mail.example",
        KITH_MAIL_FROM: "Kith@Bücher.example",
        KITH_SECRET_KEY: "0A".repeat(32),
        KITH_REGISTRATION: "Approval",
        KITH_INVITATIONS: "users",
        KITH_PASSWORD_GRANT: "false",
        KITH_PROTOCOLS: "diaspora",
        KITH_ALLOW_PRIVATE_NETWORK: "yes",
        KITH_AUTHORIZED_FETCH: "true",
        KITH_ONLY_ALLOWED_HOSTS: "on",
        KITH_HOSTS: "nas.lan=10.0.0.7",
        KITH_LOG_LEVEL: "silent",
        KITH_LOG_FORMAT: "Human",
        KITH_ACCESS_LOG: "true",
        KITH_WORKER: "false",
        KITH_CONCURRENCY: "40",
        KITH_PROCESSES: "8",
        KITH_REMOTE_MEDIA_MB: "64",
        KITH_REMOTE_POST_DAYS: "90",
        KITH_FOLLOWED_POST_DAYS: "off",
        KITH_NOTIFICATION_DAYS: "365",
        KITH_RECORDING_MB: "100",
        KITH_RECORDING_MINUTES: "5",
        KITH_IMPORT_MB: "300",
        KITH_LINK_PREVIEWS: "false",
        KITH_TRENDS: "false",
        KITH_METRICS_PORT: "9100",
        KITH_METRICS_HOST: "10.0.0.1",
        KITH_RATE_LIMITS: "2.5",
        KITH_SIGN_UPS: "40",
        KITH_TRUSTED_PROXIES: "loopback,10.0.0.0/8 2001:db8::/32,192.0.2.1",
      },
      {},
    );
    assert.deepEqual(config, {
      baseUrl: "https://kith.example",
      baseHost: "kith.example",
      port: 8080,
      bind: ["10.0.0.1", "fd00::1", "127.0.0.1", "::1"],
      apiVersion: "v17",
      dataDir: "/var/lib/kith",
      database: { kind: "postgres" },
      registration: "approval",
      whoInvites: "users",
      passwordGrant: false,
      protocols: { activitypub: false, diaspora: true },
      allowPrivateNetwork: true,
      authorizedFetch: true,
      onlyAllowedHosts: true,
      hosts: [{ name: "nas.lan", address: "10.0.0.7", port: 443 }],
      logLevel: "silent",
      logFormat: "human",
      accessLog: true,
      worker: false,
      concurrency: 40,
      processes: 8,
      remoteMediaBytes: 64 * 1024 ** 2,
      storage: {
        notificationDays: 365,
        remotePostDays: 90,
        followedPostDays: null,
      },
      recordings: { maxBytes: 100 * 1024 ** 2, maxDurationMs: 300_000 },
      importBytes: 300 * 1024 ** 2,
      media: {
        host: "https://media.example",
        isSigned: true,
        origins: ["https://media.example", "https://s3.example"],
      },
      linkPreviews: false,
      trends: false,
      metrics: { host: "10.0.0.1", port: 9100 },
      rateLimits: 2.5,
      requestFactor: 1,
      signUpsPerHour: 40,
      backups: { folder: "/backups", everyHours: 6, keep: 30 },
      backupBeforeUpgrade: false,
      mail: { from: "Kith@xn--bcher-kva.example" },
      tracing: null,
      trustedProxies: ["loopback", "10.0.0.0/8", "2001:db8::/32", "192.0.2.1"],
      isOfThisMachine: false,
    });
    assert.deepEqual(secrets, {
      databaseUrl: "postgres://kith:geheim@db/kith",
      secretKey: Buffer.alloc(32, 10),
      backupPassphrase: "a staple of horses",
      media: {
        ...{ endpoint: "https://s3.example", region: "us-east-1" },
        ...{ bucket: "uploads", prefix: "", keyId: "key", secret: "secret" },
      },
      smtp: {
        ...{ host: "mail.example", port: 587, isTls: false },
        ...{ isLoopback: false },
        credentials: { user: "kith", password: "geheim@" },
      },
    });
    assert.ok(!JSON.stringify(config).includes("geheim"));
  });

  test("limits are a factor, or off", () => {
    const cases = [
      ...([
        ["off", null],
        ["false", null],
        ["on", 1],
      ] as const),
      ...([
        ["1", 1],
        ["0.01", 0.01],
        ["1000", 1000],
      ] as const),
    ];
    for (const [KITH_RATE_LIMITS, expected] of cases)
      assert.equal(read({ KITH_RATE_LIMITS }).rateLimits, expected);
  });

  test("is a flag too, and the flag wins", () => {
    const config = read(
      { KITH_PORT: "3001", KITH_LOG_LEVEL: "warn" },
      { port: "3002", registration: "closed", "allow-private-network": false },
    );
    assert.equal(config.port, 3002);
    assert.equal(config.baseUrl, "http://localhost:3002");
    assert.equal(config.logLevel, "warn");
    assert.equal(config.registration, "closed");
    assert.equal(config.allowPrivateNetwork, false);
    const on = { "allow-private-network": true };
    const base = { KITH_BASE_URL: "https://kith.example" };
    assert.equal(read(base, on).allowPrivateNetwork, true);
  });

  test("counts as not given where it is empty", () => {
    const empty = Object.fromEntries(SETTINGS.map(({ name }) => [name, "  "]));
    assert.deepEqual(read({ ...empty, KITH_UNKNOWN: "" }), read());
    assert.deepEqual(read({}, { port: "", help: true }), read());
  });

  test("words and spellings", () => {
    const isOn = (text: string) =>
      read({ KITH_ALLOW_PRIVATE_NETWORK: text }).allowPrivateNetwork;
    for (const text of ["true", "1", "ON", "yes"])
      assert.equal(isOn(text), true);
    for (const text of ["false", "0", "off", "No"]) {
      assert.equal(isOn(text), false);
    }
    const all = read({ KITH_BIND: "all" }).bind;
    assert.deepEqual(all, ["0.0.0.0", "::"]);
    const one = read({ KITH_PROTOCOLS: " ActivityPub ," }).protocols;
    assert.deepEqual(one, { activitypub: true, diaspora: false });
  });
});

test("a secret key is given by the environment alone", () => {
  const { secrets } = readConfig({}, { "secret-key": "0a".repeat(32) });
  assert.deepEqual(secrets, {});
});

test("the help names every setting, its flag and its default", () => {
  const help = settingsHelp();
  for (const setting of SETTINGS) {
    assert.ok(help.includes(setting.name), setting.name);
    const plain = help.replace(/\s+/g, " ");
    assert.ok(plain.includes(`Default: ${setting.default}.`), setting.name);
    if (setting.flag === null) continue;
    assert.ok(help.includes(`--${setting.flag} `), setting.flag);
    assert.ok(help.includes(`(${setting.name})`), setting.name);
    assert.equal(
      setting.name,
      `KITH_${setting.flag.toUpperCase().replaceAll("-", "_")}`,
    );
  }
  assert.ok(help.split("\n").every((line) => line.length <= 80));
});

describe("a bucket of backups", () => {
  const URL = "s3://AKID:hush@s3.example/bucket/kith?region=eu-central-1";
  test("takes the place of the folder, and is a secret", () => {
    const { config, secrets } = readConfig({ KITH_BACKUP_URL: URL }, {});
    assert.deepEqual(config.backups, { folder: null, everyHours: 24, keep: 7 });
    assert.equal(secrets.backups?.bucket, "bucket");
    assert.doesNotMatch(JSON.stringify(config), /hush/);
  });
  test("is no folder, and stands beside none", () => {
    for (const env of [
      { KITH_BACKUP_DIR: URL },
      { KITH_BACKUP_DIR: "/backups", KITH_BACKUP_URL: URL },
      { KITH_BACKUP_URL: "s3://AKID:hush@s3.example" },
    ])
      assert.throws(
        () => readConfig(env, {}),
        (error: Error) => {
          assert.match(error.message, /KITH_BACKUP_URL/);
          assert.doesNotMatch(error.message, /hush/);
          return true;
        },
      );
  });
});
