import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CONTENT_TYPE, PUBLIC, type JsonObject } from "@kith/activitypub";
import { outboxOf } from "../support/scenes/outbox.ts";
import { assertError } from "../support/server/api-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import {
  activityOf,
  actorOf,
  ask,
  submitAndApply,
  objectOf,
  read,
  walk,
} from "../support/remote/linked-data.ts";
import { RemoteServer } from "../support/remote/remote-server.ts";
import { DAY_MS } from "../support/server/test-clock.ts";
import type {
  AspectRecord,
  CommentRecord,
  PostRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  const { actor, note, newest, refuse, badRequest, notFound, notImplemented } =
    outboxOf(kith);

  test("a missing token, or another person's, is refused", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const unchanged = await kith().snapshot();
    for (const path of [
      `v1/ap/person/${ann.username}`,
      `v0/ap/user/${ann.username}`,
    ]) {
      const url = `${kith().baseUrl}/api/${path}/outbox`;
      const post = (headers: Record<string, string>) =>
        ask(url, null, {
          method: "POST",
          headers: { "content-type": CONTENT_TYPE, ...headers },
          body: JSON.stringify(note()),
        });
      assertError(await post({}), 401, "Unauthorized", path);
      for (const token of [bob.token, "0".repeat(64), ""])
        for (const header of [
          { access_token: token },
          { authorization: `Bearer ${token || "x"}` },
        ] as Record<string, string>[])
          assertError(
            await post(header),
            403,
            "User does not own the outbox",
            path,
          );
    }
    const nobody = `${actorOf(kith(), "nobody")}/outbox`;
    assertError(
      await ask(nobody, ann, {
        method: "POST",
        headers: { "content-type": CONTENT_TYPE },
        body: "{}",
      }),
      404,
      "Not found",
      "nobody",
    );
    assert.deepEqual(await kith().snapshot(), unchanged);
  });

  test("both addresses and both ways of sending the token serve", async () => {
    const ann = await kith().person();
    for (const [path, headers] of [
      [`v0/ap/user/${ann.username}`, { access_token: ann.token }],
      [
        `v1/ap/person/${ann.username.toUpperCase()}`,
        { authorization: `Bearer ${ann.token}` },
      ],
    ] as const) {
      const answer = await ask(`${kith().baseUrl}/api/${path}/outbox`, null, {
        method: "POST",
        headers: {
          "content-type": 'application/activity+json; charset="utf-8"',
          ...headers,
        },
        body: JSON.stringify(note()),
      });
      assert.equal(answer.status, 201, answer.text);
    }
    assert.equal(
      (await ann.get<PostRecord[]>(`/people/${ann.record.ID}/stream`)).length,
      2,
    );
  });

  test("being there is noted once a day", async () => {
    const ann = await kith().person();
    const lastSeen = async () => {
      const row = await kith()
        .db.read.selectFrom("users")
        .select("last_seen_at")
        .where("username", "=", ann.username)
        .executeTakeFirstOrThrow();
      return row.last_seen_at;
    };
    // Days are those of UTC: it is one o'clock, whenever the test runs.
    const sinceMidnight = kith().clock.now().getTime() % DAY_MS;
    kith().clock.advance(DAY_MS - sinceMidnight + DAY_MS / 24);
    await walk(`${actor(ann)}/outbox`, ann);
    const first = await lastSeen();
    assert.ok(first);
    kith().clock.advance(DAY_MS / 2);
    await walk(`${actor(ann)}/outbox`, ann);
    assert.equal(await lastSeen(), first);
    kith().clock.advance(DAY_MS);
    await submitAndApply(kith(), ann, note());
    const second = (await lastSeen()) ?? "";
    assert.ok(Date.parse(second) - Date.parse(first) > DAY_MS, second);
  });

  test("a bare Note becomes a public post, and its Create can be read", async () => {
    const ann = await kith().person();
    const id = await submitAndApply(
      kith(),
      ann,
      note({ id: "https://evil.example/1" }),
    );
    const post = await newest(ann);
    assert.equal(post.Text, "Hello **there**");
    assert.equal(post.Public, true);
    assert.equal(id, activityOf(kith(), post.Guid));
    const create = await read(id);
    assert.equal(create["type"], "Create");
    assert.equal(create["id"], id);
    assert.equal(create["actor"], actor(ann));
    const object = create["object"] as JsonObject;
    assert.equal(object["id"], objectOf(kith(), post.Guid));
    assert.deepEqual(object["to"], [PUBLIC]);
    const [shown] = await walk(`${actor(ann)}/outbox`);
    const { "@context": _, ...bare } = create;
    assert.deepEqual(shown, bare);
  });

  test("the public collection has three names, and may be in the activity or in its object", async () => {
    const ann = await kith().person();
    const object = { type: "Note", content: "x" };
    for (const activity of [
      { type: "Create", object, to: "as:Public" },
      { type: "Create", object: { ...object, cc: ["Public"] } },
      { type: "Create", actor: actor(ann), object, to: [{ id: PUBLIC }] },
      {
        type: "Create",
        actor: { id: `${actor(ann)}/actor` },
        object: { ...object, attributedTo: actor(ann) },
        cc: [PUBLIC, `${actor(ann)}/followers`],
      },
    ]) {
      await submitAndApply(kith(), ann, activity);
      assert.equal((await newest(ann)).Public, true);
    }
  });

  test("Markdown that the author typed is kept as it is", async () => {
    const ann = await kith().person();
    const source = { content: "*a* b\n\n- c", mediaType: "text/markdown" };
    await submitAndApply(kith(), ann, note({ source }));
    assert.equal((await newest(ann)).Text, source.content);
    await submitAndApply(
      kith(),
      ann,
      note({ content: "*d*", mediaType: "text/markdown" }),
    );
    assert.equal((await newest(ann)).Text, "*d*");
  });

  test("a limited Note reaches only its recipients, over the network too", async () => {
    const [ann, bob, cat] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const dan = remote.actor("dan");
    await ann.post("/search", { handle: dan.handle });
    const id = await submitAndApply(
      kith(),
      ann,
      note({ to: [actor(bob)], bto: dan.id }),
    );
    const post = await newest(ann);
    assert.equal(post.Public, false);
    assert.equal(
      (await bob.get<PostRecord>(`/posts/${post.Guid}`)).Guid,
      post.Guid,
    );
    await cat.notFound("GET", `/posts/${post.Guid}`);
    assertError(await ask(id), 404, "Not found", "a stranger");
    assertError(await ask(id, cat), 404, "Not found", "somebody else");
    assert.deepEqual((await read(id, bob))["to"], [actor(bob)]);
    assert.deepEqual(
      ((await read(id, ann))["to"] as string[]).toSorted(),
      [actor(bob), dan.id].toSorted(),
    );
    await kith().settle();
    const [sent] = remote
      .ofType("Create")
      .filter(({ activity }) => activity["id"] === id);
    assert.deepEqual(sent?.activity["to"], [dan.id]);
    assert.equal(sent?.activity["bto"], undefined);
    assert.equal((await read(`${actor(ann)}/outbox`))["totalItems"], 0);
    assert.equal((await walk(`${actor(ann)}/outbox`, ann)).length, 1);
  });

  test("a Note for the followers, and one without recipients", async () => {
    const [ann, bob, cat] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const aspect = await bob.post<AspectRecord>("/aspects", { name: "a" });
    await bob.post(`/people/${ann.record.ID}/aspects/${aspect.ID}`);
    await submitAndApply(kith(), ann, note({ to: `${actor(ann)}/followers` }));
    const { Guid } = await newest(ann);
    await bob.get(`/posts/${Guid}`);
    await cat.notFound("GET", `/posts/${Guid}`);
    await submitAndApply(kith(), ann, { type: "Note", content: "to myself" });
    const own = await newest(ann);
    assert.equal(own.Text, "to myself");
    assert.equal(own.Public, false);
    await bob.notFound("GET", `/posts/${own.Guid}`);
  });

  test("unknown recipients and unsupported requests are refused", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    for (const to of [
      ["https://unknown.example/1"],
      [actorOf(kith(), "nobody")],
      [`${actor(bob)}/followers`],
      [1],
      [{}],
      [actor(bob), ""],
    ])
      await badRequest(ann, note({ to }));
    await notImplemented(ann, note({ sensitive: true }));
    await notImplemented(ann, note({ summary: "mind" }));
    await notImplemented(
      ann,
      note({
        attachment: [
          {
            type: "Image",
            mediaType: "image/png",
            url: "https://a.example/1.png",
          },
        ],
      }),
    );
    for (const type of ["Article", "Question", "Image", "Page"])
      await notImplemented(ann, note({ type }));
    await refuse(
      ann,
      note({ content: "<p> </p>" }),
      400,
      "The string is empty",
    );
    await badRequest(ann, note({ content: "x".repeat(65_536) }));
    await badRequest(ann, note({ attributedTo: actor(bob) }));
  });

  test("invalid activities, and those of another actor", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const object = note();
    await badRequest(ann, {});
    await badRequest(ann, { type: "Create" });
    await badRequest(ann, { type: "Create", object: "https://a.example/1" });
    await badRequest(ann, { type: "Create", object: {} });
    await badRequest(ann, { type: "Create", actor: actor(bob), object });
    await badRequest(ann, { type: "Like", object: {} });
    for (const type of [
      "Block",
      "Add",
      "Remove",
      "Accept",
      "Reject",
      "Dislike",
      "Move",
      "Flag",
      "Join",
      "Arrive",
      "constructor",
      "Nonsense",
    ])
      await notImplemented(ann, { type, object: actor(bob) });
    await notImplemented(ann, {
      type: "Create",
      object: { type: "constructor" },
    });
    const url = `${actor(ann)}/outbox`;
    for (const type of [
      "application/json",
      "text/plain",
      "application/x-www-form-urlencoded",
    ])
      assertError(
        await ask(url, ann, {
          method: "POST",
          headers: { "content-type": type },
          body: JSON.stringify(object),
        }),
        415,
        "Unsupported media type",
        type,
      );
    for (const body of ["", "{", "[]", "null", '"x"', "[".repeat(5000)])
      assertError(
        await ask(url, ann, {
          method: "POST",
          headers: { "content-type": CONTENT_TYPE },
          body,
        }),
        400,
        "Bad request",
        body.slice(0, 9),
      );
    assertError(
      await ask(url, ann, {
        method: "POST",
        headers: { "content-type": CONTENT_TYPE },
        body: "x".repeat(1024 * 1024 + 1),
      }),
      413,
      "Request body too large",
      "a big one",
    );
  });

  test("an answer is a comment, on a post or on a comment", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const post = await bob.post<PostRecord>("/posts", { post: "root" });
    const id = await submitAndApply(
      kith(),
      ann,
      note({ inReplyTo: objectOf(kith(), post.Guid) }),
    );
    const [comment] = await bob.get<CommentRecord[]>(
      `/posts/${post.ID}/comments`,
    );
    assert.equal(comment?.Text, "Hello **there**");
    assert.equal(id, activityOf(kith(), comment.Guid));
    const create = await read(id);
    assert.equal(
      (create["object"] as JsonObject)["inReplyTo"],
      objectOf(kith(), post.Guid),
    );
    await submitAndApply(kith(), ann, {
      type: "Note",
      content: "more",
      inReplyTo: objectOf(kith(), comment.Guid),
    });
    const [, answer] = await bob.get<CommentRecord[]>(
      `/posts/${post.ID}/comments`,
    );
    assert.equal(answer?.ParentGuid, comment.Guid);
    const kinds = await walk(`${actor(ann)}/outbox`);
    assert.equal(kinds.length, 2, "comments are published, too");
  });

  test("an answer is never shown to more people than it was meant for", async () => {
    const [ann, bob, cat] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const post = await bob.post<PostRecord>("/posts", { post: "root" });
    const inReplyTo = objectOf(kith(), post.Guid);
    await badRequest(ann, note({ to: [actor(bob)], inReplyTo }));
    await submitAndApply(kith(), bob, note({ to: [actor(ann)] }));
    const limited = await newest(bob);
    const answer = note({ inReplyTo: objectOf(kith(), limited.Guid) });
    const id = await submitAndApply(kith(), ann, answer);
    assertError(
      await ask(id),
      404,
      "Not found",
      "the post's readers alone read it",
    );
    assert.equal((await read(id, bob))["type"], "Create");
    await notFound(cat, answer);
    await notFound(ann, note({ inReplyTo: objectOf(kith(), "0".repeat(32)) }));
    await notFound(ann, note({ inReplyTo: "https://unknown.example/1" }));
  });
});
