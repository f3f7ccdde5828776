import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { JsonObject } from "@kith/activitypub";
import {
  objectOf,
  read,
  submitAndApply,
} from "../support/remote/linked-data.ts";
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
    await submitAndApply(kith(), ann, { type: "Follow", object: eve.id });
    await kith().settle();
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
