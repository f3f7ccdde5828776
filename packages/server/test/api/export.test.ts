import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { test } from "node:test";
import { unpack } from "../support/scenes/archive.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../support/server/kith-server.ts";
import type { AspectRecord, PostRecord } from "../support/server/wire.ts";

type Json = Record<string, unknown>;

/** The files of an archive, which are all text. */
async function readTexts(archive: Uint8Array): Promise<Map<string, string>> {
  const files = await unpack(archive);
  return new Map([...files].map(([name, bytes]) => [name, bytes.toString()]));
}

forEachDatabase((kind) => {
  const kith = useKith(kind);

  const begin = (who: TestPerson) =>
    fetch(`${kith().baseUrl}/api/v0/export`, {
      headers: { access_token: who.token },
    });

  const take = async (who: TestPerson) => {
    const response = await begin(who);
    assert.equal(response.status, 200);
    return readTexts(await response.bytes());
  };

  const listIn = (files: Map<string, string>, name: string) =>
    JSON.parse(files.get(name) ?? assert.fail(name)) as Json[];

  const manyPosts = async (
    who: TestPerson,
    count: number,
    write = () => "x".repeat(1000),
  ) => {
    const { posts } = kith().server.features;
    const personId = who.record.ID;
    const author = { userId: who.record.UserID, personId };
    for (let i = 0; i < count; i += 1)
      await posts.publish({
        author,
        text: `${i} ${write()}`,
      });
  };

  test("a new account exports an account, a profile, and empty lists", async () => {
    const ann = await kith().person();
    const response = await begin(ann);
    assert.equal(response.headers.get("content-type"), "application/gzip");
    assert.match(
      response.headers.get("content-disposition") ?? "",
      new RegExp(
        `^attachment; filename="kith-${ann.username}-\\d{4}-\\d\\d-\\d\\d\\.tar\\.gz"$`,
      ),
    );
    const files = await readTexts(await response.bytes());
    const lists = ["aspects", "contacts", "posts", "comments", "likes"];
    lists.push("votes", "calendars", "events", "participations");
    lists.push("notifications", "streams", "followed-tags", "photos");
    lists.push(
      "conversations",
      "messages",
      "blocks",
      "ignores",
      "hidden-posts",
      "bookmarks",
      "drafts",
      "featured-tags",
      "filters",
      "apps",
      "host-blocks",
      "follow-requests",
      "reactions",
      "announcement-reactions",
      "dismissed-announcements",
      "event-reminders",
      "mail",
      "shared-calendars",
      "subscribed-calendars",
      "markers",
      "notification-choices",
      "person-notes",
    );
    lists.push("invitations", "reports", "muted-posts", "strikes");
    lists.push("held-texts");
    const names = ["account", "profile", ...lists].map((it) => `${it}.json`);
    assert.deepEqual([...files.keys()].toSorted(), names.toSorted());
    for (const name of lists)
      assert.deepEqual(listIn(files, `${name}.json`), [], name);
    const account = JSON.parse(files.get("account.json") ?? "") as Json;
    assert.equal(account["handle"], ann.handle);
  });

  test("all own data is exported, with the Guids of related objects", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const aspect = await ann.post<AspectRecord>("/aspects", { name: "Äsp" });
    await ann.post(`/people/${bob.record.ID}/aspects/${aspect.ID}`);
    const closed = { post: "closed 🦊", aspectID: aspect.ID };
    const post = await ann.post<PostRecord>("/posts", closed);
    const theirs = await bob.post<PostRecord>("/posts", { post: "bob's own" });
    const path = `/posts/${theirs.Guid}`;
    await ann.post(`${path}/comments`, { comment: "my comment" });
    await bob.post(`${path}/comments`, { comment: "bob's comment" });
    await ann.post(`${path}/likes/false`);
    await ann.post(`${path}/reshare`);
    const other = await bob.post<PostRecord>("/posts", { post: "boring" });
    await ann.delete(`/posts/${other.Guid}`);
    await bob.post(`/posts/${post.Guid}/likes`);
    const bore = await kith().person();
    await ann.post(`/people/${bore.record.ID}/block`);
    await ann.post(`/people/${bob.record.ID}/ignore`);
    await ann.delete(`/people/${bob.record.ID}/ignore`);
    await ann.put("/profile", { FirstName: "Ann", Bio: "about me" });
    await kith().settle();
    const files = await take(ann);
    const profile = JSON.parse(files.get("profile.json") ?? "") as Json;
    assert.equal(profile["bio"], "about me");
    const [own] = listIn(files, "aspects.json");
    assert.equal(own?.["name"], "Äsp");
    assert.deepEqual(own["members"], [bob.handle]);
    assert.equal(own["repliesPolicy"], "none");
    const [contact] = listIn(files, "contacts.json");
    assert.equal(contact?.["handle"], bob.handle);
    assert.equal(contact["following"], true);
    assert.equal(contact["sharing"], false);
    const [limited, reshare, ...more] = listIn(files, "posts.json");
    assert.deepEqual(more, []);
    assert.equal(limited?.["text"], "closed 🦊");
    assert.equal(limited["public"], false);
    assert.deepEqual(limited["recipients"], [bob.handle]);
    assert.equal(limited["limitedTo"], "aspects");
    assert.equal(reshare?.["rootGuid"], theirs.Guid);
    assert.equal(reshare["rootAuthor"], bob.handle);
    const [comment, none] = listIn(files, "comments.json");
    assert.equal(none, undefined);
    assert.equal(comment?.["text"], "my comment");
    assert.equal(comment["postGuid"], theirs.Guid);
    assert.equal(comment["postAuthor"], bob.handle);
    const [like] = listIn(files, "likes.json");
    assert.equal(like?.["positive"], false);
    assert.equal(like["postGuid"], theirs.Guid);
    const notifications = listIn(files, "notifications.json");
    assert.ok(notifications.some((it) => it["by"] === bob.handle));
    assert.equal(listIn(files, "blocks.json")[0]?.["handle"], bore.handle);
    assert.deepEqual(listIn(files, "ignores.json"), []);
    const [hidden] = listIn(files, "hidden-posts.json");
    assert.equal(hidden?.["postGuid"], other.Guid);
  });

  test("nothing that others wrote is in it, and no secret", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const aspect = await bob.post<AspectRecord>("/aspects", { name: "secret" });
    await bob.post(`/people/${ann.record.ID}/aspects/${aspect.ID}`);
    const limited = { post: "for your eyes", aspectID: aspect.ID };
    const post = await bob.post<PostRecord>("/posts", limited);
    await ann.post(`/posts/${post.Guid}/comments`, { comment: "mine" });
    await bob.post(`/posts/${post.Guid}/comments`, { comment: "not yours" });
    const whole = [...(await take(ann)).values()].join("\n");
    assert.doesNotMatch(whole, /for your eyes|not yours|secret/);
    assert.doesNotMatch(whole, /argon2|PRIVATE KEY/);
    assert.ok(!whole.includes(ann.token) && !whole.includes(PASSWORD));
    assert.match(whole, /"mine"/);
  });

  test("many posts come in several files, each once and in their order", async () => {
    const ann = await kith().person();
    await manyPosts(ann, 1001);
    const files = await take(ann);
    const parts = ["posts.json", "posts-2.json", "posts-3.json"];
    const lists = parts.map((name) => listIn(files, name));
    assert.deepEqual(
      lists.map(({ length }) => length),
      [500, 500, 1],
    );
    const numbers = lists
      .flat()
      .map(({ text }) => Number.parseInt(String(text), 10));
    assert.deepEqual(
      numbers,
      Array.from({ length: 1001 }, (_, i) => i),
    );
    assert.equal(files.has("posts-4.json"), false);
  });

  test("one at a time: another one is a conflict until the first has ended or was given up", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const { exports } = kith().server.features;
    const user = await kith().server.features.accounts.authenticate(ann.token);
    assert.ok(user);
    const running = exports.begin(user);
    const sent = {};
    await ann.refused("GET", "/export", sent, 409, "Conflict");
    assert.ok((await take(bob)).size > 0, "others are not concerned");
    running.end();
    await take(ann);
    await take(ann);
    // More than the buffers between here and there hold, and not to be compressed.
    await manyPosts(ann, 300, () => randomBytes(45_000).toString("base64"));
    const call = request(`${kith().baseUrl}/api/v0/export`, {
      headers: { access_token: ann.token },
    }).end();
    call.on("error", () => {});
    await once(call, "response");
    await ann.refused("GET", "/export", sent, 409, "Conflict");
    call.destroy();
    for (let attempt = 0; ; attempt += 1) {
      const response = await begin(ann);
      await response.body?.cancel();
      if (response.status === 200) break;
      assert.equal(response.status, 409);
      assert.ok(attempt < 1000, "what is given up ends");
    }
  });

  test("it needs a token, and a call that makes sense", async () => {
    const ann = await kith().person();
    await kith().anonymous.unauthorized("GET", "/export");
    await ann.badRequest("GET", "/export", { query: { offset: -1 } });
    assert.ok((await take(ann)).size > 0, "a refused one is not under way");
  });
});
