import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { after, before, beforeEach, describe, test } from "node:test";
import {
  createTestDatabase,
  forEachDatabase,
} from "../../packages/server/test/support/server/databases.ts";
import {
  type Ended,
  runKith,
  settingsFor,
  spawnKith,
} from "../support/kith-command.ts";
import { eventually, KithProcess } from "../support/kith-process.ts";

const MISUSED = 2;
const FAILED = 1;

/** Prints exactly one sentence, which matches. */
function assertOneLine(ended: Ended, code: number, sentence: RegExp): void {
  assert.match(ended.complaint, /^kith: [^\n]+\n$/);
  assert.match(ended.complaint, sentence);
  assert.equal(ended.output, "");
  assert.equal(ended.code, code);
}

let folder: string;
let count = 0;
let dataDir: string;

before(() => {
  folder = mkdtempSync(path.join(tmpdir(), "kith-test-"));
});
after(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  count += 1;
  dataDir = path.join(folder, String(count));
});

describe("arguments", () => {
  test("--help names every command and setting", async () => {
    for (const flag of ["--help", "-h"]) {
      const { code, output, complaint } = await runKith([flag]);
      assert.equal(code, 0, complaint);
      for (const word of ["serve", "worker", "migrate", "account create"])
        assert.match(output, new RegExp(`^  ${word}\\b`, "m"));
      assert.match(output, /--base-url URL {2}\(KITH_BASE_URL\)/);
      assert.match(output, /--database-url URL {2}\(KITH_DATABASE_URL\)/);
    }
  });

  test("without a reader of the output, a command ends quietly", async () => {
    for (const args of [["--help"], ["config", "show"]]) {
      const child = spawnKith(args, { KITH_DATA_DIR: dataDir });
      child.stdout?.destroy();
      const closed = once(child, "close");
      const complaint = child.stderr ? await text(child.stderr) : "";
      await closed;
      assert.equal(complaint, "");
      // As after SIGPIPE.
      assert.equal(child.exitCode, 141, args.join(" "));
    }
  });

  test("every command of the help can be called", async () => {
    const { output } = await runKith(["--help"]);
    const [, commands = ""] = /^Commands:\n(.*?)\n\n/ms.exec(output) ?? [];
    const names = commands.match(/^ {2}[a-z]+/gm)?.map((name) => name.trim());
    assert.ok(new Set(names).has("announcement"));
    for (const name of new Set(names)) {
      const help = await runKith([name, "--help"]);
      assert.equal(help.code, 0, `${name}: ${help.complaint}`);
      assert.match(help.output, new RegExp(`^Usage: kith ${name}\\b`));
    }
  });

  test("backup takes no subcommand for a path", async () => {
    const settings = { KITH_DATA_DIR: dataDir };
    for (const [words, reason] of [
      [["backup", "verify"], /path of the backup is missing/],
      [["backup", "list"], /list is not a path/],
      [["backup"], /kith backup FOLDER/],
    ] as const)
      assertOneLine(await runKith(words, settings), MISUSED, reason);
  });

  test("--help after a command is about that command", async () => {
    const account = await runKith(["account", "--help"]);
    assert.equal(account.code, 0, account.complaint);
    assert.match(account.output, /^Usage: kith account VERB/);
    assert.match(account.output, /^ {2}account reset-password NAME/m);
    assert.doesNotMatch(account.output, /^ {2}(relays|serve|queue)\b/m);
    assert.doesNotMatch(account.output, /KITH_BASE_URL/);
    const serve = await runKith(["serve", "-h"]);
    assert.match(serve.output, /^ {2}serve \[--no-worker\]/m);
    assert.match(serve.output, /KITH_BASE_URL/);
    assert.doesNotMatch(serve.output, /^ {2}account\b/m);
    const none = await runKith(["servee", "--help"]);
    assertOneLine(none, MISUSED, /no command servee/);
  });

  test("no command creates a missing database", async () => {
    for (const words of [
      ["migrate"],
      ["account", "list"],
      ["account", "create", "ada"],
      ["queue", "list"],
    ]) {
      const settings = { KITH_DATA_DIR: dataDir };
      const ended = await runKith(words, settings, "correct horse\n");
      assertOneLine(ended, FAILED, /no database at .*kith serve/);
      assert.equal(existsSync(dataDir), false, "nothing was made");
    }
    const database = await createTestDatabase("postgres");
    const ended = await runKith(["account", "list"], settingsFor(database));
    assertOneLine(ended, FAILED, /no tables of Kith's.*kith serve/);
    await database.remove();
  });

  test("an unknown variable causes a warning with the right name, and lists have a header", async () => {
    const kith = await KithProcess.start({
      database: "sqlite",
      protocols: "activitypub",
      settings: { KITH_REGISTRATION: "closed", KITH_REGISTRATIONS: "open" },
    });
    try {
      assert.match(
        kith.output,
        /"level":40,.*KITH_REGISTRATIONS is not a setting; did you mean KITH_REGISTRATION\?/,
      );
      // It answers before it has written all lines.
      const assertNext = (next: RegExp) =>
        eventually(async () => assert.match(kith.output, next));
      await assertNext(
        /"Next: create the account of the admin at .*\/setup .*the code [A-Z2-9-]{23}\)/,
      );
      for (const [command = "", header] of [
        ["account", "name\trole\tstate\tsince\twrote"],
        ["hosts", "host\tdecision\tsince\treason"],
        ["relays", "url\tkind\tstate\tsince"],
        ["invitation", "number\tby\tstate\tuses\tuntil"],
        ["reports", "number\twhen\tserver\tabout\tsays\tposts\tstate"],
        ["audit", "when\tby\twhat\tof\tdetails"],
      ]) {
        const { output } = await runKith([command, "list"], kith.settings);
        assert.equal(output, `${header}\n`);
      }
      await runKith(
        ["account", "create", "ada", "admin"],
        kith.settings,
        "correct horse\n",
      );
      await kith.stop();
      await kith.start();
      await assertNext(/"Next: sign in at .*\/users\/sign_in"/);
    } finally {
      await kith.remove();
    }
  });

  test("--version is that of the package", async () => {
    const manifest = JSON.parse(
      readFileSync("packages/server/package.json", "utf8"),
    ) as { version: string };
    const { code, output } = await runKith(["--version"]);
    assert.equal(output, `${manifest.version}\n`);
    assert.equal(code, 0);
  });

  test("an unknown command", async () => {
    assertOneLine(await runKith(["servee"]), MISUSED, /no command servee/);
    assertOneLine(await runKith(["serve", "now"]), MISUSED, /no further words/);
    assertOneLine(await runKith(["account", "steal"]), MISUSED, /create\|list/);
    assertOneLine(await runKith(["reports"]), MISUSED, /kith reports list/);
  });

  test("an unknown flag, or one without its value", async () => {
    assertOneLine(
      await runKith(["--prot", "80"]),
      MISUSED,
      /option --prot\..*--help/,
    );
    assertOneLine(await runKith(["--port"]), MISUSED, /--port.*--help/);
  });

  test("several invalid settings are reported at once, without a stack", async () => {
    const { code, output, complaint } = await runKith(["--bind", "nowhere"], {
      KITH_PORT: "eighty",
      KITH_API_VERSION: "v1",
      KITH_PROTOCOLS: "diaspora,smtp",
      KITH_REGISTRATIONS: "open",
      KITH_DATABASE_URL: "mysql://localhost",
      KITH_DATA_DIR: dataDir,
    });
    assert.equal(code, MISUSED);
    assert.equal(output, "");
    const lines = complaint.trimEnd().split("\n");
    assert.equal(lines.length, 6, complaint);
    for (const name of [
      "KITH_PORT",
      "KITH_API_VERSION",
      "KITH_PROTOCOLS",
      "KITH_REGISTRATIONS",
      "KITH_DATABASE_URL",
      "--bind",
    ])
      assert.ok(
        lines.some((line) =>
          new RegExp(`^kith: (warning: )?${name} `).test(line),
        ),
        `${name} is reported`,
      );
  });
});

describe("obstacles", () => {
  test("a port that is in use", async () => {
    const holder = createServer().listen(0, "127.0.0.1");
    await once(holder, "listening");
    const { port } = holder.address() as AddressInfo;
    const ended = await runKith(["serve", "--port", String(port)], {
      KITH_DATA_DIR: dataDir,
    });
    holder.close();
    assertOneLine(ended, FAILED, new RegExp(`Port ${port} is in use`));
  });

  test("a file in place of the data directory", async () => {
    writeFileSync(dataDir, "not a directory");
    const settings = { KITH_DATA_DIR: dataDir };
    assertOneLine(await runKith([], settings), MISUSED, /ENOTDIR/);
    assertOneLine(await runKith(["migrate"], settings), FAILED, /no database/);
    const below = { KITH_DATA_DIR: path.join(dataDir, "below") };
    assertOneLine(await runKith([], below), MISUSED, /cannot be written to/);
  });

  test("a database that is invalid, damaged, or a directory", async () => {
    const file = path.join(dataDir, "kith.sqlite");
    const settings = { KITH_DATA_DIR: dataDir };
    mkdirSync(dataDir);
    writeFileSync(file, "This is no database. ".repeat(500));
    for (const command of ["serve", "migrate"])
      assertOneLine(
        await runKith([command], settings),
        FAILED,
        /kith\.sqlite cannot be opened: file is not a database/,
      );
    writeFileSync(file, "");
    assert.equal((await runKith(["migrate"], settings)).code, 0);
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xff, 4096));
    for (const command of ["serve", "migrate"])
      assertOneLine(await runKith([command], settings), FAILED, /malformed/);
    rmSync(file);
    mkdirSync(file);
    assertOneLine(await runKith([], settings), FAILED, /unable to open/);
  });

  test("a second server on the same SQLite data", async () => {
    const first = await KithProcess.start({
      database: "sqlite",
      protocols: "diaspora",
    });
    try {
      const second = await runKith(["serve", "--port", "0"], {
        KITH_DATA_DIR: first.dataDir,
      });
      assert.equal(second.code, MISUSED, "port 0 is refused before anything");
      const another = await runKith(["serve", "--port", "65000"], {
        KITH_DATA_DIR: first.dataDir,
      });
      assertOneLine(another, FAILED, /in use by another running Kith/);
      assert.equal((await fetch(`${first.baseUrl}/`)).status, 200);
    } finally {
      await first.remove();
    }
  });

  test("an unreachable PostgreSQL, without showing its password", async () => {
    const settings = {
      KITH_DATABASE_URL: "postgres://kith:tellnobody@127.0.0.1:1/kith",
      KITH_DATA_DIR: dataDir,
    };
    for (const command of ["serve", "worker", "migrate"]) {
      const ended = await runKith([command], settings);
      assertOneLine(ended, FAILED, /127\.0\.0\.1:1\/kith cannot be used/);
      assert.doesNotMatch(ended.complaint, /tellnobody/);
    }
  });

  test("a wrong password for PostgreSQL, and a missing database", async () => {
    const database = await createTestDatabase("postgres");
    const right = settingsFor(database)["KITH_DATABASE_URL"] ?? "";
    const wrong = new URL(right);
    wrong.password = "guessed";
    const settings = { KITH_DATA_DIR: dataDir };
    assertOneLine(
      await runKith([], { ...settings, KITH_DATABASE_URL: wrong.toString() }),
      FAILED,
      /cannot be used: password authentication failed/,
    );
    const absent = new URL(right);
    absent.pathname = "/kith_is_not_here";
    assertOneLine(
      await runKith([], { ...settings, KITH_DATABASE_URL: absent.toString() }),
      FAILED,
      /kith_is_not_here" does not exist/,
    );
    await database.remove();
  });

  test("a separate worker with SQLite", async () => {
    const ended = await runKith(["worker"], { KITH_DATA_DIR: dataDir });
    assertOneLine(ended, MISUSED, /needs PostgreSQL \(KITH_DATABASE_URL\)/);
  });

  test("serving without a worker with SQLite", async () => {
    const settings = { KITH_DATA_DIR: dataDir };
    for (const ended of [
      await runKith(["serve", "--no-worker"], settings),
      await runKith([], { ...settings, KITH_WORKER: "false" }),
    ])
      assertOneLine(ended, MISUSED, /--no-worker.*needs PostgreSQL/);
    assert.equal(existsSync(dataDir), false, "nothing was made");
  });

  test("a worker that does no work", async () => {
    const ended = await runKith(["worker", "--no-worker"], {
      KITH_DATA_DIR: dataDir,
      KITH_DATABASE_URL: "postgres://localhost/kith",
    });
    assertOneLine(ended, MISUSED, /leave out --no-worker/);
  });
});

describe("kith migrate", () => {
  forEachDatabase((kind) => {
    test("reports its work, and nothing to do the second time", async () => {
      const database = await createTestDatabase(kind);
      const settings = settingsFor(database);
      // An empty file is an empty database.
      if (database.location.kind === "sqlite")
        writeFileSync(database.location.file, "");
      const first = await runKith(["migrate"], settings);
      assert.equal(first.code, 0, first.complaint);
      assert.match(first.output, /Steps made: .*first-tables/);
      const second = await runKith(["migrate"], settings);
      assert.equal(second.code, 0, second.complaint);
      assert.equal(second.output, "The database is up to date.\n");
      await database.remove();
    });
  });
});
