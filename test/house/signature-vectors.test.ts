import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { root } from "../../scripts/project-files.ts";

type Vectors = {
  vectors: {
    name: string;
    request: { body?: string };
    expect: { result: string; reason?: string; actor?: string };
  }[];
  documentProofs: { kind: string; expect: { result: string } }[];
};

const original = path.join(root, "test/vectors/activitypub/signatures.json");
const folder = fs.mkdtempSync(path.join(tmpdir(), "kith-vectors-"));
after(() => fs.rmSync(folder, { recursive: true }));

function run(change: (file: Vectors) => void) {
  const file = JSON.parse(fs.readFileSync(original, "utf8")) as Vectors;
  change(file);
  const name = path.join(folder, "signatures.json");
  fs.writeFileSync(name, JSON.stringify(file));
  const script = path.join(root, "scripts/signature-vectors.ts");
  const { status, stdout } = spawnSync(process.execPath, [script, name], {
    encoding: "utf8",
  });
  return { status, lines: stdout.trimEnd().split("\n") };
}

test("every vector passes", () => {
  const { status, lines } = run(() => undefined);
  assert.deepEqual(lines, ["83 passed, 0 failed"]);
  assert.equal(status, 0);
});

test("a kind of proof that we do not know is a difference, not a pass", () => {
  const { status, lines } = run((file) => {
    for (const proof of file.documentProofs)
      if (proof.kind === "RsaSignature2017") proof.kind = "RsaSignature2099";
  });
  assert.equal(lines.at(-1), "80 passed, 3 failed");
  assert.equal(lines.length, 4);
  assert.match(lines[0] ?? "", /^ldsig-.*RsaSignature2099 is neither/);
  assert.equal(status, 1);
});

test("each vector that differs has a line that says how", () => {
  const { status, lines } = run((file) => {
    const find = (name: string) => {
      const vector = file.vectors.find((one) => one.name === name);
      assert.ok(vector);
      return vector;
    };
    find("post-mastodon-standard").request.body += " ";
    find("neg-wrong-key").expect = { result: "accept" };
    find("neg-expired-date").expect.reason = "expired";
    find("get-mastodon").expect.actor = "https://mastodon.example/other";
  });
  assert.deepEqual(lines, [
    "post-mastodon-standard: expected accept (https://mastodon.example/users/bob), got reject (digest-mismatch)",
    "get-mastodon: expected accept (https://mastodon.example/other), got accept (https://mastodon.example/users/bob)",
    "neg-expired-date: expected reject (expired), got reject (date-out-of-window)",
    "neg-wrong-key: expected accept, got reject (bad-signature)",
    "79 passed, 4 failed",
  ]);
  assert.equal(status, 1);
});

test("a file without vectors is no success", () => {
  const { status, lines } = run((file) => {
    file.vectors = [];
    file.documentProofs = [];
  });
  assert.deepEqual([status, lines], [1, ["0 passed, 0 failed"]]);
});
