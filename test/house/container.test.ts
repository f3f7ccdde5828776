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
  const stage = readStages(read("Containerfile")).at(-1);
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

test("the composition runs the image with a root that cannot be written to", () => {
  const { services, volumes } = parse(read("deploy/compose.yaml")) as {
    services: Record<string, Record<string, unknown>>;
    volumes: Record<string, unknown>;
  };
  const { kith, caddy } = services;
  assert.equal(kith?.["read_only"], true);
  assert.deepEqual(kith["cap_drop"], ["ALL"]);
  const settings = Object.keys(kith["environment"] as object);
  for (const name of settings) assert.ok(isSetting(name), name);
  for (const service of [kith, caddy])
    for (const volume of service?.["volumes"] as string[])
      assert.ok((volume.split(":")[0] ?? "") in volumes, volume);
});
