import type { Insertable } from "kysely";
import type { Database } from "../../src/db/schema/schema.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import type { PostId } from "../../src/features/ids.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  actorOf,
  ask,
  objectOf,
  read,
  submit,
  sendFollow,
} from "../support/remote/linked-data.ts";
import { textIn } from "../support/scenes/planners.ts";
import { proving } from "../support/remote/proving-actor.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import type {
  AspectRecord,
  PersonRecord,
  PostRecord,
} from "../support/server/wire.ts";

/** People here quote, and ask for leave to. */
forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let names = 0;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  const publish = (by: TestPerson, text: string, more = {}) =>
    by.post<PostRecord>("/posts", { post: text, ...more });
  const show = (to: TestPerson, { ID }: { ID: number }) =>
    to.get<PostRecord>(`/posts/${ID}`);
  const stateOf = async (to: TestPerson, post: PostRecord) =>
    (await show(to, post)).Quote?.State;
  const noteOf = ({ Guid }: PostRecord) => read(objectOf(kith(), Guid));

  /** A remote person with a known post, and a local follower. */
  const meet = async () => {
    const ann = await kith().person();
    const eve = remote.actor(`quoted${++names}`);
    const prove = proving(eve);
    await sendFollow(kith(), ann, eve);
    const note = eve.note({ content: "<p>wise words from afar</p>" });
    remote.documents.set(textIn(note["id"]), note);
    await eve.deliver(kith(), eve.activity("Create", { object: note }));
    const { posts } = kith().server.features;
    const known = await posts.find({ uri: textIn(note["id"]) });
    assert.ok(known, "it did not come");
    const words = await ann.get<PostRecord>(`/posts/${known.id}`);
    // The follower receives the announcements.
    const follow = eve.activity("Follow", {
      object: actorOf(kith(), ann.username),
    });
    await eve.deliver(kith(), follow);
    return { ann, eve, note, prove, words };
  };
  const quote = async (by: TestPerson, { ID }: PostRecord, more = {}) => {
    const made = await publish(by, "look at this", { quoteID: ID, ...more });
    await kith().settle();
    return made;
  };
  const requestFor = ({ Guid }: PostRecord): JsonObject | undefined =>
    remote
      .ofType("QuoteRequest")
      .map(({ activity }) => activity)
      .find(
        ({ instrument }) =>
          (instrument as JsonObject)["id"] === objectOf(kith(), Guid),
      );
  const updatesOf = ({ Guid }: PostRecord): JsonObject[] =>
    remote
      .ofType("Update")
      .map(({ activity }) => activity["object"] as JsonObject)
      .filter(({ id }) => id === objectOf(kith(), Guid));
  /** A leave as its author's server serves it. */
  const grant = (
    by: RemoteActor,
    made: PostRecord,
    note: JsonObject,
    over: JsonObject = {},
  ): string => {
    const id = by.newId("stamps");
    remote.documents.set(id, {
      id,
      type: "QuoteAuthorization",
      attributedTo: by.id,
      interactingObject: objectOf(kith(), made.Guid),
      interactionTarget: textIn(note["id"]),
      ...over,
    });
    return id;
  };
  const accept = async (
    by: RemoteActor,
    request: JsonObject | undefined,
    result: string,
  ) => {
    const object = request ?? assert.fail("nobody was asked");
    await by.deliver(kith(), by.activity("Accept", { object, result }));
  };
  const reject = (by: RemoteActor, request: JsonObject | undefined) =>
    by.deliver(
      kith(),
      by.activity("Reject", { object: textIn(request?.["id"]) }),
    );

  test("the quoted author is asked, and the quote is shown once it is authorized", async () => {
    const { ann, eve, note, words } = await meet();
    const made = await quote(ann, words);
    assert.equal(made.Quote?.State, "pending");
    assert.equal(made.Quote.ID, words.ID);
    assert.ok(!("Text" in made.Quote));
    const request = requestFor(made) ?? assert.fail("nobody was asked");
    assert.equal(request["actor"], actorOf(kith(), ann.username));
    assert.equal(request["object"], note["id"]);
    assert.deepEqual(request["to"], [eve.id]);
    const instrument = request["instrument"] as JsonObject;
    for (const name of ["quote", "quoteUrl", "quoteUri", "_misskey_quote"])
      assert.equal(instrument[name], note["id"], name);
    assert.ok(!("quoteAuthorization" in instrument));
    const tags = instrument["tag"] as JsonObject[];
    assert.equal(tags.at(-1)?.["href"], note["id"]);
    assert.match(
      textIn(instrument["content"]),
      /<p class="quote-inline">RE: <a href="[^"]+">/,
    );
    assert.equal(
      (instrument["source"] as JsonObject)["content"],
      "look at this",
    );
    assert.equal((await ask(textIn(request["id"]))).status, 404);

    const leave = grant(eve, made, note);
    await accept(eve, request, leave);
    const shown = await show(ann, made);
    assert.equal(shown.Quote?.State, "accepted");
    assert.equal(shown.Quote.Text, "wise words from afar");
    const [update, ...more] = updatesOf(made);
    assert.equal(more.length, 0);
    assert.equal(update?.["quoteAuthorization"], leave);
    assert.equal(update["quote"], note["id"]);
    assert.equal((await noteOf(made))["quoteAuthorization"], leave);
    const asked = () =>
      remote.asked.filter(({ path }) => leave.endsWith(path)).length;
    assert.equal(asked(), 1);
    await accept(eve, request, leave);
    assert.equal(asked(), 1, "it is asked for once");
    assert.equal(updatesOf(made).length, 1);
  });

  test("a refusal leaves a mere link, and a leave that comes after it counts", async () => {
    const { ann, eve, note, words } = await meet();
    const made = await quote(ann, words);
    await reject(eve, requestFor(made));
    assert.equal(await stateOf(ann, made), "rejected");
    const update = updatesOf(made).at(-1) ?? assert.fail("nobody was notified");
    for (const name of ["quote", "quoteUrl", "quoteUri", "_misskey_quote"])
      assert.ok(!(name in update), name);
    assert.deepEqual(update["tag"], []);
    const link = `RE: <${words.Url}>`;
    assert.equal(
      (update["source"] as JsonObject)["content"],
      `look at this\n\n${link}`,
    );
    assert.ok(textIn(update["content"]).includes(words.Url));
    await accept(eve, requestFor(made), grant(eve, made, note));
    assert.equal(await stateOf(ann, made), "accepted");
    await reject(eve, requestFor(made));
    assert.equal(await stateOf(ann, made), "revoked");
  });

  test("a revoked authorization ends the quote, and its recipients are notified", async () => {
    const { ann, eve, note, words } = await meet();
    const made = await quote(ann, words);
    const leave = grant(eve, made, note);
    await accept(eve, requestFor(made), leave);
    const object = { id: leave, type: "QuoteAuthorization" };
    const stranger = remote.actor(`stranger${++names}`);
    await stranger.deliver(kith(), stranger.activity("Delete", { object }));
    assert.equal(await stateOf(ann, made), "accepted");
    remote.documents.delete(leave);
    await eve.deliver(kith(), eve.activity("Delete", { object, to: [PUBLIC] }));
    assert.equal(await stateOf(ann, made), "revoked");
    const update = updatesOf(made).at(-1) ?? assert.fail("nobody was notified");
    assert.ok(!("quote" in update) && !("quoteAuthorization" in update));
    await accept(eve, requestFor(made), leave);
    assert.equal(await stateOf(ann, made), "revoked", "it is gone for good");
    const { db } = kith();
    const waiting = await db.read
      .selectFrom("jobs")
      .select("id")
      .where("kind", "=", "check-quote")
      .execute();
    assert.deepEqual(waiting, []);
  });

  test("the revocation is forwarded to the quote's recipients, and trusted from anyone once it can be verified", async () => {
    const far = await RemoteServer.start();
    try {
      const { ann, eve, note, prove, words } = await meet();
      const cid = far.actor("cid");
      const followed = actorOf(kith(), ann.username);
      const follow = cid.activity("Follow", { object: followed });
      await cid.deliver(kith(), follow);
      const [first, second] = [
        await quote(ann, words),
        await quote(ann, words),
      ];
      const leave = grant(eve, first, note);
      const other = grant(eve, second, note);
      await accept(eve, requestFor(first), leave);
      await accept(eve, requestFor(second), other);
      const end = (id: string) =>
        eve.activity("Delete", {
          object: { id, type: "QuoteAuthorization" },
          to: [PUBLIC],
        });
      const proved = prove(end(leave), kith().clock.now());
      await eve.deliver(kith(), proved);
      const passedOn = far
        .ofType("Delete")
        .map(({ activity }) => activity["id"]);
      assert.deepEqual(passedOn, [proved["id"]]);
      await cid.deliver(kith(), end(other));
      assert.equal(await stateOf(ann, second), "accepted", "it is there");
      remote.documents.delete(other);
      await cid.deliver(kith(), end(other));
      assert.equal(await stateOf(ann, second), "revoked");
    } finally {
      await far.close();
    }
  });

  test("a leave counts only where its author says so, for these two posts, on its own server", async () => {
    const { ann, eve, note, words } = await meet();
    const made = await quote(ann, words);
    const other = await quote(ann, words);
    const request = requestFor(made);
    const stranger = remote.actor(`stranger${++names}`);
    const evil = await RemoteServer.start("127.0.0.1");
    try {
      const elsewhere = `${evil.origin}/stamps/1`;
      evil.documents.set(elsewhere, {
        id: elsewhere,
        type: "QuoteAuthorization",
        attributedTo: eve.id,
        interactingObject: objectOf(kith(), made.Guid),
        interactionTarget: textIn(note["id"]),
      });
      await accept(eve, request, elsewhere);
      assert.equal(evil.asked.length, 0);
    } finally {
      await evil.close();
    }
    await accept(stranger, request, grant(eve, made, note));
    for (const over of [
      { attributedTo: stranger.id },
      { interactingObject: objectOf(kith(), other.Guid) },
      { interactionTarget: textIn(eve.note()["id"]) },
      { type: "Note" },
      { id: `${eve.id}/other` },
    ])
      await accept(eve, request, grant(eve, made, note, over));
    assert.equal(await stateOf(ann, made), "pending");
    assert.equal(updatesOf(made).length, 0);
    await accept(eve, request, grant(eve, made, note));
    assert.equal(await stateOf(ann, made), "accepted");
    assert.equal(await stateOf(ann, other), "pending");
  });

  test("an answer to a request that was never sent accepts nothing, not even a follow", async () => {
    const { ann, eve, note, words } = await meet();
    const made = await publish(ann, "not a quote");
    await kith().settle();
    const object = {
      id: eve.newId("requests"),
      type: "QuoteRequest",
      actor: actorOf(kith(), ann.username),
      object: textIn(note["id"]),
      instrument: objectOf(kith(), made.Guid),
    };
    await accept(eve, object, grant(eve, made, note));
    assert.ok(!("Quote" in (await show(ann, made))));
    // Before the request was sent.
    const early = await publish(ann, "look", { quoteID: words.ID });
    await accept(eve, object, grant(eve, early, note));
    assert.equal(await stateOf(ann, early), "pending");
    await kith().settle();
    await accept(eve, requestFor(early), grant(eve, early, note));
    assert.equal(await stateOf(ann, early), "accepted");
  });

  test("a leave on a server that does not answer is asked for again after seconds, and holds up nothing", async () => {
    const { ann, eve, note, words } = await meet();
    const made = await quote(ann, words);
    const leave = grant(eve, made, note);
    const { pathname } = new URL(leave);
    remote.answers.set(pathname, (response) => response.writeHead(503).end());
    await accept(eve, requestFor(made), leave);
    assert.equal(await stateOf(ann, made), "pending");
    const other = await quote(ann, words);
    await accept(eve, requestFor(other), grant(eve, other, note));
    assert.equal(await stateOf(ann, other), "accepted");
    remote.answers.delete(pathname);
    kith().clock.advance(5_000);
    await kith().settle();
    assert.equal(await stateOf(ann, made), "accepted");
  });

  test("a limited post sends no request to an author who does not receive it", async () => {
    const { ann, eve, words } = await meet();
    const { ID: aspectID } = await ann.post<AspectRecord>("/aspects", {
      aspect_name: "few",
    });
    const made = await quote(ann, words, { aspectID });
    assert.equal(made.Quote?.State, "pending");
    assert.equal(requestFor(made), undefined);
    const { ID } = await ann.post<PersonRecord>("/search", {
      handle: eve.handle,
    });
    await ann.post(`/people/${ID}/aspects/${aspectID}`);
    const given = await quote(ann, words, { aspectID });
    const instrument = requestFor(given)?.["instrument"] as JsonObject;
    assert.deepEqual(instrument["to"], [eve.id]);
  });

  test("a quote of a local person has an authorization that others can verify", async () => {
    const { ann } = await meet();
    const bob = await kith().person();
    const words = await publish(bob, "wise words of here");
    const made = await quote(ann, words);
    assert.equal(made.Quote?.State, "accepted");
    const [create] = remote
      .ofType("Create")
      .map(({ activity }) => activity["object"] as JsonObject)
      .filter(({ id }) => id === objectOf(kith(), made.Guid));
    const leave = textIn(create?.["quoteAuthorization"]);
    const document = await read(leave);
    assert.equal(document["type"], "QuoteAuthorization");
    assert.equal(document["attributedTo"], actorOf(kith(), bob.username));
    assert.equal(document["interactingObject"], objectOf(kith(), made.Guid));
    assert.equal(document["interactionTarget"], objectOf(kith(), words.Guid));
    const own = await quote(ann, made);
    assert.ok(!("quoteAuthorization" in (await noteOf(own))));
    assert.equal((await noteOf(own))["quote"], objectOf(kith(), made.Guid));
    await bob.post(`/people/${ann.record.ID}/block`);
    await kith().settle();
    assert.equal((await ask(leave)).status, 404);
    const update = updatesOf(made).at(-1) ?? assert.fail("nobody was notified");
    assert.ok(!("quote" in update) && !("quoteAuthorization" in update));
  });

  test("when the quoted post is deleted on its server, the quote is removed and announced", async () => {
    const { ann, eve, note, words } = await meet();
    const made = await quote(ann, words);
    await accept(eve, requestFor(made), grant(eve, made, note));
    const object = textIn(note["id"]);
    await eve.deliver(kith(), eve.activity("Delete", { object }));
    assert.ok(!("Quote" in (await show(ann, made))));
    assert.ok(!("quote" in (await noteOf(made))));
    assert.equal(updatesOf(made).length, 2);
  });

  test("a program quotes by the outbox", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const words = await publish(ann, "wise words");
    const object = {
      type: "Note",
      content: "<p>look</p>",
      quote: objectOf(kith(), words.Guid),
    };
    const to = [PUBLIC];
    const create = { type: "Create", to, object: { ...object, to } };
    const { status, headers } = await submit(kith(), bob, create);
    assert.equal(status, 201);
    const guid = textIn(headers.get("location")).split("/").at(-1);
    const made = await bob.get<PostRecord>(`/posts/${guid}`);
    assert.equal(made.Text, "look");
    assert.equal(made.Quote?.ID, words.ID);
    await kith().settle();
    const note = await read(objectOf(kith(), made.Guid));
    assert.equal(note["quote"], object.quote);
    const unknown = { ...object, quote: objectOf(kith(), "f".repeat(32)) };
    const other = await submit(kith(), bob, { ...create, object: unknown });
    assert.equal(other.status, 404);
  });

  // The last one: it leaves a thousand jobs behind.
  test("a thousand quotes of one post end together with it", async () => {
    const { ann, note, words } = await meet();
    const made = await quote(ann, words);
    const { db } = kith();
    await db.transaction(async (tx) => {
      const { id } = await tx
        .selectFrom("posts")
        .select("id")
        .where("guid", "=", made.Guid)
        .executeTakeFirstOrThrow();
      for (let number = 1; number <= 1000; number++) {
        const post: Insertable<Database["posts"]> = {
          id: (id + number) as PostId,
          guid: `${made.Guid}${number}`,
          person_id: ann.record.ID,
          type: "StatusMessage",
          public: true,
          listed: true,
          text: "look",
          provider_name: "",
          root_guid: null,
          root_person_id: null,
          uri: null,
          url: null,
          created_at: made.CreatedAt,
          updated_at: made.CreatedAt,
        };
        await tx.insertInto("posts").values(post).execute();
        await tx
          .insertInto("quotes")
          .values({
            post_id: post.id,
            quoted_uri: textIn(note["id"]),
            quoted_guid: words.Guid,
            state: "pending",
            authorization_uri: null,
            changed_at: post.created_at,
          })
          .execute();
      }
    });
    const { quotes } = kith().server.features;
    const fact = { type: "post.retracted", guid: words.Guid } as const;
    const { personId } = (await kith().server.features.posts.find({
      guid: words.Guid,
    })) ?? { personId: assert.fail() };
    await quotes.revokeAfter({ ...fact, by: personId });
    await quotes.revokeAfter({ ...fact, by: personId });
    const states = await db.read
      .selectFrom("quotes")
      .select("state")
      .where("quoted_guid", "=", words.Guid)
      .distinct()
      .execute();
    assert.deepEqual(
      states.map(({ state }) => state),
      ["revoked"],
    );
    const last = await quotes.find((made.ID + 1000) as PostId);
    assert.equal(last?.state, "revoked");
    const queued = await db.read
      .selectFrom("jobs")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("kind", "=", "fan-out")
      .executeTakeFirstOrThrow();
    assert.equal(Number(queued.count), 1001);
  });
});
