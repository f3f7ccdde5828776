import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { after, test } from "node:test";
import { root } from "../../scripts/project-files.ts";
import { TESTED_DATABASE_KINDS } from "../../packages/server/test/support/server/databases.ts";
import { readCaseFolder } from "./case-file.ts";

const own = path.join(import.meta.dirname, "own");
const given = path.join(root, "test/vectors/activitypub");
const scratch = fs.mkdtempSync(path.join(tmpdir(), "kith-runner-"));
after(() => fs.rmSync(scratch, { recursive: true }));

const run = (...args: string[]) => runWith({ jobs: 1 }, ...args);

/** Each job loads Kith and runs it cold: for a few cases that do not wait, another costs more than it saves. */
async function runWith({ jobs }: { jobs: number }, ...args: string[]) {
  const script = path.join(root, "test/cases/run.ts");
  const options = [script, ...args, "--jobs", String(jobs)];
  const child = spawn(process.execPath, options, {
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

/** A copy of a folder, by default our own, with a modified index. */
function changed(
  change: (index: { cases: object[]; count: number }) => void,
  from = own,
) {
  const folder = fs.mkdtempSync(path.join(scratch, "folder-"));
  fs.cpSync(from, folder, { recursive: true });
  const file = path.join(folder, "index.json");
  const index = JSON.parse(fs.readFileSync(file, "utf8")) as Parameters<
    typeof change
  >[0];
  change(index);
  fs.writeFileSync(file, JSON.stringify(index));
  return folder;
}

for (const database of TESTED_DATABASE_KINDS)
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
      "1 fields skipped (card 1), 2 sentences to check by hand",
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

test("an invalid or missing folder is refused", async () => {
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

test("an unknown step or assertion does not pass", async () => {
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

test("all given cases pass, no field is skipped, and no sentence needs a reader", async () => {
  const { index } = readCaseFolder(given);
  const { lines, code, complaint } = await runWith({ jobs: 2 }, given);
  const failed = lines.filter((line) => line.startsWith("FAILED"));
  assert.deepEqual(failed, []);
  assert.deepEqual(
    [...lines.slice(-2), complaint],
    [
      "0 fields skipped, 0 sentences to check by hand",
      `${index.cases.length} passed, 0 failed`,
      "",
    ],
  );
  assert.equal(code, 0);
});

/** For some given cases, the fields below `more`, and a wrong value for each. */
const WRONG: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "mastodon-actor": {
    emojis: ["blobcat", "other"],
    fields: [{ name: "Site", value: "other.example" }],
    header: false,
    locked: true,
    indexable: true,
  },
  "gotosocial-actor": { locked: false },
  "misskey-actor": { header: true },
  "mastodon-create-note-public": {
    language: "de",
    emojis: [],
    media: [{ focus: [-0.42, 0.7] }],
  },
  "akkoma-emoji-null-id": { language: "und", emojis: ["firefoxes"] },
  "mobilizon-create-event": { categories: ["COMMUNITY", "repair"] },
};

test("a wrong expectation of any field fails its case", async () => {
  const folder = changed(({ cases }) => {
    for (const one of cases as { file: string; check: object[] }[]) {
      const wrong = WRONG[one.file.replace(".json", "")];
      if (!wrong) continue;
      for (const assertion of one.check)
        for (const wanted of Object.values(assertion) as unknown[])
          if (typeof wanted === "object" && wanted !== null && "more" in wanted)
            wanted.more = wrong;
    }
  }, given);
  const names = Object.keys(WRONG);
  const { code, lines, complaint } = await runWith(
    { jobs: 3 },
    ...[folder, "--only", names.join(",")],
  );
  assert.equal(complaint, "");
  for (const [name, fields] of Object.entries(WRONG)) {
    const line = lines.find((it) => it.startsWith(`FAILED ${name}:`)) ?? "";
    for (const field of Object.keys(fields)) {
      const shown = field === "media" ? "focus" : field;
      assert.ok(line.includes(`more.${shown} is `), `${name}: ${shown}`);
    }
  }
  assert.deepEqual([lines.at(-1), code], ["0 passed, 6 failed", 1]);
});
