import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readConfig } from "./config.ts";
import { ConfigError } from "./reader.ts";
import type { Env, Flags } from "./reader.ts";

function faultsOf(env: Env, flags: Flags = {}): readonly string[] {
  try {
    readConfig(env, flags);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    assert.equal(error.message, error.faults.join("\n"));
    return error.faults;
  }
}

describe("faults", () => {
  const cases: [string, string, RegExp][] = [
    [
      "KITH_BASE_URL",
      "kith.example",
      /^KITH_BASE_URL must be an http or https/,
    ],
    ["KITH_BASE_URL", "ftp://kith.example", /must be an http or https/],
    ["KITH_BASE_URL", "https:/kith.example", /must be an http or https/],
    ["KITH_BASE_URL", "https://", /must be an http or https/],
    ["KITH_BASE_URL", "https://a:b@kith.example", /user name or password/],
    ["KITH_BASE_URL", "https://kith.example/social", /no path/],
    ["KITH_BASE_URL", "https://kith.example/?a", /no path/],
    ["KITH_BASE_URL", "https://kith.example#a", /no path/],
    ["KITH_BASE_URL", "https://kith.example:0", /port 0/],
    [
      "KITH_BASE_URL",
      "http://kith.example",
      /must begin with https: .*kith\.example/,
    ],
    ["KITH_BASE_URL", "http://192.168.1.1", /must begin with https/],
    ["KITH_BASE_URL", "http://128.0.0.1", /must begin with https/],
    ["KITH_BASE_URL", "http://127.example.org", /must begin with https/],
    ["KITH_BASE_URL", "http://mylocalhost", /must begin with https/],
    [
      "KITH_PORT",
      "0",
      /^KITH_PORT must be a number from 1 to 65535, not "0"\.$/,
    ],
    ["KITH_PORT", "65536", /1 to 65535/],
    ["KITH_PORT", "-1", /1 to 65535/],
    ["KITH_PORT", "3e3", /1 to 65535/],
    ["KITH_PORT", "http", /not "http"/],
    ["KITH_BIND", "localhost,example.org", /"example\.org" is neither/],
    ["KITH_BIND", "127.0.0.1:3000", /is neither/],
    ["KITH_BIND", "constructor", /is neither/],
    ["KITH_BIND", ",", /names no address/],
    ["KITH_HOSTS", "kith.example", /list hosts such as .*"kith\.example"/],
    ["KITH_HOSTS", "127.0.0.1=10.0.0.7", /is none/],
    ["KITH_HOSTS", "a.*=10.0.0.7", /is none/],
    ["KITH_HOSTS", "a=kith.example", /is none/],
    ["KITH_HOSTS", "a=fd00::7", /is none/],
    ["KITH_HOSTS", "a=10.0.0.7:0", /is none/],
    ["KITH_API_VERSION", "v1", /must not be v1/],
    ["KITH_API_VERSION", "v2", /must not be v2/],
    ["KITH_API_VERSION", "0", /"v" and a number/],
    ["KITH_API_VERSION", "v00", /"v" and a number/],
    ["KITH_API_VERSION", "v0/../v1", /"v" and a number/],
    ["KITH_DATABASE_URL", "mysql://root:geheim@db", /postgres:\/\/user/],
    ["KITH_DATABASE_URL", "./kith.db", /SQLite/],
    ["KITH_SECRET_KEY", "0a".repeat(31), /must be 64 hexadecimal/],
    ["KITH_SECRET_KEY", "0g".repeat(32), /openssl rand -hex 32/],
    [
      "KITH_REGISTRATION",
      "maybe",
      /one of open, approval, closed, not "maybe"/,
    ],
    ["KITH_INVITATIONS", "all", /one of admins, users, off, not "all"/],
    ["KITH_PROTOCOLS", "activitypub,matrix", /not "matrix"/],
    ["KITH_PROTOCOLS", ",", /at least one/],
    ["KITH_ALLOW_PRIVATE_NETWORK", "perhaps", /true or false/],
    ["KITH_ALLOW_PRIVATE_NETWORK", "constructor", /true or false/],
    ["KITH_REMOTE_MEDIA_MB", "63", /from 64 to 1000000, not "63"/],
    ["KITH_REMOTE_MEDIA_MB", "1e3", /from 64 to 1000000/],
    ["KITH_REMOTE_POST_DAYS", "30", /off, or a number from 31 to 36500/],
    ["KITH_FOLLOWED_POST_DAYS", "1e3", /off, or a number from 31 to 36500/],
    ["KITH_NOTIFICATION_DAYS", "7", /off, or a number from 31 to 36500/],
    ["KITH_RECORDING_MB", "101", /from 1 to 100, not "101"/],
    ["KITH_RECORDING_MINUTES", "0", /from 1 to 1000, not "0"/],
    ["KITH_IMPORT_MB", "20001", /from 1 to 20000, not "20001"/],
    ["KITH_DATABASE_POOL_URL", "mysql://x", /such as postgres:/],
    ["KITH_DATABASE_POOL_URL", "postgres://pool/kith", /must name the same/],
    ["KITH_DATABASE_REPLICA_URL", "./copy.sqlite", /such as postgres:/],
    ["KITH_DATABASE_REPLICA_URL", "postgres://b/kith", /SQLite has none/],
    ["KITH_MEDIA_HOST", "media.example", /an http or https address/],
    ["KITH_MEDIA_HOST", "https://media.example/files", /no path/],
    ["KITH_MEDIA_HOST", "http://localhost:3000", /must be another host/],
    ["KITH_MEDIA_SIGNED", "on", /there is no bucket: set KITH_MEDIA_URL/],
    ["KITH_LOG_LEVEL", "loud", /one of trace, debug/],
    ["KITH_RATE_LIMITS", "0", /off, or a number from 0\.01 to 1000, not "0"/],
    ["KITH_RATE_LIMITS", "-1", /off, or a number/],
    ["KITH_RATE_LIMITS", "0.001", /off, or a number/],
    ["KITH_RATE_LIMITS", "1001", /off, or a number/],
    ["KITH_RATE_LIMITS", "1e3", /off, or a number/],
    ["KITH_TRUSTED_PROXIES", "proxy.example", /"proxy\.example" is none/],
    ["KITH_TRUSTED_PROXIES", "10.0.0.0/33", /is none/],
    ["KITH_TRUSTED_PROXIES", "::/129", /is none/],
    ["KITH_TRUSTED_PROXIES", "10.0.0.0/8/8", /is none/],
    ["KITH_TRUSTED_PROXIES", "all", /is none/],
  ];
  for (const [name, value, expected] of cases) {
    test(`${name}=${value}`, () => {
      const faults = faultsOf({ [name]: value });
      assert.equal(faults.length, 1, faults.join("\n"));
      assert.match(faults[0] ?? "", expected);
    });
  }

  test("are all reported at once", () => {
    const faults = faultsOf(
      {
        KITH_BASE_URL: "http://kith.example",
        KITH_API_VERSION: "v1",
        KITH_LOG_LEVEL: "loud",
      },
      { port: "none", bind: true },
    );
    assert.equal(faults.length, 5);
    const all = faults.join("\n");
    for (const name of ["--port", "KITH_BASE_URL"]) {
      assert.ok(all.includes(name), name);
    }
    assert.match(all, /--bind needs a value\./);
  });

  test("never show a password", () => {
    const faults = [
      ...faultsOf({ KITH_DATABASE_URL: "mysql://root:geheim@db" }),
      ...faultsOf({ KITH_BASE_URL: "https://a:geheim@kith.example" }),
      ...faultsOf({ KITH_BASE_URL: "a:geheim@kith.example" }),
      ...faultsOf({ KITH_SECRET_KEY: "geheim" }),
    ];
    assert.equal(faults.length, 4);
    assert.ok(!faults.join().includes("geheim"));
  });

  test("do not concern what is not ours", () => {
    const env = {
      KITH_TEST_DATABASE_URL: "postgres://x",
      npm_config_kith: "x",
      PATH: "/bin",
      kith_port: "x",
    };
    assert.deepEqual(readConfig(env, {}), readConfig({}, {}));
  });
});

describe("a variable that nothing reads", () => {
  for (const [name, expected] of [
    [
      "KITH_BASEURL",
      /^KITH_BASEURL is not a setting; did you mean KITH_BASE_URL\?$/,
    ],
    ["KITH_PROTOCOL", /did you mean KITH_PROTOCOLS\?/],
    ["KITH_LOGLEVEL", /did you mean KITH_LOG_LEVEL\?/],
    ["KITH_PROT", /did you mean KITH_PORT\?/],
    ["KITH_SMTP_HOST_NAME", /^KITH_SMTP_HOST_NAME is not a setting\.$/],
  ] as const)
    test(`${name} is a warning, and keeps nothing from starting`, () => {
      const { warnings } = readConfig({ [name]: "x" }, {});
      assert.equal(warnings.length, 1);
      assert.match(warnings[0] ?? "", expected);
    });

  test("is reported beside faults, too", () => {
    assert.throws(
      () => readConfig({ KITH_PROT: "80", KITH_PORT: "none" }, {}),
      ({ faults, warnings }: ConfigError) =>
        faults.length === 1 && warnings.length === 1,
    );
  });
});
