import assert from "node:assert/strict";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import {
  type Boundaries,
  cruiseBoundaries,
} from "../../scripts/house/imports/boundaries.ts";
import { forbidden, permitted } from "./boundary-cases.ts";

const server = "packages/server/src";

/** A miniature of the project: a file per folder, workspaces linked as npm links them. */
const rooms = [
  ...["compose/server.ts", "main.ts", "config/config.ts", "cli/account.ts"],
  ...["observability/log.ts"],
  ...["api/routes.ts", "pages/routes.ts", "http/app.ts", "rogue/thing.ts"],
  ...["mastodon-api/routes.ts"],
  ...["jobs/queue.ts", "db/schema.ts", "lib/clock.ts", "lib/clock.test.ts"],
  "backups/make-backup.ts",
  ...["federation/fan-out.ts", "federation/activitypub/inbox.ts"],
  ...["federation/diaspora/receive.ts", "federation/delivery/deliver.ts"],
  ...["federation/activitypub/records/uris.ts"],
  ...["federation/activitypub/records/sent-store.ts"],
  ...["federation/outbound/content.ts", "federation/outbound/load-outgoing.ts"],
  ...["federation/discovery/find.ts", "features/facts.ts"],
  ...["features/posts/index.ts", "features/posts/post-store.ts"],
  ...["features/likes/index.ts", "features/likes/like-store.ts"],
  "../test/harness.ts",
].map((file) => path.posix.join(server, file));

const packages = ["activitypub", "diaspora", "server"];

describe("the boundaries", () => {
  let base: string;
  let result: Boundaries;

  before(async () => {
    base = realpathSync(mkdtempSync(path.join(tmpdir(), "kith-boundaries-")));
    buildHouse();
    const folders = packages.map((name) => `packages/${name}/src`);
    result = await cruiseBoundaries(base, folders);
  });
  after(() => rmSync(base, { recursive: true, force: true }));

  function write(file: string, text: string) {
    const target = path.join(base, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }

  function writePackage(folder: string, manifest: Record<string, unknown>) {
    const more = { version: "1.0.0", type: "module" };
    write(`${folder}/package.json`, JSON.stringify({ ...manifest, ...more }));
  }

  function buildHouse() {
    writePackage(".", { name: "house", devDependencies: { tool: "1.0.0" } });
    const dependencies = { "@kith/activitypub": "*", "@kith/diaspora": "*" };
    for (const name of packages) {
      writePackage(`packages/${name}`, {
        name: `@kith/${name}`,
        exports: "./src/index.ts",
        ...(name === "server" ? { dependencies } : {}),
      });
      write(`packages/${name}/src/index.ts`, "export const it = 1;\n");
      write(`packages/${name}/src/inside.ts`, "export const it = 1;\n");
      mkdirSync(path.join(base, "node_modules/@kith"), { recursive: true });
      symlinkSync(
        path.join(base, "packages", name),
        path.join(base, "node_modules/@kith", name),
      );
    }
    for (const name of ["tool", "undeclared"]) {
      writePackage(`node_modules/${name}`, { name, exports: "./index.js" });
      write(`node_modules/${name}/index.js`, "export const it = 1;\n");
    }
    for (const room of rooms) write(room, "export const it = 1;\n");
    write(`${server}/lib/back.ts`, importOf("./there.ts", undefined));
    for (const [index, { from, to, type }] of permitted.entries()) {
      write(caseFile(from, `permitted-${index}`), importOf(to, type));
    }
    for (const [index, { from, to, type }] of forbidden.entries()) {
      write(caseFile(from, `forbidden-${index}`), importOf(to, type));
    }
  }

  const rulesAgainst = (file: string) =>
    result.breaches
      .filter(({ from, to }) => from === file || to.includes(`${file} -> `))
      .map((it) => it.rule);

  for (const [index, { from, to, type }] of permitted.entries()) {
    test(`${from} may import ${type ?? ""} ${to}`, () => {
      const file = caseFile(from, `permitted-${index}`);
      assert.ok(result.modules.includes(file), `${file} was not read`);
      assert.deepEqual(rulesAgainst(file), []);
    });
  }

  for (const [index, { rule, from, to, type }] of forbidden.entries()) {
    test(`${rule}: ${from} may not import ${type ?? ""} ${to}`, () => {
      const file = caseFile(from, `forbidden-${index}`);
      assert.deepEqual(rulesAgainst(file), [rule]);
    });
  }

  test("nothing else is reported", () => {
    assert.equal(result.breaches.length, forbidden.length);
  });

  test("every rule is broken by a case", () => {
    const broken = new Set(forbidden.map((it) => it.rule));
    assert.deepEqual([...result.comments.keys()].sort(), [...broken].sort());
  });
});

/** The path of a case's file: `{}` in `from` stands for its name. */
function caseFile(from: string, name: string) {
  return from.replace("{}", name);
}

function importOf(to: string, type: "type" | undefined) {
  return `import ${type ?? ""} { it } from "${to}";\nexport { it };\n`;
}
