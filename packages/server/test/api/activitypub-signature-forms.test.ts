import assert from "node:assert/strict";
import type { IncomingHttpHeaders } from "node:http";
import { afterEach, beforeEach, test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import {
  behindProxy,
  properlySigned,
  rfc9421Only,
  withoutQuery,
  type Demand,
} from "../support/scenes/demands.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  actorOf,
  submitAndApply,
  sendFollow,
} from "../support/remote/linked-data.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import type { PostRecord } from "../support/server/wire.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SCHEMA = "http://nodeinfo.diaspora.software/ns/schema/2.0";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let rae: RemoteActor;
  let ann: TestPerson;

  beforeEach(async () => {
    remote = await RemoteServer.start();
    rae = remote.actor("rae");
    ann = await kith().person();
  });
  afterEach(() => remote.close());

  const follow = async () => {
    await sendFollow(kith(), ann, rae);
  };
  const say = async (post: string) => {
    await ann.post("/posts", { post });
    await kith().settle();
  };
  const isRfc9421 = (headers: IncomingHttpHeaders) =>
    headers["signature-input"] !== undefined;
  const formOf = async () =>
    (
      await kith()
        .db.read.selectFrom("peers")
        .select("signature_form")
        .where("origin", "=", remote.origin)
        .executeTakeFirst()
    )?.signature_form ?? null;

  test("a server that takes the usual form is sent nothing else", async () => {
    remote.demand = properlySigned(kith());
    await follow();
    await say("hello");
    assert.equal(remote.ofType("Follow").length, 1);
    assert.equal(remote.ofType("Create").length, 1);
    assert.deepEqual(remote.refused, []);
    assert.equal(await formOf(), null);
    assert.match(
      String(remote.delivered[0]?.headers["signature"]),
      /headers="\(request-target\) host date digest content-type user-agent"/,
    );
  });

  for (const refusal of [400, 401] as const)
    test(`after ${refusal} the least form is sent, and remembered`, async () => {
      await follow();
      remote.demand = behindProxy(properlySigned(kith()));
      remote.refusal = refusal;
      await say("hello");
      const [created] = remote.ofType("Create");
      assert.match(
        String(created?.headers["signature"]),
        /headers="\(request-target\) host date digest"/,
      );
      assert.equal(remote.refused.length, 1);
      assert.equal(await formOf(), "cavage-least");
      await say("again");
      assert.equal(remote.ofType("Create").length, 2);
      assert.equal(remote.refused.length, 1);
    });

  test("RFC 9421 comes last, is remembered for a day, and for this server alone", async () => {
    await follow();
    const other = await RemoteServer.start();
    remote.demand = rfc9421Only(properlySigned(kith()));
    await submitAndApply(kith(), ann, {
      type: "Follow",
      object: other.actor("olga").id,
    });
    await say("hello");
    const [created] = remote.ofType("Create");
    assert.ok(created && isRfc9421(created.headers));
    assert.equal(created.headers["digest"], undefined);
    assert.equal(remote.refused.length, 2);
    assert.equal(await formOf(), "rfc9421");
    await say("again");
    assert.equal(remote.ofType("Create").length, 2);
    assert.equal(remote.refused.length, 2);
    for (const { headers } of other.delivered)
      assert.equal(isRfc9421(headers), false);
    await other.close();
    kith().clock.advance(DAY_MS + HOUR_MS);
    await say("next day");
    assert.equal(remote.ofType("Create").length, 3);
    assert.equal(remote.refused.length, 4);
  });

  test("a server that no longer accepts its form gets the other forms again", async () => {
    await follow();
    remote.demand = rfc9421Only(properlySigned(kith()));
    await say("hello");
    remote.demand = async (request, origin) =>
      !request.headers.some(([name]) => name === "signature-input") &&
      properlySigned(kith())(request, origin);
    await say("again");
    assert.equal(remote.ofType("Create").length, 2);
    assert.equal(await formOf(), "cavage");
  });

  test("a delivery refused in every form is retried once, an hour later", async () => {
    await follow();
    const demand: Demand = async () => false;
    remote.demand = demand;
    await say("hello");
    assert.equal(remote.refused.length, 3);
    assert.equal(new Set(remote.refused.map((it) => it["signature"])).size, 3);
    kith().clock.advance(HOUR_MS / 2);
    await kith().settle();
    assert.equal(remote.refused.length, 3);
    kith().clock.advance(HOUR_MS / 2);
    await kith().settle();
    assert.equal(remote.refused.length, 6);
    kith().clock.advance(2 * DAY_MS);
    remote.demand = undefined;
    await kith().settle();
    assert.equal(remote.ofType("Create").length, 0);
    assert.equal(await formOf(), null);
  });

  test("a key that is known an hour later is enough", async () => {
    await follow();
    remote.demand = async () => false;
    await say("hello");
    remote.demand = properlySigned(kith());
    kith().clock.advance(HOUR_MS);
    await kith().settle();
    assert.equal(remote.ofType("Create").length, 1);
  });

  const announce = async (id: string) => {
    await rae.deliver(kith(), rae.activity("Announce", { object: id }));
    const posts = await ann.get<PostRecord[]>("/posts");
    return posts.filter(
      ({ RootGuid, Person }) =>
        RootGuid !== null && Person.Author === rae.handle,
    ).length;
  };

  const fetched: [string, (demand: Demand) => Demand, number, string][] = [
    ["with the query", (demand) => demand, 0, "cavage"],
    ["without the query", withoutQuery, 1, "cavage-least"],
    ["by RFC 9421", rfc9421Only, 2, "rfc9421"],
  ];
  for (const [how, demanding, refusals, form] of fetched)
    test(`documents are asked for in the form that is taken: ${how}`, async () => {
      await follow();
      const notes = [1, 2].map((n) => `${remote.origin}/notes?id=${n}`);
      for (const id of notes) remote.documents.set(id, rae.note({ id }));
      remote.demand = demanding(properlySigned(kith()));
      for (const [index, id] of notes.entries()) {
        assert.equal(await announce(id), index + 1);
        assert.equal(remote.refused.length, refusals);
        assert.equal((await formOf()) ?? "cavage", form);
      }
    });

  test("a forbidden document is not a refusal of a form", async () => {
    await follow();
    assert.equal(await announce(`${remote.origin}/notes/none`), 0);
    remote.demand = async () => false;
    assert.equal(await announce(`${remote.origin}/notes/other`), 0);
    assert.equal(await formOf(), null);
  });

  test("Friendica gets the actor itself as the key id, others do not", async () => {
    const href = `${remote.origin}/nodeinfo/2.0`;
    remote.documents.set(`${remote.origin}/.well-known/nodeinfo`, {
      links: [{ rel: SCHEMA, href }],
    });
    remote.documents.set(href, { software: { name: "friendica" } });
    await follow();
    const actor = actorOf(kith(), ann.username);
    remote.delivered.length = 0;
    remote.demand = properlySigned(kith());
    await say("hello");
    const keyIds = remote.delivered.map(
      ({ headers }) =>
        /keyId="([^"]+)"/.exec(String(headers["signature"]))?.[1],
    );
    assert.deepEqual(keyIds, [`${actor}#main-key`]);
    const mastodon = await RemoteServer.start();
    await submitAndApply(kith(), ann, {
      type: "Follow",
      object: mastodon.actor("max").id,
    });
    await kith().settle();
    assert.match(
      String(mastodon.delivered[0]?.headers["signature"]),
      /\/actor#main-key"/,
    );
    await mastodon.close();
  });
});
