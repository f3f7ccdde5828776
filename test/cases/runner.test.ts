import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { after, test } from "node:test";
import { root } from "../../scripts/project-files.ts";
import { DATABASE_KINDS } from "../../packages/server/test/support/databases.ts";
import { readCaseFolder } from "./case-file.ts";

const own = path.join(import.meta.dirname, "own");
const given = path.join(root, "test/vectors/activitypub");
const scratch = fs.mkdtempSync(path.join(tmpdir(), "kith-runner-"));
after(() => fs.rmSync(scratch, { recursive: true }));

async function run(...args: string[]) {
  const script = path.join(root, "test/cases/run.ts");
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, complaint] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return {
    code: child.exitCode,
    lines: output.trimEnd().split("\n"),
    complaint,
  };
}

/** A copy of our own folder with something changed in its index. */
function changed(change: (index: { cases: object[]; count: number }) => void) {
  const folder = fs.mkdtempSync(path.join(scratch, "folder-"));
  fs.cpSync(own, folder, { recursive: true });
  const file = path.join(folder, "index.json");
  const index = JSON.parse(fs.readFileSync(file, "utf8")) as Parameters<
    typeof change
  >[0];
  change(index);
  fs.writeFileSync(file, JSON.stringify(index));
  return folder;
}

for (const database of DATABASE_KINDS)
  test(`each case has a line, and only what was seen passes (${database})`, async () => {
    const json = path.join(scratch, `${database}.json`);
    const { code, lines, complaint } = await run(
      ...[own, "--json", json, "--database", database],
    );
    const lineOf = (name: string) =>
      lines.find((line) => line.split(" ")[1] === `${name}:`) ?? complaint;
    assert.match(
      lineOf("passes"),
      /^passed passes: accept: deliver 202; like .*carol@.*manual.*\(1 by hand\)$/,
    );
    assert.match(lineOf("fails"), /^FAILED fails: noLike: like .*by carol@/);
    assert.match(lineOf("refused"), /^passed refused: reject: deliver 401/);
    assert.match(lineOf("by-hand"), /^FAILED by-hand: no effect .*can be seen/);
    const others = [
      ["relayed-to-inbox", "accept: .*passed on by a relay"],
      ["relayed-to-follower", "accept: .*passed on by a relay"],
      ["relayed-by-stranger", "reject: .*no post"],
      ["told-to-relays", "accept: .*Create.*Announce.*not sent"],
      ["moves", "accept: .*Follow.*new.example.*Undo"],
      ["moves-in-a-circle", "ignore: .*not sent"],
      ["pins", "accept: .*no object has pinned"],
      ["quote-allowed", "accept: .*fetched.*post"],
    ] as const;
    for (const [name, shown] of others)
      assert.match(lineOf(name), new RegExp(`^passed ${name}: ${shown}`));
    assert.deepEqual(lines.slice(-2), [
      "1 fields skipped (language 1), 2 sentences to check by hand",
      "10 passed, 2 failed",
    ]);
    assert.equal(code, 1);
    const written = JSON.parse(fs.readFileSync(json, "utf8")) as {
      cases: { file: string; passed: boolean; assertions: object[] }[];
    };
    assert.deepEqual(
      written.cases
        .slice(0, 4)
        .map((one) => [one.file, one.passed, one.assertions.length]),
      [
        ["passes.json", true, 6],
        ["fails.json", false, 4],
        ["refused.json", true, 4],
        ["by-hand.json", false, 3],
      ],
    );
  });

test("a folder that breaks the schema, or is none, is refused", async () => {
  const unknownStep = changed(({ cases }) => {
    Object.assign(cases[0] ?? {}, { given: [{ teleport: "alice" }] });
  });
  const wrongCount = changed((index) => {
    index.count += 1;
  });
  for (const [args, complaint] of [
    [[unknownStep], /\/cases\/0\/given\/0/],
    [[wrongCount], /count is 13/],
    [[scratch], /index\.json cannot be read/],
    [[own, "--only", "nobody"], /there is no case nobody/],
    [[], /npm run cases:activitypub/],
    [[own, "--fast"], /--fast/],
  ] as const) {
    const refused = await run(...args);
    assert.match(refused.complaint, complaint);
    assert.equal(refused.code, 2);
  }
});

test("a step and an assertion of a wider vocabulary are no pass", async () => {
  const folder = changed(({ cases }) => {
    Object.assign(cases[0] ?? {}, { given: [{ teleport: "alice" }] });
    Object.assign(cases[2] ?? {}, { check: [{ glow: true }] });
  });
  fs.writeFileSync(path.join(folder, "index.schema.json"), "{}");
  const { code, lines } = await run(folder, "--only", "passes,refused.json");
  assert.match(
    lines.join("\n"),
    /^FAILED passes: cannot set up: .*no step "teleport"/m,
  );
  assert.match(
    lines.join("\n"),
    /^FAILED refused: cannot check: glow: there is no assertion "glow"$/m,
  );
  assert.deepEqual([lines.at(-1), code], ["0 passed, 2 failed", 1]);
});

/** What the vectors' README says that Kith does not keep. */
const NOT_KEPT =
  "categories 1, emojis 3, fields 1, focus 1, header 2, indexable 1, language 2, locked 4";

test("all given cases pass, and no sentence is left to read", async () => {
  const { index } = readCaseFolder(given);
  const { lines, code, complaint } = await run(given);
  const failed = lines.filter((line) => line.startsWith("FAILED"));
  assert.deepEqual(failed, []);
  assert.deepEqual(
    [...lines.slice(-2), complaint],
    [
      `15 fields skipped (${NOT_KEPT}), 0 sentences to check by hand`,
      `${index.cases.length} passed, 0 failed`,
      "",
    ],
  );
  assert.equal(code, 0);
});
