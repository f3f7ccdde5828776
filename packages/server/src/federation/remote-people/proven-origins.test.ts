import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_ADDRESSES } from "../../db/schema/remote-person.ts";
import {
  findOwnSeedOrigin,
  findProfileUrl,
  findProvenSeedOrigin,
} from "./proven-origins.ts";

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

test("beside an actor nobody speaks for its whole server", () => {
  const actor = "https://pod.example.org/users/bob";
  const split = person("bob@example.org", "https://pod.example.org/", actor);
  assert.equal(findOwnSeedOrigin(split), undefined);
  const bob = person("bob@pod.example", "https://pod.example/a/");
  assert.equal(findOwnSeedOrigin(bob), "https://pod.example");
});

test("the page of somebody is on the host of the handle or of the actor", () => {
  const actorUri = "https://pod.example.org/users/bob";
  const pageOf = (profileUrl: string | null) => {
    const addresses = { ...NO_ADDRESSES, actorUri, profileUrl };
    return findProfileUrl({ handle: "bob@example.org", addresses });
  };
  for (const url of [
    "https://example.org/~bob",
    "https://pod.example.org/@bob",
  ])
    assert.equal(pageOf(url), url);
  for (const url of [
    "https://victim.example/@bob",
    "https://example.org@victim.example/",
    "https://example.org:8443/@bob",
    "no address",
    null,
  ])
    assert.equal(pageOf(url), null, String(url));
});
