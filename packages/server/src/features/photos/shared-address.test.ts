import assert from "node:assert/strict";
import { createHash, createHmac, randomBytes } from "node:crypto";
import { test } from "node:test";
import { newGuid } from "../../lib/guids.ts";
import {
  createSharedAddresses,
  hideSharedAddresses,
} from "./shared-address.ts";

const key = randomBytes(32);
const addresses = createSharedAddresses(key);

const secretIn = (folder: string): string => {
  const [, secret] = /^\/uploads\/([\w-]{32})\/$/.exec(folder) ?? [];
  return secret ?? assert.fail(folder);
};
const secretOf = (guid: string) => secretIn(addresses.folderOf(guid));

test("every picture has a secret of 192 bits, the same each time and after a restart", () => {
  const guids = Array.from({ length: 1000 }, () => newGuid());
  const secrets = guids.map(secretOf);
  assert.equal(new Set(secrets).size, guids.length);
  const again = createSharedAddresses(Uint8Array.from(key));
  for (const [index, guid] of guids.entries()) {
    const secret = secrets[index] ?? "";
    assert.equal(Buffer.from(secret, "base64url").length, 24);
    assert.equal(secretIn(again.folderOf(guid)), secret);
    assert.ok(addresses.isSecretOf(guid, secret));
  }
});

test("the secret follows from the server's own key, and from nothing that others know", () => {
  const guid = newGuid();
  const other = createSharedAddresses(randomBytes(32));
  const foreign = secretIn(other.folderOf(guid));
  assert.notEqual(foreign, secretOf(guid));
  assert.ok(!addresses.isSecretOf(guid, foreign));
  const guesses = [
    createHash("sha256").update(guid).digest(),
    createHmac("sha256", "").update(guid).digest(),
    createHmac("sha256", Buffer.alloc(32)).update(guid).digest(),
    // Not the secret key itself, which has other uses.
    createHmac("sha256", key).update(guid).digest(),
  ];
  for (const guess of guesses)
    assert.notEqual(
      guess.subarray(0, 24).toString("base64url"),
      secretOf(guid),
    );
});

test("nothing but the secret itself is taken for it", () => {
  const guid = newGuid();
  const secret = secretOf(guid);
  const flipped = (at: number) =>
    secret.slice(0, at) +
    (secret[at] === "A" ? "B" : "A") +
    secret.slice(at + 1);
  const wrong = [
    "",
    secretOf(newGuid()),
    secret.slice(0, -1),
    `${secret}A`,
    `${secret}=`,
    ` ${secret}`,
    "ä".repeat(16),
    "A".repeat(32),
    ...Array.from({ length: secret.length }, (_, at) => flipped(at)),
  ];
  for (const given of wrong)
    assert.ok(!addresses.isSecretOf(guid, given), given);
  assert.ok(!addresses.isSecretOf(guid.toUpperCase(), secret));
});

test("a line of the log keeps everything but the secrets", () => {
  const line = (a: string, b: string) =>
    `{"url":"/uploads/${a}/x.png","err":"https://a.example/uploads/${b}","msg":"m"}`;
  assert.equal(
    hideSharedAddresses(line(secretOf(newGuid()), secretOf(newGuid()))),
    line("[secret]", "[secret]"),
  );
  const harmless = '{"url":"/media/0.png","msg":"nothing"}';
  assert.equal(hideSharedAddresses(harmless), harmless);
});
