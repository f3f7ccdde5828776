import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { JsonObject } from "@kith/activitypub";
import { objectOf, read, sendFollow } from "../support/remote/linked-data.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type { AspectRecord, PostRecord } from "../support/server/wire.ts";

const uriOf = ({ id }: JsonObject): string =>
  typeof id === "string" ? id : assert.fail("no id");

type Quotable = PostRecord & { readonly QuotableBy?: string };

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let names = 0;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  const publish = (by: TestPerson, more: Record<string, unknown> = {}) =>
    by.post<Quotable>("/posts", {
      ...{ post: "words", audience: "everyone" },
      ...more,
    });
  const quote = (by: TestPerson, { ID }: PostRecord) =>
    publish(by, { quoteID: ID });
  const isRefused = (by: TestPerson, { ID }: PostRecord) =>
    by.badRequest("POST", "/posts", {
      form: { post: "look", audience: "everyone", quoteID: String(ID) },
    });
  const stranger = (): RemoteActor => remote.actor(`quoter${++names}`);
  const ask = async (by: RemoteActor, { Guid }: PostRecord) => {
    const object = objectOf(kith(), Guid);
    const note = by.note({ quote: object });
    const request = by.activity("QuoteRequest", { object, instrument: note });
    await by.deliver(kith(), request);
    const answer = remote.delivered
      .map(({ activity }) => activity)
      .find(
        (one) =>
          (one.object as JsonObject | undefined)?.["id"] === request["id"],
      );
    return { note, answer };
  };

  test("the author of a post chooses who may quote it", async () => {
    const [ann, bob, cat] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const { ID } = await bob.post<AspectRecord>("/aspects", { name: "a" });
    await bob.post(`/people/${ann.record.ID}/aspects/${ID}`);
    const open = await publish(ann);
    assert.equal(open.QuotableBy, undefined);
    assert.equal((await quote(cat, open)).Quote?.State, "accepted");
    const closed = await publish(ann, { quotable_by: "nobody" });
    assert.equal(closed.QuotableBy, "nobody");
    await isRefused(bob, closed);
    assert.equal((await quote(ann, closed)).Quote?.State, "accepted");
    const half = await publish(ann, { quotable_by: "followers" });
    assert.equal((await quote(bob, half)).Quote?.State, "accepted");
    await isRefused(cat, half);
    const edited = await ann.put<Quotable>(`/posts/${half.ID}`, {
      quotable_by: "everyone",
    });
    assert.equal(edited.QuotableBy, undefined);
    assert.equal((await quote(cat, edited)).Quote?.State, "accepted");
    await ann.put("/settings", { QuotableBy: "nobody" });
    assert.equal((await publish(ann)).QuotableBy, "nobody");
    await ann.badRequest("POST", "/posts", {
      form: { post: "x", audience: "everyone", quotable_by: "friends" },
    });
  });

  test("the policy goes out, and answers requests of other servers", async () => {
    const ann = await kith().person();
    const closed = await publish(ann, { quotable_by: "nobody" });
    const document = await read(objectOf(kith(), closed.Guid));
    assert.match(
      JSON.stringify(document["interactionPolicy"]),
      RegExp(`"automaticApproval":.*${ann.username}`),
    );
    assert.equal((await ask(stranger(), closed)).answer?.type, "Reject");
    const open = await publish(ann);
    assert.equal((await ask(stranger(), open)).answer?.type, "Accept");
    const half = await publish(ann, { quotable_by: "followers" });
    const fan = stranger();
    assert.equal((await ask(fan, half)).answer?.type, "Reject");
  });

  test("comments may be quoted as their author's posts usually may", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const words = await publish(ann);
    const said = async () =>
      bob.post<PostRecord>(`/posts/${words.ID}/comments`, { comment: "so" });
    const [first, second] = [await said(), await said()];
    assert.equal((await ask(stranger(), first)).answer?.type, "Accept");
    await bob.put("/settings", { QuotableBy: "nobody" });
    assert.equal((await ask(stranger(), second)).answer?.type, "Reject");
    const document = await read(objectOf(kith(), second.Guid));
    assert.match(
      JSON.stringify(document["interactionPolicy"]),
      RegExp(`"automaticApproval":.*${bob.username}`),
    );
    // The policy of the post above is another matter.
    const closed = await publish(ann, { quotable_by: "nobody" });
    const cat = await kith().person();
    const below = await cat.post<PostRecord>(`/posts/${closed.ID}/comments`, {
      comment: "still",
    });
    assert.equal((await ask(stranger(), below)).answer?.type, "Accept");
  });

  test("a post of another server is quoted as its policy says, in every form of it", async () => {
    const ann = await kith().person();
    const eve = stranger();
    await sendFollow(kith(), ann, eve);
    const { posts } = kith().server.features;
    const to = ["https://www.w3.org/ns/activitystreams#Public"];
    const followers = `${eve.id}/followers`;
    const arrive = async (more: JsonObject) => {
      const note = eve.note({ to, ...more });
      await eve.deliver(kith(), eve.activity("Create", { object: note, to }));
      const post = await posts.find({ uri: uriOf(note) });
      assert.ok(post);
      return { note, post: await ann.get<Quotable>(`/posts/${post.id}`) };
    };
    for (const [canQuote, quotable] of [
      [{ automaticApproval: to }, undefined],
      [{ automaticApproval: "as:Public" }, undefined],
      [{ always: "Public" }, undefined],
      [{ automaticApproval: eve.id, manualApproval: to }, undefined],
      [{ always: [], approvalRequired: to }, undefined],
      [{ automaticApproval: [followers] }, "followers"],
      [{ manualApproval: followers }, "followers"],
      [{ automaticApproval: [`${eve.id}/following`] }, "followers"],
      [{ automaticApproval: [eve.id] }, "nobody"],
      [{ automaticApproval: eve.id, manualApproval: [] }, "nobody"],
      [{ automaticApproval: [] }, "nobody"],
      [{}, "nobody"],
      ["nonsense", undefined],
      [null, undefined],
    ] as const) {
      const { post } = await arrive({ interactionPolicy: { canQuote } });
      assert.equal(post.QuotableBy, quotable, JSON.stringify(canQuote));
      if (quotable === "nobody") await isRefused(ann, post);
      else assert.equal((await quote(ann, post)).Quote?.State, "pending");
    }
    // An edit changes it, and one without a policy opens it again.
    const { note, post } = await arrive({});
    assert.equal(post.QuotableBy, undefined);
    let second = 0;
    const change = async (more: JsonObject) => {
      const at = kith().clock.now().getTime() + (second += 1) * 1000;
      const object = { ...note, ...more, updated: new Date(at).toISOString() };
      await eve.deliver(kith(), eve.activity("Update", { object, to }));
      const shown = await ann.get<Quotable>(`/posts/${post.ID}`);
      return shown.QuotableBy;
    };
    const closed = { canQuote: { automaticApproval: [eve.id] } };
    assert.equal(await change({ interactionPolicy: closed }), "nobody");
    await isRefused(ann, post);
    assert.equal(await change({}), undefined);
  });

  test("a revoked quote is over for good, and its server is told", async () => {
    const ann = await kith().person();
    const bob = await kith().person();
    const words = await publish(ann);
    const made = await quote(bob, words);
    const path = `/posts/${words.ID}/quotes/${made.ID}`;
    await bob.notFound("DELETE", path);
    await kith().settle();
    await ann.call("DELETE", path);
    await kith().settle();
    const shown = await bob.get<PostRecord>(`/posts/${made.ID}`);
    assert.equal(shown.Quote?.State, "revoked");
    assert.equal(shown.Quote.Text, undefined);
    await ann.notFound("DELETE", path);
    const eve = stranger();
    await sendFollow(kith(), ann, eve);
    const { note, answer } = await ask(eve, words);
    assert.equal(answer?.type, "Accept");
    const created = eve.activity("Create", {
      object: { ...note, quoteAuthorization: answer["result"] ?? null },
      to: ["https://www.w3.org/ns/activitystreams#Public"],
    });
    await eve.deliver(kith(), created);
    const { posts, quotes } = kith().server.features;
    const stored = await posts.find({ uri: uriOf(note) });
    assert.ok(stored);
    await kith().settle();
    await ann.call("DELETE", `/posts/${words.ID}/quotes/${stored.id}`);
    await kith().settle();
    assert.equal((await quotes.find(stored.id))?.state, "revoked");
    assert.ok(
      remote.delivered.some(({ activity }) => activity.type === "Delete"),
    );
  });
});
