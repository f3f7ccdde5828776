import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { assertError, type Answer } from "../support/server/api-client.ts";
import { aspectOf } from "../support/scenes/audience.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import {
  activityOf,
  actorOf,
  ask,
  submitAndApply,
  objectOf,
  read,
  readDocument,
  walk,
} from "../support/remote/linked-data.ts";
import { RemoteServer } from "../support/remote/remote-server.ts";
import type {
  CommentRecord,
  LikeRecord,
  PostRecord,
} from "../support/server/wire.ts";

const ABSENT = "0".repeat(32);

/** Everything by which a client can distinguish two answers. */
const visible = ({ status, text, headers }: Answer) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => name !== "date"),
});

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  const contextOf = (guid: string) =>
    `${kith().baseUrl}/api/v1/ap/context/${guid}`;

  test("posts, comments and likes are served by their ids", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const post = await ann.post<PostRecord>("/posts", { post: "*root*" });
    const said = await bob.post<CommentRecord>(`/posts/${post.ID}/comments`, {
      comment: "c",
    });
    const like = await bob.post<LikeRecord>(`/posts/${post.ID}/likes`);
    const note = await read(objectOf(kith(), post.Guid));
    assert.equal(note["id"], objectOf(kith(), post.Guid));
    assert.equal(note["type"], "Note");
    assert.equal(note["attributedTo"], actorOf(kith(), ann.username));
    assert.equal(note["content"], "<p><em>root</em></p>");
    assert.equal(note["url"], `${kith().baseUrl}/posts/${post.Guid}`);
    assert.equal(note["context"], contextOf(post.Guid));
    assert.equal(note["diaspora:guid"], post.Guid);
    assert.deepEqual(note["to"], [PUBLIC]);
    const create = await read(activityOf(kith(), post.Guid));
    assert.equal(create["type"], "Create");
    assert.equal((create["object"] as JsonObject)["id"], note["id"]);
    const comment = await read(objectOf(kith(), said.Guid));
    assert.equal(comment["inReplyTo"], note["id"]);
    assert.equal(comment["context"], contextOf(post.Guid));
    const liked = await read(activityOf(kith(), like.Guid));
    assert.equal(liked["type"], "Like");
    assert.equal(liked["object"], note["id"]);
  });

  test("a conversation is the post and its replies, oldest first", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const dan = remote.actor("dan");
    const post = await ann.post<PostRecord>("/posts", { post: "root" });
    const expected = [objectOf(kith(), post.Guid)];
    for (let n = 0; n < 20; n++) {
      const { Guid } = await bob.post<CommentRecord>(
        `/posts/${post.ID}/comments`,
        { comment: "c" },
      );
      expected.push(objectOf(kith(), Guid));
      kith().clock.advance(10);
    }
    const answer = dan.note({
      inReplyTo: objectOf(kith(), post.Guid),
      published: kith().clock.now().toISOString(),
    });
    await dan.deliver(kith(), dan.activity("Create", { object: answer }));
    expected.push(answer["id"] as string);
    const collection = await read(contextOf(post.Guid));
    assert.equal(collection["type"], "OrderedCollection");
    assert.equal(collection["totalItems"], 22);
    assert.deepEqual(await walk(contextOf(post.Guid)), expected);
  });

  test("a limited post is for its readers, wherever they live; to others it is not there", async () => {
    const [ann, bob, cat] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const [dan, eve] = [remote.actor("dan"), remote.actor("eve")];
    await ann.post("/search", { handle: dan.handle });
    const id = await submitAndApply(kith(), ann, {
      type: "Note",
      content: "limited",
      to: [actorOf(kith(), bob.username), dan.id],
    });
    const guid = id.slice(id.lastIndexOf("/") + 1);
    const said = await bob.post<CommentRecord>(`/posts/${guid}/comments`, {
      comment: "c",
    });
    const like = await bob.post<LikeRecord>(`/posts/${guid}/likes`);
    const places = [
      objectOf(kith(), guid),
      activityOf(kith(), guid),
      contextOf(guid),
      objectOf(kith(), said.Guid),
      activityOf(kith(), said.Guid),
      activityOf(kith(), like.Guid),
      `${kith().baseUrl}/posts/${guid}`,
    ];
    for (const url of places) {
      const absent = url.replace(/[0-9a-f]{32}$/, ABSENT);
      for (const reader of [ann, bob]) await read(url, reader);
      readDocument(await dan.get(kith(), url), "a reader elsewhere");
      for (const [hidden, none] of [
        [await ask(url), await ask(absent)],
        [await ask(url, cat), await ask(absent, cat)],
        [await eve.get(kith(), url), await eve.get(kith(), absent)],
      ] as const) {
        assertError(hidden, 404, "Not found", url);
        assert.deepEqual(visible(hidden), visible(none));
      }
    }
    const seen = readDocument(await dan.get(kith(), objectOf(kith(), guid)));
    assert.deepEqual(seen["to"], [dan.id], "of the readers each sees itself");
    assert.deepEqual(await walk(contextOf(guid), bob), [
      objectOf(kith(), guid),
      objectOf(kith(), said.Guid),
    ]);
  });

  test("a signature or a token that is not valid is refused, not ignored", async () => {
    const ann = await kith().person();
    const post = await ann.post<PostRecord>("/posts", { post: "root" });
    const url = objectOf(kith(), post.Guid);
    const unknown = await ask(url, { token: "0".repeat(64) });
    assertError(unknown, 401, "Unauthorized", "an unknown token");
    for (const signature of [
      "x",
      `keyId="${remote.origin}/users/gus#main-key",algorithm="rsa-sha256",headers="(request-target) host date",signature="AAAA"`,
    ]) {
      const headers = { signature, date: kith().clock.now().toUTCString() };
      const answer = await ask(url, null, { headers });
      assertError(answer, 401, "Unauthorized", signature);
    }
  });

  test("missing objects with a known form of address", async () => {
    const ann = await kith().person();
    const dan = remote.actor("dan");
    await submitAndApply(kith(), ann, { type: "Follow", object: dan.id });
    const object = dan.note();
    await dan.deliver(kith(), dan.activity("Create", { object }));
    const stream = await ann.get<PostRecord[]>("/posts", { limit: 100 });
    const foreign = stream.find(({ Text }) => Text === "from elsewhere");
    assert.ok(foreign);
    const { Guid } = ann.record;
    for (const shape of ["object", "activity"])
      for (const guid of [
        ABSENT,
        "x",
        "1",
        "%00",
        Guid,
        foreign.Guid,
        "a".repeat(300),
        "__proto__",
      ])
        assertError(
          await ask(`${kith().baseUrl}/api/v1/ap/${shape}/${guid}`, ann),
          404,
          "Not found",
          `${shape} ${guid}`,
        );
    for (const guid of [ABSENT, "x", "1", "%00", Guid])
      assertError(await ask(contextOf(guid)), 404, "Not found", guid);
    assert.deepEqual(await walk(contextOf(foreign.Guid)), [object["id"]]);
  });

  test("deleted things are gone under every address", async () => {
    const ann = await kith().person();
    const post = await ann.post<PostRecord>("/posts", { post: "root" });
    await ann.delete(`/posts/${post.Guid}`);
    for (const url of [activityOf(kith(), post.Guid), contextOf(post.Guid)])
      assertError(await ask(url, ann), 404, "Not found", url);
    const id = objectOf(kith(), post.Guid);
    const { status, text } = await ask(id);
    assert.equal(status, 410);
    const { "@context": _, ...tombstone } = JSON.parse(text) as JsonObject;
    assert.deepEqual(tombstone, { id, type: "Tombstone", formerType: "Note" });
  });

  test("nothing reveals that a deleted limited post existed", async () => {
    const ann = await kith().person();
    const aspectID = await aspectOf(ann, await kith().person());
    const post = await ann.post<PostRecord>("/posts", { post: "x", aspectID });
    await ann.delete(`/posts/${post.Guid}`);
    const url = objectOf(kith(), post.Guid);
    for (const by of [ann, null])
      assertError(await ask(url, by), 404, "Not found", url);
  });

  test("pages answer with the object itself where a client asks for it", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const { baseUrl } = kith();
    const post = await ann.post<PostRecord>("/posts", { post: "root" });
    const reshare = await bob.post<PostRecord>(`/posts/${post.Guid}/reshare`);
    const said = await bob.post<CommentRecord>(`/posts/${post.ID}/comments`, {
      comment: "c",
    });
    const actor = actorOf(kith(), ann.username);
    for (const [path, id] of [
      [`/people/${ann.record.Guid}`, actor],
      [`/u/${ann.username}`, actor],
      [`/posts/${post.Guid}`, objectOf(kith(), post.Guid)],
      [`/posts/${said.Guid}`, objectOf(kith(), said.Guid)],
      [`/posts/${reshare.Guid}`, activityOf(kith(), reshare.Guid)],
    ] as const)
      for (const accept of [
        "application/activity+json",
        'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
        'text/html;q=0.5, application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
      ]) {
        const answer = await ask(baseUrl + path, null, { headers: { accept } });
        assert.equal(readDocument(answer, path)["id"], id);
        assert.match(answer.headers.get("vary") ?? "", /Accept/);
      }
    for (const path of [`/u/${ann.username}`, `/posts/${post.Guid}`]) {
      const headers = { accept: "text/html" };
      const page = await ask(baseUrl + path, null, { headers });
      assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
    }
    for (const path of ["/u/nobody", `/people/${ABSENT}`, `/posts/${ABSENT}`])
      assertError(await ask(baseUrl + path), 404, "Not found", path);
  });
});
