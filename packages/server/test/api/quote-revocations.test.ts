import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { JsonObject } from "@kith/activitypub";
import { objectOf, sendFollow } from "../support/remote/linked-data.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import { textIn } from "../support/scenes/planners.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type { PostRecord } from "../support/server/wire.ts";

const PUBLIC = ["https://www.w3.org/ns/activitystreams#Public"];

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let names = 0;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  const publish = (by: TestPerson, more: Record<string, unknown> = {}) =>
    by.post<PostRecord>("/posts", {
      ...{ post: "words", audience: "everyone" },
      ...more,
    });
  const pathOf = (quoted: PostRecord, { ID }: { readonly ID: number }) =>
    `/posts/${quoted.ID}/quotes/${ID}`;
  const requestOf = (by: RemoteActor, note: JsonObject) =>
    by.activity("QuoteRequest", {
      object: note["quote"] ?? null,
      instrument: note,
    });
  const answerTo = (request: JsonObject) =>
    remote.delivered
      .map(({ activity }) => activity)
      .find(
        ({ object }) =>
          (object as JsonObject | undefined)?.["id"] === request["id"],
      );
  const ask = async (by: RemoteActor, note: JsonObject) => {
    const request = requestOf(by, note);
    await by.deliver(kith(), request);
    return answerTo(request);
  };
  const stateOf = async (id: number) =>
    (await kith().server.features.quotes.find(id as never))?.state;
  const leaves = async ({ Guid }: PostRecord) =>
    (
      await kith()
        .db.read.selectFrom("sent_activities")
        .select("guid")
        .where("quoted_guid", "=", Guid)
        .execute()
    ).length;

  /** A remote person's post that quotes one of Ann's, with her authorization. */
  const quoteFromAway = async (ann: TestPerson, words: PostRecord) => {
    const eve = remote.actor(`revoked${++names}`);
    await sendFollow(kith(), ann, eve);
    const note = eve.note({ quote: objectOf(kith(), words.Guid), to: PUBLIC });
    const answer = await ask(eve, note);
    assert.equal(answer?.type, "Accept");
    const allowed: JsonObject = {
      ...note,
      quoteAuthorization: textIn(answer["result"]),
    };
    const create = eve.activity("Create", { object: allowed, to: PUBLIC });
    await eve.deliver(kith(), create);
    await kith().settle();
    const uri = textIn(note["id"]);
    const post = await kith().server.features.posts.find({ uri });
    assert.ok(post);
    assert.equal(await stateOf(post.id), "accepted");
    return { eve, allowed, quoting: { ID: post.id } };
  };
  const send = async (by: RemoteActor, note: JsonObject, updated: string) => {
    const object = { ...note, updated };
    await by.deliver(kith(), by.activity("Update", { object, to: PUBLIC }));
    await kith().settle();
  };

  test("edits and requests of its server never bring a revoked quote back", async () => {
    const ann = await kith().person();
    const [words, others] = [await publish(ann), await publish(ann)];
    const { eve, allowed, quoting } = await quoteFromAway(ann, words);
    await ann.delete(pathOf(words, quoting));
    await kith().settle();
    assert.equal(await stateOf(quoting.ID), "revoked");
    const { quote: _, quoteAuthorization: __, ...bare } = allowed;
    const other = { ...bare, quote: objectOf(kith(), others.Guid) };
    const isOver = async () => {
      assert.notEqual(await stateOf(quoting.ID), "accepted");
      assert.equal(await leaves(words), 0);
      const { Quote } = await ann.get<PostRecord>(`/posts/${quoting.ID}`);
      assert.equal(Quote?.Text, undefined);
      await ann.notFound("DELETE", pathOf(others, quoting));
    };
    let minute = 0;
    const change = async (note: JsonObject) => {
      const at = kith().clock.now().getTime() + (minute += 1) * 1000;
      await send(eve, note, new Date(at).toISOString());
      await isOver();
    };
    // Again as it was, without the quote, with another one, and as it was.
    for (const note of [allowed, bare, allowed, other, allowed]) {
      await change(note);
      assert.equal((await ask(eve, allowed))?.type, "Reject");
      await kith().settle();
      await isOver();
    }
    // Nor does a new post of the same name after its deletion.
    const object = { id: textIn(allowed["id"]), type: "Tombstone" };
    await eve.deliver(kith(), eve.activity("Delete", { object, to: PUBLIC }));
    await kith().settle();
    assert.notEqual((await ask(eve, allowed))?.type, "Accept");
    assert.equal(await leaves(words), 0);
    // Another post may quote it, and this one another post.
    const next = eve.note({ quote: textIn(allowed["quote"]), to: PUBLIC });
    assert.equal((await ask(eve, next))?.type, "Accept");
  });

  test("of many revocations at once one counts, and its server is told once", async () => {
    const ann = await kith().person();
    const words = await publish(ann);
    const { quoting } = await quoteFromAway(ann, words);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        ann.call("DELETE", pathOf(words, quoting)),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [
      200,
      ...Array.from({ length: 7 }, () => 404),
    ]);
    await kith().settle();
    const deletes = remote.delivered.filter(
      ({ activity }) =>
        activity.type === "Delete" &&
        (activity.object as JsonObject)["interactionTarget"] ===
          objectOf(kith(), words.Guid),
    );
    assert.equal(deletes.length, 1);
  });

  test("a request that crosses the revocation leaves no authorization", async () => {
    const ann = await kith().person();
    const words = await publish(ann);
    const { eve, allowed, quoting } = await quoteFromAway(ann, words);
    const requests = Array.from({ length: 4 }, () => requestOf(eve, allowed));
    await Promise.all([
      ann.delete(pathOf(words, quoting)),
      ...requests.map((request) => eve.deliver(kith(), request)),
    ]);
    await kith().settle();
    assert.equal(await leaves(words), 0);
    assert.notEqual(await stateOf(quoting.ID), "accepted");
  });

  test("nobody revokes by other people's ids", async () => {
    const [ann, bob, cat] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const [words, other] = [await publish(ann), await publish(ann)];
    const made = await publish(bob, { quoteID: words.ID });
    const own = await publish(ann, { quoteID: words.ID });
    const plain = await publish(bob);
    const hidden = await publish(bob, { audience: "self" });
    for (const [who, path] of [
      [bob, pathOf(words, made)],
      [cat, pathOf(words, made)],
      [cat, pathOf(made, made)],
      [bob, pathOf(made, made)],
      [ann, pathOf(made, words)],
      [ann, pathOf(other, made)],
      [ann, pathOf(words, own)],
      [ann, pathOf(words, plain)],
      [ann, pathOf(words, hidden)],
      [ann, pathOf(words, words)],
      [ann, pathOf(words, { ID: 999_999 })],
    ] as const)
      await who.notFound("DELETE", path);
    const { Quote } = await cat.get<PostRecord>(`/posts/${made.ID}`);
    assert.equal(Quote?.State, "accepted");
    // By Guid as well as by id.
    await ann.delete(`/posts/${words.Guid}/quotes/${made.Guid}`);
    const after = await cat.get<PostRecord>(`/posts/${made.ID}`);
    assert.equal(after.Quote?.State, "revoked");
    // An edit of the quoting post does not bring it back; a new post may quote it.
    await bob.put(`/posts/${made.ID}`, { post: "once more" });
    const edited = await cat.get<PostRecord>(`/posts/${made.ID}`);
    assert.equal(edited.Quote?.State, "revoked");
    const next = await publish(bob, { quoteID: words.ID });
    assert.equal(next.Quote?.State, "accepted");
  });
});
