import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { createMetrics } from "../../packages/server/src/observability/metrics.ts";
import { forDatabasesInTime } from "../../packages/server/test/support/scenes/long-run.ts";
import {
  DiasporaPod,
  postTo,
  type PodPerson,
} from "../../packages/server/test/support/remote/diaspora-pod.ts";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../../packages/server/test/support/server/kith-server.ts";
import { podPost } from "../../packages/server/test/support/remote/pod-entities.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../../packages/server/test/support/remote/remote-server.ts";

/** A hundredth of every limit. */
const env = { KITH_RATE_LIMITS: "0.01" };
const UNPROVEN = 50;
const LOOK_UPS = 12;
const ENCRYPTED = 10;
const TEN_MINUTES_MS = 600_000;

type Answered = { readonly status: number; readonly headers: Headers };

function assertTooMany({ status, headers }: Answered): void {
  assert.equal(status, 429);
  assert.match(headers.get("retry-after") ?? "", /^[1-9]\d{0,2}$/);
}

forDatabasesInTime((kind) => {
  const metrics = createMetrics();
  const kith = useKith(kind, { env, metrics });
  let ann: TestPerson;
  before(async () => {
    // Everything is one window, however long it takes.
    kith().clock.stopAt(kith().clock.now());
    ann = await kith().person();
  });
  // Each test starts with empty counts.
  beforeEach(() => kith().clock.advance(TEN_MINUTES_MS));

  const times = (count: number) => Array.from({ length: count }, (_, n) => n);

  describe("an address that sends unverifiable messages", () => {
    let remote: RemoteServer;
    let evil: RemoteActor;
    before(async () => {
      remote = await RemoteServer.start();
      evil = remote.actor("evil");
    });
    after(() => remote.close());

    const like = (actor: RemoteActor) =>
      actor.activity("Like", { object: `${kith().baseUrl}/nothing` });
    const forge = (as: RemoteActor) =>
      as.send(kith(), like(as), { signedBy: evil });

    test("is refused, except for unsigned requests and after a verified message", async () => {
      const claimed = remote.actor("claimed");
      for (const _ of times(UNPROVEN))
        assert.equal((await forge(claimed)).status, 401);
      assertTooMany(await forge(claimed));
      const signed = `${kith().baseUrl}/api/v1/ap/instance`;
      assert.equal((await fetch(signed)).status, 200);
      kith().clock.advance(TEN_MINUTES_MS);
      assert.equal((await forge(claimed)).status, 401);
    });

    test("can still send for known signers, and causes no more look-ups", async () => {
      const busy = remote.actor("busy");
      assert.equal((await busy.send(kith(), like(busy))).status, 202);
      for (const _ of times(UNPROVEN + 10))
        assert.equal((await forge(busy)).status, 401);
      for (const _ of times(3 * UNPROVEN))
        assert.equal((await busy.send(kith(), like(busy))).status, 202);
      for (const n of times(LOOK_UPS))
        assert.equal((await forge(remote.actor(`no${n}`))).status, 401);
      const stranger = remote.actor("stranger");
      remote.asked.length = 0;
      assertTooMany(await stranger.send(kith(), like(stranger)));
      assert.deepEqual(remote.asked, [], "Nobody was asked for the key");
      assert.equal((await busy.send(kith(), like(busy))).status, 202);
      kith().clock.advance(TEN_MINUTES_MS);
      const later = await stranger.send(kith(), like(stranger));
      assert.equal(later.status, 202);
    });

    test("is refused for unreadable messages as well", async () => {
      const send = () =>
        fetch(`${kith().baseUrl}/api/v1/ap/inbox`, {
          method: "POST",
          headers: { "content-type": "application/activity+json" },
          body: "{",
        });
      for (const _ of times(UNPROVEN)) assert.equal((await send()).status, 400);
      assertTooMany(await send());
    });

    test("is not throttled for unknown people who prove their identity", async () => {
      for (const n of times(LOOK_UPS + 8)) {
        const actor = remote.actor(`fan${n}`);
        assert.equal((await actor.send(kith(), like(actor))).status, 202);
      }
    });
  });

  describe("an address that sends diaspora* envelopes", () => {
    let pod: DiasporaPod;
    let known: PodPerson;
    let evil: PodPerson;
    before(async () => {
      pod = await DiasporaPod.start();
      known = pod.person("known");
      evil = pod.person("evil");
      await known.deliver(kith(), podPost(known));
    });
    after(() => pod.close());

    const send = async (by: PodPerson, keyOf = by) => {
      const { privateKey } = keyOf;
      const body = await by.seal(podPost(by), { privateKey });
      return postTo(kith(), "/receive/public", body);
    };

    test("may send a limited number of unknown senders, and any number of known ones", async () => {
      assert.equal(await send(known), 202);
      const unknown = pod.person("unknown");
      for (const _ of times(LOOK_UPS)) assert.equal(await send(unknown), 202);
      assert.equal(await send(unknown), 429);
      for (const _ of times(2 * UNPROVEN)) assert.equal(await send(known), 202);
    });

    test("gets no error for malformed ones, until there are too many", async () => {
      for (const _ of times(UNPROVEN))
        assert.equal(await postTo(kith(), "/receive/public", "<a"), 202);
      assert.equal(await postTo(kith(), "/receive/public", "<a"), 429);
    });

    test("gets no error for forged ones, until there are too many", async () => {
      for (const _ of times(UNPROVEN))
        assert.equal(await send(known, evil), 202);
      assert.equal(await send(known, evil), 429);
      const path = `/receive/users/${ann.record.Guid}`;
      assert.equal(await postTo(kith(), path, "{}"), 429);
    });

    test("may send a limited number that their recipient cannot decrypt", async () => {
      const path = `/receive/users/${ann.record.Guid}`;
      const garbage = (byte: number) => {
        const [aes_key, encrypted_magic_envelope] = [256, 64].map((length) =>
          Buffer.alloc(length, byte).toString("base64"),
        );
        return JSON.stringify({ aes_key, encrypted_magic_envelope });
      };
      // A verified message does not raise the limit of decryptions.
      await known.deliver(kith(), podPost(known));
      for (const n of times(ENCRYPTED))
        assert.equal(await postTo(kith(), path, garbage(n)), 202);
      await kith().settle();
      assert.equal(await postTo(kith(), path, garbage(0)), 429);
      assert.equal(await send(known), 202);
    });

    test("gets no error for impossible encrypted messages, until there are too many", async () => {
      const path = `/receive/users/${ann.record.Guid}`;
      for (const _ of times(UNPROVEN))
        assert.equal(await postTo(kith(), path, "{}"), 202);
      assert.equal(await postTo(kith(), path, "{}"), 429);
    });
  });

  describe("an account", () => {
    test("has limits for reads and writes, and learns when to retry", async () => {
      for (const _ of times(15)) await ann.get("/aspects");
      assertTooMany(await ann.call("GET", "/aspects"));
      const form = { post: "hello" };
      for (const _ of times(3)) await ann.post("/posts", form);
      await ann.refused("POST", "/posts", { form }, 429, "Too many requests");
      kith().clock.advance(60_000);
      await ann.get("/aspects");
      await ann.post("/posts", form);
    });

    test("has a lower limit for costly requests", async () => {
      const form = { handle: ann.handle };
      await ann.post("/search", form);
      assertTooMany(await ann.call("POST", "/search", { form }));
      assertTooMany(await ann.call("GET", "/export"));
      await ann.get("/aspects");
    });

    test("has a lower limit for tokens, even with the right password", async () => {
      const grant = {
        ...{ grant_type: "password", client_id: "app" },
        ...{ username: ann.username, password: PASSWORD },
      };
      for (const _ of times(6))
        await kith().anonymous.post("/oauth/tokens", grant);
      assertTooMany(
        await kith().anonymous.call("POST", "/oauth/tokens", { form: grant }),
      );
      await ann.get("/aspects");
    });
  });

  test("refused requests are counted by limit", async () => {
    const text = await metrics.render();
    for (const limit of ["message", "look_up", "encrypted", "credentials"])
      assert.match(
        text,
        new RegExp(
          `^kith_requests_refused_total\\{limit="${limit}",by="address"\\} [1-9]`,
          "m",
        ),
      );
    for (const limit of ["read", "write", "costly"])
      assert.match(
        text,
        new RegExp(
          `^kith_requests_refused_total\\{limit="${limit}",by="account"\\} [1-9]`,
          "m",
        ),
      );
  });
});
