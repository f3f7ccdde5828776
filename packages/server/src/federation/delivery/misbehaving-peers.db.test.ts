import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import type { ServerResponse } from "node:http";
import {
  answer,
  type PeerAnswer,
  HOUR,
  POISON,
  ROUND_MS,
  ROUNDS,
  TwoWeeks,
  type Manner,
  type Manners,
} from "./two-weeks.fixture.ts";

/** So many rounds are younger than the shortest life of a delivery. */
const YOUNG = 11;

/** The deliveries within a lifetime, and the poison. */
const MOST_WAITING = 2 * 21 + 2;

/** Says something, and no more. */
function half(response: ServerResponse): void {
  response.socket?.write("HTTP/1.1 202 Acc");
  response.socket?.destroy();
}

const only =
  (refuse: PeerAnswer): Manner =>
  ({ body }) =>
    body === POISON ? refuse : undefined;
const all =
  (refuse: PeerAnswer): Manner =>
  () =>
    refuse;

const lies = (response: ServerResponse): unknown =>
  response.writeHead(200).end("x".repeat(100_000));

/** What a peer has against one document. */
const AGAINST_ONE: Readonly<Record<string, Manners>> = {
  "500": { inbox: only(answer(500)) },
  "500, and knows no NodeInfo": {
    inbox: only(answer(500)),
    nodeInfo: answer(500),
  },
  "502, as a proxy does": { inbox: only(answer(502)) },
  "500 with Retry-After": {
    inbox: only(answer(500, { "retry-after": "7200" })),
  },
  "404": { inbox: only(answer(404)) },
  "a redirect to itself": {
    inbox: only(answer(308, { location: "/receive/public" })),
  },
};
/** It is not known at once whether it says nothing to this document alone. */
const SILENT_TO_ONE: Readonly<Record<string, Manners>> = {
  "no answer": { inbox: only("nothing") },
  "half an answer": { inbox: only(half) },
};

/** What a peer does with all that it gets. */
const AGAINST_ALL: Readonly<Record<string, Manners>> = {
  "500": { inbox: all(answer(500)) },
  "500, and long lies for NodeInfo": {
    inbox: all(answer(500)),
    nodeInfo: lies,
  },
  "503, also to probes": {
    inbox: all(answer(503)),
    nodeInfo: answer(503),
  },
  "no answer": { inbox: all("nothing"), nodeInfo: "nothing" },
  "half an answer": { inbox: all(half), nodeInfo: half },
  "a redirect": { inbox: all(answer(301, { location: "/elsewhere" })) },
  "429 with Retry-After": {
    inbox: all(answer(429, { "retry-after": "3600" })),
  },
};

describe("for two weeks a peer", () => {
  forEachDatabase((kind) => {
    let weeks: TwoWeeks;
    beforeEach(async () => {
      weeks = await TwoWeeks.open(kind);
    });
    afterEach(() => weeks.close());

    /** As where both are well: everything comes at once. */
    const assertOnTime = (name: "peer" | "other", to = ROUNDS): void => {
      const taken = weeks.takenBy(name);
      for (let round = 0; round < to; round += 1)
        for (const body of [`post ${round}`, `like ${round}`])
          assert.equal(taken.get(body), round * ROUND_MS, `${body} at ${name}`);
    };
    const poisonOf = async () =>
      (await weeks.sender.jobs()).find(
        ({ kind: of, state }) => of === "deliver" && state === "dead",
      );

    test("that is well gets everything at once, and nothing is left", async () => {
      await weeks.play();
      for (const name of ["peer", "other"] as const) {
        assertOnTime(name);
        assert.equal(weeks.came[name].length, 2 * ROUNDS + 2);
      }
      assert.equal(weeks.most, 0);
      assert.deepEqual(await weeks.sender.jobs(), []);
    });

    for (const [name, manners] of Object.entries(AGAINST_ONE))
      test(`answers one document with ${name}: that alone is lost`, async () => {
        weeks.behave(manners);
        await weeks.play();
        for (const each of ["peer", "other"] as const) assertOnTime(each);
        const taken = weeks.takenBy("peer");
        const said = weeks.takenBy("other").get(POISON) ?? NaN;
        assert.equal(taken.get(`below ${POISON}`), said);
        assert.equal((await poisonOf())?.state, "dead");
        const tries = weeks.came.peer.filter(({ body }) => body === POISON);
        assert.ok(tries.length >= 9 && tries.length <= 60, `${tries.length}`);
        assert.ok(weeks.most <= 1, "nothing waits but the poison");
        assert.deepEqual(await weeks.sender.hosts(), [], "the host is well");
      });

    for (const [name, manners] of Object.entries(SILENT_TO_ONE))
      test(`gives one document ${name}: that alone is lost`, async () => {
        weeks.behave(manners);
        await weeks.play();
        for (const each of ["peer", "other"] as const) assertOnTime(each);
        const below = weeks.takenBy("peer").get(`below ${POISON}`) ?? NaN;
        const said = weeks.takenBy("other").get(POISON) ?? NaN;
        assert.ok(below - said < 60_000, `${below - said} ms late`);
        assert.equal((await poisonOf())?.state, "dead");
        assert.deepEqual(await weeks.sender.hosts(), []);
      });

    for (const [name, manners] of Object.entries(AGAINST_ALL))
      test(`gives everything ${name}: nobody else waits, and it gets what is young when it is back`, async () => {
        weeks.behave(manners);
        await weeks.play();
        assertOnTime("other");
        assert.ok(weeks.most <= MOST_WAITING, `${weeks.most} waited`);
        assert.equal(weeks.takenBy("peer").size, 0);
        const requests = weeks.came.peer.length;
        assert.ok(requests < 1_500, `${requests} requests in two weeks`);
        const bodies = new Set(weeks.came.peer.map(({ body }) => body));
        assert.ok(bodies.size >= ROUNDS, "one after the other had its turn");

        weeks.behave({ ...manners, inbox: () => undefined });
        await weeks.play(ROUNDS, ROUNDS + 3);
        assert.deepEqual(await weeks.waiting(), []);
        assert.deepEqual(await weeks.sender.hosts(), []);
        const taken = weeks.takenBy("peer");
        const youngest = Array.from(
          { length: YOUNG },
          (_, i) => ROUNDS - 1 - i,
        );
        for (const round of youngest)
          assert.ok(taken.has(`post ${round}`), `post ${round} was lost`);
        const last = ROUNDS + 2;
        assert.equal(taken.get(`post ${last}`), last * ROUND_MS);
      });

    test("says when to come back, and until then gets nothing", async () => {
      weeks.behave({ inbox: all(answer(429, { "retry-after": "3600" })) });
      await weeks.play();
      const times = weeks.came.peer.map(({ at }) => at);
      for (const [index, at] of times.entries()) {
        const before = times.findLast((time, i) => i < index && time < at);
        assert.ok(before === undefined || at - before >= HOUR, `at ${at}`);
      }
    });

    for (const status of [410, 415])
      test(`refuses all with ${status} for good: nothing is kept for it`, async () => {
        weeks.behave({ inbox: all(answer(status)) });
        await weeks.play();
        assertOnTime("other");
        assert.equal(weeks.most, 0);
        const tried = new Map<string, number>();
        for (const { body } of weeks.came.peer)
          tried.set(body, (tried.get(body) ?? 0) + 1);
        for (const [body, times] of tried) assert.equal(times, 1, body);
      });

    test("takes everything and answers with pages: it has taken that", async () => {
      weeks.behave({
        inbox: all(
          answer(200, { "content-type": "text/html" }, "<p>".repeat(50_000)),
        ),
      });
      await weeks.play();
      assertOnTime("other");
      assert.equal(weeks.most, 0);
      assert.equal(weeks.came.peer.length, 2 * ROUNDS + 2);
    });
  });
});
