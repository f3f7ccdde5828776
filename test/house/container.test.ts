import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { validate } from "dockerfile-utils";
import { parse } from "yaml";
import { SETTINGS } from "../../packages/server/src/config/settings.ts";
import { root } from "../../scripts/project-files.ts";
import { readStages } from "../../scripts/release/container/containerfile.ts";
import { readIgnored } from "../../scripts/release/container/ignore-file.ts";

// `npm run release -- --container` builds and runs the image.

const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const names = new Set<string>(SETTINGS.map(({ name }) => name));
const isSetting = (name: string) =>
  names.has(name) || !name.startsWith("KITH_");

test("the Containerfile has no fault that a linter knows", () => {
  assert.deepEqual(validate(read("Containerfile")), []);
  const [fault] = validate(`${read("Containerfile")}\nEXPOSE nowhere\n`);
  assert.match(JSON.stringify(fault?.message), /nowhere/);
});

test("it copies files that are tracked, and all packages", () => {
  const [build] = readStages(read("Containerfile"));
  const copied = (build?.steps ?? []).flatMap((step) =>
    step.kind === "copy" ? step.sources : [],
  );
  const tracked = execFileSync("git", ["ls-files", "--", ...copied], {
    ...{ cwd: root, encoding: "utf8" },
  }).split("\n");
  for (const source of copied)
    assert.ok(
      tracked.some((it) => it === source || it.startsWith(`${source}/`)),
      `${source} is not tracked`,
    );
  const { workspaces } = JSON.parse(read("package.json")) as {
    workspaces: string[];
  };
  for (const workspace of workspaces)
    assert.ok(copied.includes(`${workspace}/package.json`), workspace);
});

test("the server in it is nobody's root, and reads settings that exist", () => {
  const [build, stage] = readStages(read("Containerfile"));
  assert.match(build?.image ?? "", /\/node:26\.\d+\.\d+-\w+-slim$/);
  assert.match(stage?.user ?? "", /^[1-9]\d+:[1-9]\d+$/);
  assert.deepEqual(stage?.command, ["kith", "serve"]);
  assert.match(stage.health.join(" "), /\/readyz/);
  for (const name of Object.keys(stage.env)) assert.ok(isSetting(name), name);
  assert.equal(stage.env["KITH_DATA_DIR"], stage.folder);
});

test("a Containerfile beyond what is read here is refused", () => {
  for (const more of ["ADD a b", "COPY --chmod=1 a b", "CMD serve", "ARG X"])
    assert.throws(
      () => readStages(`FROM a\n${more}\n`),
      /understood|exec form/,
    );
  assert.throws(() => readStages("RUN true\nFROM a\n"), /before FROM/);
});

test("data of a tried server, dependencies and tests stay out of the image", () => {
  const isIgnored = readIgnored(read(".dockerignore"));
  for (const file of [
    ...["data/secret.key", "packages/server/data/kith.sqlite-wal", ".git/HEAD"],
    ...["packages/server/.env.local", "packages/server/kith.toml"],
    ...["node_modules/pg/index.js", "packages/server/node_modules/pg/index.js"],
    ...["packages/server/src/main.test.ts", "packages/server/test/api/a.ts"],
  ])
    assert.ok(isIgnored(file), file);
  const tracked = execFileSync("git", ["ls-files", "--", "bin", "packages"], {
    ...{ cwd: root, encoding: "utf8" },
  });
  const isTest = /^packages\/[^/]+\/test\/|\.(test|fixture)\.ts$/;
  for (const file of tracked.trim().split("\n"))
    assert.equal(isIgnored(file), isTest.test(file), file);
});

test("an ignore file is read as builders read it", () => {
  const isIgnored = readIgnored("# why\n/a/\n*.md\n!b.md\n**/c?\n");
  for (const file of ["a", "a/x", "x.md", "c1", ".d/c2/x"])
    assert.ok(isIgnored(file), file);
  for (const file of ["aa", "x/a", "b.md", "x/x.md", "c", "c/1", "mmd"])
    assert.ok(!isIgnored(file), file);
  assert.throws(() => readIgnored("[ab]"), /understood/);
});

type Service = {
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly [name: string]: unknown;
};

/** The example for Compose as it is, or with the lines for PostgreSQL that are commented out. */
function readComposition(withPostgres = false) {
  const text = read("deploy/compose.yaml");
  const used = withPostgres
    ? text.replaceAll(/^( *)# (?=\s*[A-Za-z_]+:(?: |$))/gm, "$1")
    : text;
  return parse(used) as {
    readonly services: Readonly<Record<string, Service>>;
    readonly volumes: Readonly<Record<string, unknown>>;
  };
}

for (const withPostgres of [false, true])
  test(`the composition ${withPostgres ? "with PostgreSQL " : ""}has settings and volumes that exist`, () => {
    const { services, volumes } = readComposition(withPostgres);
    assert.equal("postgres" in services, withPostgres);
    for (const name of Object.keys(services["kith"]?.environment ?? {}))
      assert.ok(names.has(name), name);
    for (const service of Object.values(services))
      for (const volume of service.volumes) {
        const [from = ""] = volume.split(":");
        if (from.startsWith("./")) read(path.join("deploy", from));
        else assert.ok(from in volumes, volume);
      }
  });

test("the composition runs the image with a root that cannot be written to", () => {
  const { kith, caddy } = readComposition().services;
  assert.equal(kith?.["read_only"], true);
  assert.deepEqual(kith["tmpfs"], ["/tmp"]);
  assert.deepEqual(kith["cap_drop"], ["ALL"]);
  assert.deepEqual(kith["security_opt"], ["no-new-privileges:true"]);
  const [upstream] = /\{\$\w+/.exec(read("deploy/Caddyfile")) ?? [];
  assert.deepEqual(Object.keys(caddy?.environment ?? {}), [upstream?.slice(2)]);
});

test("Kith with PostgreSQL uses the database that the composition makes", () => {
  const { kith, postgres } = readComposition(true).services;
  const url = new URL(kith?.environment["KITH_DATABASE_URL"] ?? "");
  assert.equal(url.hostname, "postgres");
  assert.equal(url.username, postgres?.environment["POSTGRES_USER"]);
  assert.equal(url.password, postgres?.environment["POSTGRES_PASSWORD"]);
  // PostgreSQL names it after the user.
  assert.equal(url.pathname, `/${url.username}`);
});
