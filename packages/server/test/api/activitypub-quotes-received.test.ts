import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { objectOf, sendFollow } from "../support/remote/linked-data.ts";
import { textIn } from "../support/scenes/planners.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import type { PersonRecord, PostRecord } from "../support/server/wire.ts";

/** Quotes that come in, and whether they are shown. */
forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let names = 0;
  let ann: TestPerson;
  before(async () => {
    remote = await RemoteServer.start();
    ann = await kith().person();
  });
  after(() => remote.close());

  /** A remote person followed by ann. */
  const meet = async () => {
    const actor = remote.actor(`actor${++names}`);
    await sendFollow(kith(), ann, actor);
    return actor;
  };
  /** A public note that its server serves, and that did not come here. */
  const write = (by: RemoteActor, members: JsonObject = {}) => {
    const note = by.note(members);
    remote.documents.set(textIn(note["id"]), note);
    return note;
  };
  const deliver = (by: RemoteActor, object: JsonObject, type = "Create") =>
    by.deliver(kith(), by.activity(type, { object }));
  const findHere = (note: JsonObject) =>
    kith().server.features.posts.find({ uri: textIn(note["id"]) });
  const show = async (note: JsonObject, to = ann) => {
    const post = await findHere(note);
    assert.ok(post, "it did not come");
    return to.get<PostRecord>(`/posts/${post.id}`);
  };
  const stateOf = async (note: JsonObject) => {
    const post = await findHere(note);
    const { quotes } = kith().server.features;
    return post && (await quotes.find(post.id))?.state;
  };
  /** An authorization served by the quoted author. */
  const grant = (by: RemoteActor, members: JsonObject) => {
    const id = by.newId("stamps");
    const document = { id, type: "QuoteAuthorization", attributedTo: by.id };
    remote.documents.set(id, { ...document, ...members });
    return id;
  };
  const quoting = (by: RemoteActor, quoted: JsonObject, more = {}) =>
    write(by, { quote: textIn(quoted["id"]), ...more });
  const allowed = (by: RemoteActor, of: RemoteActor, quoted: JsonObject) => {
    const note = quoting(by, quoted);
    const leave = grant(of, {
      interactingObject: textIn(note["id"]),
      interactionTarget: textIn(quoted["id"]),
    });
    return { note: { ...note, quoteAuthorization: leave }, leave };
  };
  const askedFor = (url: string) =>
    remote.asked.filter(({ path }) => url.endsWith(path)).length;

  test("a quote with a leave shows the quoted post, which is fetched; both are asked for once", async () => {
    const [eve, fay] = [await meet(), remote.actor(`wise${++names}`)];
    const words = write(fay, { content: "<p>wise words</p>" });
    const { note, leave } = allowed(eve, fay, words);
    await deliver(eve, note);
    const shown = await show(note);
    assert.equal(shown.Quote?.State, "accepted");
    assert.equal(shown.Quote.Text, "wise words");
    assert.equal(shown.Quote.Person?.Author, fay.handle);
    assert.ok(shown.Text.includes(textIn(words["id"])), "with the link");
    await deliver(eve, note);
    await deliver(eve, note, "Update");
    assert.equal(askedFor(leave), 1);
    assert.equal(askedFor(textIn(words["id"])), 1);
  });

  test("without a leave it is a link, until an Update brings one", async () => {
    const [eve, fay] = [await meet(), remote.actor(`wise${++names}`)];
    const words = write(fay);
    const { note, leave } = allowed(eve, fay, words);
    const { quoteAuthorization: _, ...bare } = note;
    await deliver(eve, bare);
    const before = await show(note);
    assert.ok(!("Quote" in before));
    assert.ok(before.Text.includes(`RE: <${textIn(words["id"])}>`));
    assert.equal(await findHere(words), undefined);
    await deliver(eve, note, "Update");
    assert.equal((await show(note)).Quote?.State, "accepted");
    assert.equal(askedFor(leave), 1);
    await deliver(eve, bare, "Update");
    assert.equal(await stateOf(note), "pending");
    await deliver(eve, { ...bare, quote: null }, "Update");
    assert.equal(await stateOf(note), undefined);
  });

  test("a leave for other notes, by others, or of another server shows nothing, and no other server is asked", async () => {
    const [eve, fay] = [await meet(), remote.actor(`wise${++names}`)];
    const words = write(fay);
    for (const over of [
      { interactingObject: textIn(eve.note()["id"]) },
      { interactionTarget: textIn(fay.note()["id"]) },
      { attributedTo: eve.id },
      { type: "Note" },
      { id: `${fay.id}/other` },
    ]) {
      const note = quoting(eve, words);
      const leave = grant(fay, {
        interactingObject: textIn(note["id"]),
        interactionTarget: textIn(words["id"]),
        ...over,
      });
      await deliver(eve, { ...note, quoteAuthorization: leave });
      assert.ok(!("Quote" in (await show(note))), JSON.stringify(over));
    }
    const evil = await RemoteServer.start("127.0.0.1");
    try {
      const note = quoting(eve, words);
      const leave = `${evil.origin}/stamps/1`;
      evil.documents.set(leave, {
        id: leave,
        type: "QuoteAuthorization",
        attributedTo: fay.id,
        interactingObject: textIn(note["id"]),
        interactionTarget: textIn(words["id"]),
      });
      await deliver(eve, { ...note, quoteAuthorization: leave });
      assert.equal(await stateOf(note), "rejected");
      assert.equal(evil.asked.length, 0);
    } finally {
      await evil.close();
    }
  });

  test("authors may quote themselves; an endless chain of quotes is followed one step", async () => {
    const eve = await meet();
    let next = write(eve);
    const chain = [next];
    for (let depth = 0; depth < 5; depth++)
      chain.unshift((next = quoting(eve, next)));
    const [first, second, third] = chain;
    await deliver(eve, first ?? assert.fail());
    const shown = await show(first ?? assert.fail());
    const known = await findHere(second ?? assert.fail());
    assert.equal(shown.Quote?.Guid, known?.guid);
    assert.equal(await findHere(third ?? assert.fail()), undefined);
    const circle = write(eve);
    const back = quoting(eve, circle);
    const closed = { ...circle, quote: textIn(back["id"]) };
    remote.documents.set(textIn(circle["id"]), closed);
    await deliver(eve, back);
    await deliver(eve, closed);
    await deliver(eve, closed, "Update");
    assert.equal((await show(back)).Quote?.State, "accepted");
  });

  test("for local posts our own record of authorizations decides, whenever it was made", async () => {
    const [eve, bob] = [await meet(), await kith().person()];
    const words = await bob.post<PostRecord>("/posts", { post: "our words" });
    const quoted = objectOf(kith(), words.Guid);
    const note = write(eve, { quote: quoted });
    const made = grant(eve, {
      attributedTo: `${kith().baseUrl}/api/v1/ap/person/${bob.username}`,
      interactingObject: textIn(note["id"]),
      interactionTarget: quoted,
    });
    await deliver(eve, { ...note, quoteAuthorization: made });
    assert.ok(!("Quote" in (await show(note))));
    assert.equal(askedFor(made), 0);
    const request = eve.activity("QuoteRequest", {
      object: quoted,
      instrument: note,
    });
    await eve.deliver(kith(), request);
    assert.equal((await show(note)).Quote?.Text, "our words");
    const later = write(eve, { quote: quoted });
    const first = eve.activity("QuoteRequest", {
      object: quoted,
      instrument: later,
    });
    await eve.deliver(kith(), first);
    await deliver(eve, later);
    assert.equal((await show(later)).Quote?.Text, "our words");
    const { handle } = eve;
    const { ID } = await bob.post<PersonRecord>("/search", { handle });
    await bob.post(`/people/${ID}/block`);
    await kith().settle();
    const { Quote } = await show(note);
    assert.equal(Quote?.State, "revoked");
    assert.ok(!("Text" in Quote));
    await deliver(eve, { ...note, quoteAuthorization: made }, "Update");
    assert.notEqual((await show(note)).Quote?.State, "accepted");
  });

  test("a leave that is taken back takes the quote away, also before it was looked at", async () => {
    const [eve, fay] = [await meet(), await meet()];
    const words = write(fay);
    const { note, leave } = allowed(eve, fay, words);
    await deliver(eve, note);
    const object = { id: leave, type: "QuoteAuthorization" };
    await deliver(eve, object, "Delete");
    assert.equal(await stateOf(note), "accepted", "it is not eve's");
    remote.documents.delete(leave);
    await deliver(fay, object, "Delete");
    const { Quote } = await show(note);
    assert.equal(Quote?.State, "revoked");
    assert.ok(!("Text" in Quote));
    await deliver(eve, note, "Update");
    assert.equal(await stateOf(note), "revoked");

    const early = allowed(eve, fay, words);
    const { pathname } = new URL(early.leave);
    remote.answers.set(pathname, (response) => response.writeHead(503).end());
    await deliver(eve, early.note);
    assert.equal(await stateOf(early.note), "pending");
    const gone = { id: early.leave, type: "QuoteAuthorization" };
    await deliver(fay, gone, "Delete");
    remote.answers.delete(pathname);
    kith().clock.advance(3_600_000);
    await kith().settle();
    assert.equal(await stateOf(early.note), "revoked");
  });

  test("a server that never answers is asked a few times, and holds up no other", async () => {
    const [eve, fay] = [await meet(), remote.actor(`wise${++names}`)];
    const { note, leave } = allowed(eve, fay, write(fay));
    const { pathname } = new URL(leave);
    remote.answers.set(pathname, (response) => response.writeHead(503).end());
    await deliver(eve, note);
    const other = allowed(eve, fay, write(fay));
    await deliver(eve, other.note);
    assert.equal(await stateOf(other.note), "accepted");
    for (let hours = 0; hours < 48; hours += 8) {
      kith().clock.advance(8 * 3_600_000);
      await kith().settle();
    }
    assert.ok(askedFor(leave) <= 6, String(askedFor(leave)));
    assert.equal(await stateOf(note), "pending");
    remote.answers.delete(pathname);
  });

  test("a limited post cannot be quoted by others, and a deleted one is gone", async () => {
    const [eve, fay] = [await meet(), await meet()];
    const limited = write(fay, {
      to: [`${kith().baseUrl}/api/v1/ap/person/${ann.username}`],
    });
    await deliver(fay, limited);
    const { note } = allowed(eve, fay, limited);
    await deliver(eve, note);
    assert.ok(!("Quote" in (await show(note))));
    const words = write(fay);
    const open = allowed(eve, fay, words);
    await deliver(eve, open.note);
    assert.ok((await show(open.note)).Quote);
    await deliver(
      fay,
      { id: textIn(words["id"]), type: "Tombstone" },
      "Delete",
    );
    assert.ok(!("Quote" in (await show(open.note))));
    assert.equal(await stateOf(open.note), "revoked");
  });

  test("a poll can quote as well, and the quoted post stays hidden from people who may not see it", async () => {
    const [eve, fay] = [await meet(), await meet()];
    const bob = await kith().person();
    const words = write(fay, { content: "<p>wise words</p>", to: [PUBLIC] });
    const { note } = allowed(eve, fay, words);
    const oneOf = ["yes", "no"].map((name) => ({ type: "Note", name }));
    const question = { ...note, type: "Question", oneOf };
    await deliver(eve, question);
    const shown = await show(note, bob);
    assert.ok(shown.Poll);
    assert.equal(shown.Quote?.Text, "wise words");
    const block = fay.activity("Block", {
      object: `${kith().baseUrl}/api/v1/ap/person/${bob.username}`,
    });
    await fay.deliver(kith(), block);
    assert.ok(!("Quote" in (await show(note, bob))));
    assert.ok("Quote" in (await show(note)));
  });
});
