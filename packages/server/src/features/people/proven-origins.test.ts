import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_ADDRESSES } from "./person.ts";
import { findProvenSeedOrigin } from "./proven-origins.ts";

const person = (
  handle: string,
  seedLocation: string | null,
  actorUri: string | null = null,
) => ({ handle, addresses: { ...NO_ADDRESSES, seedLocation, actorUri } });

test("a seed location is proven on the handle's own host, however it is written", () => {
  for (const [handle, seed, origin] of [
    ["bob@pod.example", "https://pod.example/", "https://pod.example"],
    ["bob@pod.example", "https://POD.example", "https://pod.example"],
    ["bob@pod.example", "http://pod.example/", "http://pod.example"],
    ["bob@pod.example", "https://pod.example/a/b/", "https://pod.example"],
    ["bob@pod.example", "https://pod.example:443/", "https://pod.example"],
    ["bob@pod.example:443", "https://pod.example/", "https://pod.example"],
    ["bob@127.0.0.1:1234", "http://127.0.0.1:1234/", "http://127.0.0.1:1234"],
    ["bob@[::1]:1234", "http://[::1]:1234/", "http://[::1]:1234"],
  ] as const) {
    const bob = person(handle, seed);
    assert.equal(findProvenSeedOrigin(bob), origin, `${handle} ${seed}`);
  }
});

test("a seed location on any other host is not", () => {
  for (const [handle, seed] of [
    ["mallory@evil.example", "https://victim.example/"],
    ["mallory@evil.example", "https://pod.evil.example/"],
    ["mallory@pod.evil.example", "https://evil.example/"],
    ["mallory@evil.example", "https://evil.example:8443/"],
    ["mallory@evil.example:8443", "https://evil.example/"],
    ["mallory@evil.example", "http://evil.example:443/"],
    ["mallory@evil.example", "https://evil.example@victim.example/"],
    ["mallory@evil.example", "https://victim.example/evil.example"],
    ["mallory@127.0.0.1:1234", "http://127.0.0.1:1235/"],
  ] as const) {
    const mallory = person(handle, seed);
    const origin = findProvenSeedOrigin(mallory);
    assert.equal(origin, undefined, `${handle} ${seed}`);
  }
});

test("a confirmed actor proves a seed location on its own origin", () => {
  const actor = "https://pod.example.org/users/bob";
  const split = person("bob@example.org", "https://pod.example.org/", actor);
  assert.equal(findProvenSeedOrigin(split), "https://pod.example.org");
  const other = person("bob@example.org", "https://victim.example/", actor);
  assert.equal(findProvenSeedOrigin(other), undefined);
});

test("somebody without addresses has none", () => {
  const ann = person("ann@home.example", null);
  assert.equal(findProvenSeedOrigin(ann), undefined);
});
