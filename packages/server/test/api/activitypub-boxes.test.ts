import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { assertError } from "../support/server/api-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  activityOf,
  actorOf,
  ask,
  submitAndApply,
  objectOf,
  read,
  walk,
} from "../support/remote/linked-data.ts";
import { remotePerson, remotePost } from "../support/remote/remote-people.ts";
import { RemoteServer } from "../support/remote/remote-server.ts";
import type {
  AspectRecord,
  CommentRecord,
  LikeRecord,
  PostRecord,
} from "../support/server/wire.ts";

const ids = (items: unknown[]) =>
  items.map((item) => (item as JsonObject)["id"]);

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  const outbox = (person: TestPerson) =>
    `${actorOf(kith(), person.username)}/outbox`;
  const inbox = (person: TestPerson) =>
    `${actorOf(kith(), person.username)}/inbox`;

  test("others see the public part of an outbox, its owner everything, another user nothing", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const { ID } = await ann.post<AspectRecord>("/aspects", { name: "a" });
    const open = await ann.post<PostRecord>("/posts", { post: "open" });
    const limited = await ann.post<PostRecord>("/posts", {
      post: "limited",
      aspectID: ID,
    });
    const like = await ann.post<LikeRecord>(`/posts/${open.ID}/likes`);
    const said = await ann.post<CommentRecord>(`/posts/${open.ID}/comments`, {
      comment: "c",
    });
    const secret = await ann.post<CommentRecord>(
      `/posts/${limited.ID}/comments`,
      { comment: "c" },
    );
    const urlOf = ({ Guid }: { Guid: string }) => activityOf(kith(), Guid);
    const older = `${kith().baseUrl}/api/v0/ap/user/${ann.username}/outbox`;
    for (const url of [outbox(ann), older]) {
      assert.deepEqual(
        new Set(ids(await walk(url))),
        new Set([urlOf(open), urlOf(said)]),
      );
      assert.deepEqual(
        new Set(ids(await walk(url, ann))),
        new Set([open, limited, like, said, secret].map(urlOf)),
      );
      for (const asker of [bob, { token: "0".repeat(64) }, { token: "" }])
        for (const page of ["", "?page=1"])
          assertError(
            await ask(url + page, asker),
            403,
            "User does not own the outbox",
            url,
          );
      assert.equal((await read(url))["id"], outbox(ann));
    }
    const bearer = { headers: { authorization: `Bearer ${bob.token}` } };
    const refused = await ask(outbox(ann), null, bearer);
    assert.equal(refused.status, 403);
    // Only a header says who asks.
    const asked = await read(`${outbox(ann)}?access_token=${bob.token}`);
    assert.equal(asked["totalItems"], 2);
  });

  test("an outbox is read by pages, newest first, and its totals are right", async () => {
    const ann = await kith().person();
    const empty = await read(outbox(ann));
    assert.equal(empty["totalItems"], 0);
    assert.equal(empty["first"], `${outbox(ann)}?page=1`);
    assert.equal(empty["last"], `${outbox(ann)}?page=1`);
    assert.deepEqual(await walk(outbox(ann)), []);
    const made: string[] = [];
    for (let n = 0; n < 41; n++) {
      const post = await ann.post<PostRecord>("/posts", { post: `${n}` });
      made.unshift(activityOf(kith(), post.Guid));
      kith().clock.advance(10);
    }
    const collection = await read(outbox(ann));
    assert.equal(collection["type"], "OrderedCollection");
    assert.equal(collection["totalItems"], 41);
    assert.equal(collection["last"], `${outbox(ann)}?page=3`);
    assert.deepEqual(ids(await walk(outbox(ann))), made);
    const second = await read(`${outbox(ann)}?page=2`);
    assert.equal((second["orderedItems"] as unknown[]).length, 20);
    assert.equal(second["next"], `${outbox(ann)}?page=3`);
    assert.equal(second["prev"], `${outbox(ann)}?page=1`);
    const first = await read(`${outbox(ann)}?page=1`);
    assert.equal(first["prev"], undefined);
    const beyond = await read(`${outbox(ann)}?page=9`);
    assert.deepEqual(beyond["orderedItems"], []);
    assert.equal(beyond["next"], undefined);
    const [item] = first["orderedItems"] as JsonObject[];
    assert.equal(item?.["@context"], undefined, "it stands outside only");
    assert.equal(typeof item?.["object"], "object", "Creates bring the object");
  });

  test("pages are numbers from 1", async () => {
    const ann = await kith().person();
    const boxes = [
      outbox(ann),
      inbox(ann),
      `${actorOf(kith(), ann.username)}/followers`,
    ];
    for (const url of boxes)
      for (const page of [
        "0",
        "-1",
        "abc",
        "1.5",
        "1e3",
        "true",
        "9".repeat(20),
        "%00",
      ])
        assertError(
          await ask(`${url}?page=${page}`, ann),
          400,
          "Bad request",
          page,
        );
    assertError(
      await ask(`${outbox(ann)}?page=1&page=2`),
      400,
      "Bad request",
      "two",
    );
  });

  test("a reshare of a post without an ActivityPub id is omitted, also from the total", async () => {
    const ann = await kith().person();
    const eve = await remotePerson(kith(), "eve@remote.example");
    const { posts } = kith().server.features;
    const named = remotePost(eve);
    const unnamed = remotePost(eve, { uri: null });
    for (const post of [named, unnamed]) {
      await posts.receive(post);
      await ann.post(`/posts/${post.guid}/reshare`);
    }
    const [announce, ...others] = await walk(outbox(ann));
    assert.equal((announce as JsonObject)["type"], "Announce");
    assert.equal((announce as JsonObject)["object"], named.uri);
    assert.deepEqual(others, []);
  });

  test("an inbox is its owner's alone", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    for (const page of ["", "?page=1"]) {
      const url = inbox(ann) + page;
      assertError(await ask(url), 401, "Unauthorized", "nobody");
      const unknown = { token: "0".repeat(64) };
      assertError(await ask(url, unknown), 401, "Unauthorized", "unknown");
      assertError(await ask(url, bob), 403, "Forbidden", "another");
      await read(url, ann);
    }
    assertError(
      await ask(`${kith().baseUrl}/api/v1/ap/inbox`, ann),
      501,
      "Not implemented",
      "the shared one",
    );
  });

  test("an inbox shows the posts its owner received", async () => {
    const [ann, bob, cat] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const dan = remote.actor("dan");
    await submitAndApply(kith(), ann, { type: "Follow", object: dan.id });
    await submitAndApply(kith(), ann, {
      type: "Follow",
      object: actorOf(kith(), bob.username),
    });
    const open = dan.note({ published: "2026-01-01T00:00:00Z" });
    const direct = dan.note({
      published: "2026-01-02T00:00:00Z",
      to: [actorOf(kith(), ann.username), actorOf(kith(), cat.username)],
    });
    for (const object of [open, direct])
      await dan.deliver(
        kith(),
        dan.activity("Create", { object, to: object["to"] ?? [] }),
      );
    const announce = dan.activity("Announce", {
      object: objectOf(
        kith(),
        (await cat.post<PostRecord>("/posts", { post: "root" })).Guid,
      ),
      published: "2026-01-03T00:00:00Z",
      to: [PUBLIC],
    });
    await dan.deliver(kith(), announce);
    const local = await bob.post<PostRecord>("/posts", { post: "local" });
    const items = (await walk(inbox(ann), ann)) as JsonObject[];
    assert.deepEqual(
      items.map(({ type, id }) => [type, id]),
      [
        ["Create", activityOf(kith(), local.Guid)],
        ["Announce", announce["id"]],
        ["Create", undefined],
        ["Create", undefined],
      ],
    );
    const [, , second, third] = items;
    const shown = second?.["object"] as JsonObject;
    assert.equal(shown["id"], direct["id"]);
    assert.equal(shown["attributedTo"], dan.id);
    assert.equal(shown["content"], "<p>from elsewhere</p>");
    assert.deepEqual(shown["to"], [actorOf(kith(), ann.username)]);
    assert.equal((third?.["object"] as JsonObject)["id"], open["id"]);
    assert.deepEqual(third?.["to"], [PUBLIC]);
    assert.equal((await walk(inbox(cat), cat)).length, 1);
    assert.deepEqual(await walk(inbox(bob), bob), []);
    const { Guid } = (await ann.get<PostRecord[]>("/posts")).find(
      ({ Text }) => Text === "local",
    ) as PostRecord;
    await ann.delete(`/posts/${Guid}`);
    assert.equal((await walk(inbox(ann), ann)).length, 3, "hidden");
  });
});
