import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { root } from "../../scripts/project-files.ts";
import type {
  ReceiveVector,
  Vector,
  VectorFile,
} from "../../scripts/diaspora-vectors/file.ts";
import { TESTED_DATABASE_KINDS } from "../../packages/server/test/support/server/databases.ts";
import { IS_LONG_RUN } from "../../packages/server/test/support/scenes/long-run.ts";
import { makeVariant, type Cast } from "../support/diaspora-variant.ts";

const original = path.join(root, "test/vectors/diaspora/vectors.json");
const script = path.join(root, "scripts/diaspora-vectors.ts");
const folder = fs.mkdtempSync(path.join(tmpdir(), "kith-vectors-"));
after(() => fs.rmSync(folder, { recursive: true }));

const read = (): VectorFile =>
  JSON.parse(fs.readFileSync(original, "utf8")) as VectorFile;

type Run = { status: unknown; lines: string[]; stderr: string };

async function runFile(name: string, databaseUrl = ""): Promise<Run> {
  const child = spawn(process.execPath, [script, name], {
    env: { ...process.env, KITH_TEST_DATABASE_URL: databaseUrl },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
  ]);
  const [status] = (await ended) as [unknown];
  return { status, lines: stdout.trimEnd().split("\n"), stderr };
}

let files = 0;

async function run(file: unknown, databaseUrl?: string): Promise<Run> {
  files += 1;
  const name = path.join(folder, `${files}.json`);
  fs.writeFileSync(name, JSON.stringify(file));
  return runFile(name, databaseUrl);
}

/** The deviations; notes are not deviations. */
const differences = ({ lines }: Run) =>
  lines.slice(0, -1).filter((line) => !line.startsWith("note: "));

const isNoted = ({ lines }: Run, id: string) =>
  lines.some((line) => line.startsWith(`note: ${id} (info): `));

/** The other people of two variants. 1024 and 4096 bits are the shortest and the longest keys on pods. */
const CASTS: Record<string, Cast> = {
  "a receiver with a long key, on a port": {
    alice: { name: "ada", handle: "ada_l@social.north.example", bits: 1024 },
    bob: { name: "bert", handle: "bert.b@home.example:8443", bits: 4096 },
    carol: { name: "cleo", handle: "cleo-7@carols.example:3000", bits: 3072 },
    alice_new: { name: "ada2", handle: "ada@moved.example", bits: 2048 },
    mallory: { name: "mal", handle: "mal@a.b.c.evil.example", bits: 2048 },
    nokey: { name: "gone", handle: "gone@nowhere.example", bits: 1024 },
  },
  "a receiver with a short key": {
    alice: { name: "alan", handle: "0@x-1.example", bits: 4096 },
    bob: { name: "bea", handle: "bea@bea.example", bits: 1024 },
    carol: { name: "cyd", handle: "cyd@cyd.example", bits: 1024 },
    alice_new: { name: "new", handle: "new@new.example", bits: 3072 },
    mallory: { name: "mab", handle: "mab@mab.example", bits: 1024 },
    nokey: { name: "nul", handle: "nul@nul.example", bits: 2048 },
  },
};

describe("the vectors of this project", () => {
  const databases = {
    sqlite: "",
    postgres: process.env["KITH_TEST_DATABASE_URL"] ?? "",
  };
  for (const kind of TESTED_DATABASE_KINDS)
    test(`all pass, on ${kind}`, async () => {
      const url = databases[kind];
      if (kind === "postgres") assert.match(url, /^postgres/);
      const file = read();
      const result = await runFile(original, url);
      assert.deepEqual(differences(result), [], result.stderr);
      assert.equal(
        result.lines.at(-1),
        `${file.vectors.length} passed, 0 failed`,
      );
      assert.equal(result.status, 0);
      // Each is one of those that the file leaves to the receiver.
      assert.ok(isNoted(result, "env-data-linebreaks"));
      const notes = result.lines.filter((line) => line.includes(" (info): "));
      assert.equal(notes.length, 3);
    });
});

describe("vectors with other people, keys, Guids and texts", () => {
  // Each generates its own keys, which is slow: the second runs only in a long run.
  for (const [name, cast] of Object.entries(CASTS).slice(
    0,
    IS_LONG_RUN ? undefined : 1,
  ))
    test(`all pass: ${name}`, async () => {
      const file = read();
      const host = cast["bob"]?.handle.split("@")[1] ?? "";
      const variant = await makeVariant(file, cast, {
        name: "second",
        handle: `second@${host}`,
      });
      assert.ok(!JSON.stringify(variant.people).includes("pod-b.example"));
      assert.ok(variant.vectors.length > file.vectors.length);
      const result = await run(variant);
      assert.deepEqual(differences(result), [], result.stderr);
      assert.equal(
        result.lines.at(-1),
        `${variant.vectors.length} passed, 0 failed`,
      );
      assert.equal(result.status, 0);
    });
});

describe("a file with wrong expectations", () => {
  let flipped: Run;
  let swapped: readonly ReceiveVector[];

  before(async () => {
    const file = read();
    swapped = file.vectors.filter((vector) => vector.kind === "receive");
    flipped = await run({ ...file, vectors: swapped.map(flip) });
  });

  test("every flipped verdict is detected", () => {
    const lines = new Set(differences(flipped).map((line) => idIn(line)));
    const unseen = swapped.filter(
      ({ id, note, severity }) =>
        !lines.has(id) && !(severity === "info" && note !== undefined),
    );
    assert.deepEqual(
      unseen.map(({ id }) => id),
      [],
    );
    assert.equal(flipped.status, 1);
    assert.match(flipped.lines.at(-1) ?? "", /^\d+ passed, [1-9]\d* failed$/);
  });

  test("the line contains the actual value", () => {
    const lineOf = (id: string) =>
      flipped.lines.find((line) => line.startsWith(`${id} (`));
    assert.match(
      lineOf("public-status-minimal") ?? "",
      /^public-status-minimal \(must\): expected reject, got accept \(done at once; changed: .*posts/,
    );
    assert.equal(
      lineOf("relayable-comment-mallory-relay"),
      "relayable-comment-mallory-relay (must): expected accept, got reject (refused: sent by a third party)",
    );
  });

  test("so is every wrong expected value", async () => {
    const file = read();
    const changes: Record<string, (vector: Changeable) => void> = {
      "public-status-minimal": ({ expected }) => {
        expected["entity"] = { ...(expected["entity"] as object), text: "No" };
      },
      "public-status-poll": ({ expected }) => {
        expected["sender"] = "carol@pod-c.example";
      },
      "relayable-comment-relayed": ({ expected }) => {
        expected["must_relay"] = true;
      },
      "private-status": ({ expected }) => {
        expected["payload_xml"] = `${String(expected["payload_xml"])} `;
      },
      "sig-comment": ({ expected }) => {
        expected["author_signature"] = "AAAA";
      },
      "build-sm-min": ({ expected }) => {
        expected["sig"] = "AAAA";
      },
      "b64u-1": ({ expected }) => {
        expected["encoded"] = "-";
      },
      "diaspora_id-0": ({ expected }) => {
        expected["valid"] = false;
      },
      "guid-0": ({ expected }) => {
        expected["valid"] = false;
      },
    };
    const vectors = file.vectors.filter(({ id }) => id in changes);
    assert.equal(vectors.length, Object.keys(changes).length);
    for (const vector of vectors) changes[vector.id]?.(vector);
    const result = await run({ ...file, vectors });
    assert.equal(result.lines.length, vectors.length + 1);
    assert.equal(result.lines.at(-1), `0 passed, ${vectors.length} failed`);
    assert.equal(result.status, 1);
  });

  test("only a must makes the run fail, and a note of its own excuses an info", async () => {
    const file = read();
    const [first, second, third] = file.vectors
      .filter((vector) => vector.kind === "receive")
      .slice(0, 3)
      .map(flip);
    const result = await run({
      ...file,
      vectors: [
        { ...first, severity: "should" },
        { ...second, severity: "info", note: "as you like" },
        { ...third, severity: "info" },
      ],
    });
    assert.deepEqual(
      result.lines.map((line) => line.replace(/:.*/, "")),
      [
        `${first?.id} (should)`,
        "note",
        `${third?.id} (info)`,
        "1 passed, 2 failed",
      ],
    );
    assert.equal(result.status, 0);
  });
});

describe("a file that cannot be run", () => {
  const cases: Record<string, [(file: VectorFile) => unknown, RegExp]> = {
    "no object": [() => "vectors", /people is no array/],
    "no vectors": [(file) => ({ ...file, vectors: [] }), /no vectors/],
    "an unknown kind": [
      (file) => ({
        ...file,
        vectors: [{ ...file.vectors[0], kind: "smell" }],
      }),
      /public-status-minimal.*no kind smell/,
    ],
    "a vector without its body": [
      (file) => ({
        ...file,
        vectors: [{ ...file.vectors[0], body: undefined }],
      }),
      /body is missing/,
    ],
    "an unknown verdict": [
      (file) => ({
        ...file,
        vectors: [{ ...file.vectors[0], expected: { verdict: "maybe" } }],
      }),
      /verdict is "maybe"/,
    ],
    "a recipient who is nobody": [
      (file) => ({
        ...file,
        vectors: [
          { ...file.vectors[0], endpoint: "private", recipient: "zoe" },
        ],
      }),
      /nobody is called zoe/,
    ],
    "an unknown entity beforehand": [
      (file) => ({
        ...file,
        known_entities: [{ ...file.known_entities[0], type: "Dream" }],
      }),
      /can be given a Dream/,
    ],
    "a parent that is not there": [
      (file) => ({
        ...file,
        known_entities: file.known_entities.filter(
          ({ type }) => type !== "Post",
        ),
      }),
      /parent of the Comment .* is not known/,
    ],
    "nobody who receives": [
      (file) => ({
        ...file,
        people: file.people.map((one) => ({ ...one, local: false })),
      }),
      /the file has no local person/,
    ],
  };
  for (const [name, [change, complaint]] of Object.entries(cases))
    test(name, async () => {
      const result = await run(change(read()));
      assert.match(result.stderr, complaint);
      assert.deepEqual([result.status, result.lines], [2, [""]]);
    });

  test("invalid JSON, and a missing file", async () => {
    const broken = path.join(folder, "broken.json");
    fs.writeFileSync(broken, fs.readFileSync(original, "utf8").slice(0, -9));
    const results = [
      await runFile(broken),
      await runFile(path.join(folder, "missing.json")),
    ];
    assert.match(results[0]?.stderr ?? "", /is not JSON/);
    assert.match(results[1]?.stderr ?? "", /cannot be read/);
    for (const { status } of results) assert.equal(status, 2);
  });
});

type Changeable = { expected: Record<string, unknown> };

function idIn(line: string): string {
  return line.slice(0, line.indexOf(" "));
}

/** The same body with the opposite expectation. */
function flip(vector: ReceiveVector | Vector): ReceiveVector {
  const { expected, ...rest } = vector as ReceiveVector;
  return {
    ...rest,
    expected: {
      ...expected,
      verdict: expected.verdict === "accept" ? "reject" : "accept",
    },
  };
}
