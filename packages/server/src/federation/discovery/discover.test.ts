import assert from "node:assert/strict";
import { test } from "node:test";
import { readActor } from "@kith/activitypub";
import { TestClock } from "../../../test/support/server/test-clock.ts";
import type { People, Person } from "../../features/people/index.ts";
import { KithError } from "../../lib/errors.ts";
import {
  FetchRefused,
  type GuardedFetch,
} from "../../lib/http-client/guarded-fetch.ts";
import { silentLog } from "../../observability/log.ts";
import type { RemotePeople } from "../remote-people/remote-people.ts";
import { createDiscovery } from "./discover.ts";

const URI = "https://far.example/users/ann";
const ACTOR = readActor({
  "@context": "https://www.w3.org/ns/activitystreams",
  id: URI,
  type: "Person",
  preferredUsername: "ann",
  inbox: `${URI}/inbox`,
});
const ANN = { addresses: { actorUri: URI }, state: "active" } as Person;
const DISK_FULL = Object.assign(new Error("disk I/O error"), {
  code: "ERR_SQLITE_ERROR",
  errcode: 778,
});

/** Finds people of a server that answers as the test says. */
function discover() {
  let asked = 0;
  let store = (): Person => ANN;
  let answer = (): string =>
    JSON.stringify({
      subject: "acct:ann@far.example",
      links: [{ rel: "self", type: "application/activity+json", href: URI }],
    });
  const clock = new TestClock();
  const discovery = createDiscovery({
    clock,
    log: silentLog(),
    people: { find: async () => undefined } as unknown as People,
    remotePeople: { store: async () => store() } as unknown as RemotePeople,
    fetch: {
      request: async () => {
        asked += 1;
        return { status: 200, headers: {}, body: Buffer.from(answer()) };
      },
    } as unknown as GuardedFetch,
    fetchActor: async () => ACTOR,
    protocols: { activitypub: true, diaspora: false },
    handleHost: "here.example",
    isHostAllowed: async () => true,
  });
  return {
    byActor: discovery.byActor,
    storeBy: (next: () => Person) => (store = next),
    answerBy: (next: () => string) => (answer = next),
    askedSoFar: () => asked,
    clock,
  };
}

test("a failure of our own database is thrown, and is no answer about the person", async () => {
  const { byActor, storeBy } = discover();
  storeBy(() => {
    throw DISK_FULL;
  });
  await assert.rejects(byActor(URI), DISK_FULL);
  storeBy(() => ANN);
  assert.equal(await byActor(URI), ANN);
});

const silence = (): never => {
  throw new FetchRefused("network", "far.example: request failed");
};

test("a server that was restarting is asked again half a minute later, and one that knows nobody is not", async () => {
  const restarting = discover();
  restarting.answerBy(silence);
  assert.equal(await restarting.byActor(URI), undefined);
  const { clock, byActor, askedSoFar, answerBy } = discover();
  answerBy(() => JSON.stringify({ subject: "nobody" }));
  assert.equal(await byActor(URI), undefined);
  for (const one of [restarting.clock, clock]) one.advance(30_000);
  assert.equal(await restarting.byActor(URI), undefined);
  assert.equal(restarting.askedSoFar(), 2);
  const asked = askedSoFar();
  assert.equal(await byActor(URI), undefined);
  assert.equal(askedSoFar(), asked);
});

test("a server that does not answer is told apart from one that knows nobody", async () => {
  const { byActor, answerBy, askedSoFar } = discover();
  answerBy(silence);
  const isUnavailable = (error: unknown) =>
    error instanceof KithError && error.code === "unavailable";
  const asking = byActor(URI, { throwsIfSilent: true });
  await assert.rejects(asking, isUnavailable);
  assert.equal(await byActor(URI), undefined);
  const again = byActor(URI, { throwsIfSilent: true });
  await assert.rejects(again, isUnavailable);
  assert.equal(askedSoFar(), 1);

  const other = discover();
  other.answerBy(() => JSON.stringify({ subject: "nobody" }));
  const found = await other.byActor(URI, { throwsIfSilent: true });
  assert.equal(found, undefined);
});
