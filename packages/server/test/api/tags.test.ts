import assert from "node:assert/strict";
import { test } from "node:test";
import { aspectOf, keepAway } from "../support/scenes/audience.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { remotePerson, remotePost } from "../support/remote/remote-people.ts";
import {
  TIMESTAMP,
  type FollowedTagRecord,
  type NotificationRecord,
  type PostRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const publish = (by: TestPerson, post: string, aspectID = 0) =>
    by.post<PostRecord>("/posts", { post, aspectID });
  const guids = async (by: TestPerson, path: string, query = {}) =>
    (await by.get<PostRecord[]>(path, query)).map(({ Guid }) => Guid);
  const tagged = (by: TestPerson, tag: string, query = {}) =>
    guids(by, `/tags/${encodeURIComponent(tag)}/posts`, query);
  const page = async (path: string) => {
    const response = await fetch(kith().baseUrl + path, {
      headers: { accept: "text/html" },
    });
    return { status: response.status, text: await response.text() };
  };

  test("a tag's posts are listed, newest first, in any spelling", async () => {
    const ann = await kith().person();
    const first = await publish(ann, "on #Ｋaffee_1 in the morning");
    const second = await publish(ann, "#kaffee_1 again, and #<3");
    await publish(ann, "`#kaffee_1` and [see #kaffee_1](https://a.example/)");
    await publish(ann, "#kaffee_12 kaffee_1 a#kaffee_1");
    const expected = [second.Guid, first.Guid];
    for (const tag of ["kaffee_1", "KAFFEE_1", "#Kaffee_1", "ｋaffee_1"])
      assert.deepEqual(await tagged(ann, tag), expected);
    assert.deepEqual(await tagged(ann, "<3"), [second.Guid]);
    assert.deepEqual(await tagged(ann, "kaffee_1", { offset: 1 }), [
      first.Guid,
    ]);
    assert.deepEqual(await tagged(ann, "kaffee_1", { limit: 1 }), [
      second.Guid,
    ]);
    assert.deepEqual(await tagged(ann, "nobody_wrote_this"), []);
  });

  test("a tag's posts are those that the user may see and wants to", async () => {
    const [bea, member, stranger] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const closed = await publish(bea, "#owl", await aspectOf(bea, member));
    const open = await publish(bea, "#owl");
    assert.deepEqual(await tagged(member, "owl"), [open.Guid, closed.Guid]);
    assert.deepEqual(await tagged(bea, "owl"), [open.Guid, closed.Guid]);
    assert.deepEqual(await tagged(stranger, "owl"), [open.Guid]);
    await member.delete(`/posts/${open.Guid}`);
    assert.deepEqual(await tagged(member, "owl"), [closed.Guid]);
    assert.deepEqual(await tagged(stranger, "owl"), [open.Guid]);
    await bea.delete(`/posts/${open.Guid}`);
    assert.deepEqual(await tagged(stranger, "owl"), []);
  });

  test("ignored and blocked people, and those who block, are omitted", async () => {
    const [carl, ...others] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const [ignorer, blocker, blocked] = others;
    assert.ok(ignorer && blocker && blocked);
    const { Guid } = await publish(carl, "#emu");
    for (const by of others) assert.deepEqual(await tagged(by, "emu"), [Guid]);
    await keepAway(kith(), "ignores", ignorer, carl);
    await keepAway(kith(), "blocks", blocker, carl);
    await keepAway(kith(), "blocks", carl, blocked);
    for (const by of others) assert.deepEqual(await tagged(by, "emu"), []);
    assert.deepEqual(await tagged(carl, "emu"), [Guid]);
  });

  test("posts from elsewhere have tags, too; unlisted ones are for contacts", async () => {
    const [dora, emil] = [await kith().person(), await kith().person()];
    const friend = await remotePerson(kith(), `friend${kind}@remote.example`);
    await dora.post(`/people/${friend.id}/aspects/${await aspectOf(dora)}`);
    const { posts } = kith().server.features;
    const open = remotePost(friend, { text: "#ibis" });
    const unlisted = remotePost(friend, {
      text: "#ibis",
      listed: false,
      createdAt: "2026-01-01T00:00:00.000Z",
    });
    for (const post of [open, unlisted, open]) await posts.receive(post);
    assert.deepEqual(await tagged(dora, "ibis"), [open.guid, unlisted.guid]);
    assert.deepEqual(await tagged(emil, "ibis"), [open.guid]);
  });

  test("tags are followed and unfollowed, each once", async () => {
    const [fay, gus] = [await kith().person(), await kith().person()];
    assert.deepEqual(await fay.get("/tags"), []);
    const follow = (tag: string) =>
      fay.post<FollowedTagRecord>(`/tags/${encodeURIComponent(tag)}`);
    const made = await Promise.all(
      ["#Yak", "yak", "YAK", "#yak"].map((tag) => follow(tag)),
    );
    assert.equal(new Set(made.map(({ ID }) => ID)).size, 1);
    const [yak] = made;
    assert.ok(yak);
    assert.equal(yak.Name, "yak");
    assert.match(yak.CreatedAt, TIMESTAMP);
    const gnu = await follow("gnu");
    assert.deepEqual(await fay.get("/tags"), [gnu, yak]);
    assert.deepEqual(await gus.get("/tags"), []);
    const both = await publish(gus, "#yak #gnu");
    const one = await publish(gus, "#gnu");
    await publish(gus, "#emu");
    const list = (query = {}) => guids(fay, "/tags/posts", query);
    assert.deepEqual(await list(), [one.Guid, both.Guid]);
    assert.deepEqual(await list({ offset: 1 }), [both.Guid]);
    assert.deepEqual(await guids(gus, "/tags/posts"), []);
    await fay.delete("/tags/%23gnu");
    await fay.notFound("DELETE", "/tags/gnu");
    await gus.notFound("DELETE", "/tags/yak");
    assert.deepEqual(await list(), [both.Guid]);
  });

  test("two hundred tags can be followed, and read at once", async () => {
    const hal = await kith().person();
    for (let n = 0; n < 200; n += 1) await hal.post(`/tags/many${n}`);
    await hal.badRequest("POST", "/tags/many200");
    await hal.post("/tags/many7");
    const { Guid } = await publish(hal, "#many0 #many199");
    assert.deepEqual(await guids(hal, "/tags/posts"), [Guid]);
  });

  test("an impossible tag is not found", async () => {
    const ida = await kith().person();
    const none = [
      "a b",
      "a.b",
      "##a",
      "#",
      "a/b",
      "<4",
      "a\0",
      "x".repeat(256),
    ];
    for (const word of none) {
      const path = `/tags/${encodeURIComponent(word)}`;
      await ida.notFound("POST", path);
      await ida.notFound("DELETE", path);
      await ida.notFound("GET", `${path}/posts`);
    }
    await ida.post(`/tags/${"x".repeat(255)}`);
    await ida.post("/tags/__proto__");
    assert.deepEqual(await tagged(ida, "__proto__"), []);
  });

  test("a tag has a page of public posts", async () => {
    const jan = await kith().person();
    await publish(jan, "seen by all #Öre");
    await publish(jan, "seen by few #öre", await aspectOf(jan));
    const { status, text } = await page(`/tags/${encodeURIComponent("ÖRE")}`);
    assert.equal(status, 200);
    assert.match(text, /seen by all/);
    assert.doesNotMatch(text, /seen by few/);
    // The link in the post leads to the same page.
    assert.ok(
      text.includes(
        `href="${kith().baseUrl}/tags/${encodeURIComponent("öre")}"`,
      ),
    );
    assert.equal((await page("/tags/a%20b")).status, 404);
    assert.match(
      (await page("/tags/nobodys")).text,
      /No posts with this tag yet/,
    );
  });

  test("a mentioned person is notified once, if the post is visible to them", async () => {
    const [kim, lea] = [await kith().person(), await kith().person()];
    const mention = `@{Lea; ${lea.handle}} and @{${lea.handle.toUpperCase()}}`;
    const open = await publish(kim, mention);
    await publish(kim, mention, await aspectOf(kim));
    await publish(kim, `\`@{${lea.handle}}\``);
    const comment = await kim.post<{ Guid: string }>(
      `/posts/${open.Guid}/comments`,
      { comment: `for @{${lea.handle}}` },
    );
    await kith().settle();
    const notifications = await lea.get<NotificationRecord[]>("/notifications");
    assert.deepEqual(
      notifications.map(({ ShareableGuid }) => ShareableGuid).toSorted(),
      [open.Guid, comment.Guid].toSorted(),
    );
  });
});
