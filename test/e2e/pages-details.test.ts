import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { useKith } from "../../packages/server/test/support/server/kith-server.ts";
import {
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";

type User = Awaited<ReturnType<typeof newUser>>;

let names = 0;

const newName = () => `detail${(names += 1)}`;

forEachDatabase((database) => {
  const kith = useKith(database);
  const meet = () => newUser(kith().baseUrl, newName());
  const send = (by: User, path: string, fields: Record<string, string> = {}) =>
    by.post(path, { csrf_token: by.csrf_token, ...fields });

  /** @returns the path of its page */
  async function publish(by: User, text: string, audience = "everyone") {
    await send(by, "/home", { text, audience });
    const { text: page } = await by.get(`/u/${by.username}`);
    const [, guid] = /id="post-([0-9a-f]{32})"/.exec(page) ?? [];
    return `/posts/${guid ?? assert.fail("no post")}`;
  }

  test("the former versions of a post and of a comment are read, by those who see it", async () => {
    const [ann, ben] = [await meet(), await meet()];
    const post = await publish(ann, "The **first** words");
    assert.match((await ben.get(`${post}/history`)).text, /never edited/);
    assert.doesNotMatch((await ben.get(post)).text, /Earlier versions/);
    await send(ann, `${post}/edit`, { text: "Other words" });
    assert.match((await ben.get(post)).text, /Earlier versions/);
    const { text } = await ben.get(`${post}/history`);
    assert.match(text, /The <strong>first<\/strong> words/);
    assert.doesNotMatch(text, /Other words/);
    await send(ben, `${post}/comments`, { text: "So said" });
    const [, comment = ""] =
      /href="(\/comments\/[^"]+)\/edit"/.exec((await ben.get(post)).text) ?? [];
    await send(ben, `${comment}/edit`, { text: "So taken back" });
    assert.match((await ann.get(`${comment}/history`)).text, /So said/);
    const guest = visitor(kith().baseUrl);
    const asked = await guest.get(`${post}/history`);
    assert.doesNotMatch(asked.text, /first/);
    assert.notEqual(asked.status, 200);
  });

  test("likes and reshares are paged, each by itself, while more come", async () => {
    const ann = await meet();
    const post = await publish(ann, "Liked by many");
    const { features } = kith().server;
    const [, guid = ""] = /([0-9a-f]{32})/.exec(post) ?? [];
    const many = await Promise.all(Array.from({ length: 52 }, () => meet()));
    const like = async ({ username }: User) => {
      const handle = `${username}@${kith().host}`;
      const person = (await features.people.find({ handle })) ?? assert.fail();
      const userId = person.userId ?? assert.fail();
      const by = { personId: person.id, userId };
      await features.likes.like(by, { post: { guid } }, true);
      return features.posts.reshare(by, guid);
    };
    for (const one of many.slice(0, 51)) await like(one);
    const path = `${post}/likes`;
    const linkTo = (page: string, rel: string, list: string) =>
      RegExp(`href="([^"]*list=${list}[^"]*)"\\s+rel="${rel}"`)
        .exec(page)?.[1]
        ?.replace("&amp;", "&") ?? assert.fail(page);
    const namesIn = (page: string) =>
      [...page.matchAll(/href="\/u\/(\w+)">/g)].map(([, name]) => name);
    const first = (await ann.get(path)).text;
    await like(many[51] ?? assert.fail());
    for (const list of ["likes", "reshares"]) {
      const second = (await ann.get(path + linkTo(first, "next", list))).text;
      assert.deepEqual(
        namesIn(second).filter((it) => it !== ann.username),
        [many[0]?.username],
      );
      const back = (await ann.get(path + linkTo(second, "prev", list))).text;
      const shown = namesIn(back).filter((it) => it !== ann.username);
      assert.equal(shown.length, 50, list);
      assert.ok(!shown.includes(many[51]?.username));
    }
  });

  test("a private post has no pages for others", async () => {
    const [ann, ben] = [await meet(), await meet()];
    const post = await publish(ann, "For me alone", "self");
    for (const name of ["history", "likes", "deliveries"]) {
      assert.equal((await ann.get(`${post}/${name}`)).status, 200, name);
      const [hidden, missing] = [
        await ben.get(`${post}/${name}`),
        await ben.get(`/posts/${"0".repeat(32)}/${name}`),
      ];
      assert.equal(hidden.status, 404, name);
      assert.equal(hidden.text, missing.text, name);
    }
    assert.equal((await send(ben, `${post}/mute`)).status, 404);
    assert.equal((await ben.get("/posts/none/likes")).status, 404);
  });

  test("the people who liked and reshared are named", async () => {
    const [ann, ben, cleo] = [await meet(), await meet(), await meet()];
    const post = await publish(ann, "Liked");
    assert.match((await ben.get(`${post}/likes`)).text, /Nobody has liked/);
    await send(ben, `${post}/like`, { to: "/home" });
    await send(cleo, `${post}/reshare`, { to: "/home" });
    const { text } = await ann.get(`${post}/likes`);
    const [, likes = "", reshares = ""] = text.split(/<h2 id="[a-z]+">/);
    assert.match(likes, RegExp(`/u/${ben.username}"`));
    assert.match(reshares, RegExp(`/u/${cleo.username}"`));
    assert.doesNotMatch(likes, RegExp(`/u/${cleo.username}"`));
    await send(ben, `${post}/comments`, { text: "A comment" });
    const [, comment = ""] =
      /href="(\/comments\/[^"]+)\/edit"/.exec((await ben.get(post)).text) ?? [];
    await send(ann, `${comment}/like`, { to: post });
    const liked = await ben.get(`${comment}/likes`);
    assert.match(liked.text, RegExp(`/u/${ann.username}"`));
  });

  test("deliveries are for the author alone", async () => {
    const [ann, ben] = [await meet(), await meet()];
    const post = await publish(ann, "Delivered to nobody");
    const own = await ann.get(`${post}/deliveries`);
    assert.match(own.text, /No other server gets this post/);
    assert.equal((await ben.get(`${post}/deliveries`)).status, 404);
    assert.match((await ann.get(post)).text, /\/deliveries"/);
    assert.doesNotMatch((await ben.get(post)).text, /\/deliveries"/);
  });

  test("a muted conversation notifies no more, until it is unmuted", async () => {
    const [ann, ben] = [await meet(), await meet()];
    const post = await publish(ann, "Noisy");
    const muted = await send(ann, `${post}/mute`, { to: post });
    assert.equal(muted.headers.get("location"), post);
    assert.match((await ann.get(post)).text, /no notifications from this/);
    await send(ben, `${post}/comments`, { text: "Unheard" });
    await kith().settle();
    assert.doesNotMatch((await ann.get("/notifications")).text, /commented/);
    // A form that is sent twice is not a fault.
    for (let at = 0; at < 2; at += 1)
      assert.equal((await send(ann, `${post}/unmute`)).status, 302);
    await send(ben, `${post}/comments`, { text: "Heard" });
    await kith().settle();
    assert.match((await ann.get("/notifications")).text, /commented/);
    assert.equal((await ann.post(`${post}/mute`, {})).status, 403);
  });

  test("the former versions of an event are read", async () => {
    const [ann, ben] = [await meet(), await meet()];
    const fields = {
      ...{ start_day: "2127-09-01", all_day: "true", audience: "everyone" },
      ...{ time_zone: "Europe/Berlin", announce: "true" },
    };
    const made = await send(ann, "/events/new", {
      ...{ ...fields, summary: "Old name" },
    });
    const event = made.headers.get("location") ?? "";
    await send(ann, `${event}/edit`, { ...fields, summary: "New name" });
    const history = await ann.get(`${event}/history`);
    assert.equal(history.status, 200);
    assert.match(history.text, /Old name/);
    assert.match((await ann.get(event)).text, /\/history"/);
    const isSeen = (await ben.get(event)).status === 200;
    const other = await ben.get(`${event}/history`);
    assert.equal(other.status, isSeen ? 200 : 404);
  });

  test("a stream is made, read and deleted, by its owner alone", async () => {
    const [ann, ben] = [await meet(), await meet()];
    const word = newName();
    await publish(ben, `About #${word}`);
    assert.match((await ann.get("/streams")).text, /no streams yet/);
    const made = await send(ann, "/streams", {
      ...{ name: "Mine", tags: `${word}, other` },
    });
    const path = made.headers.get("location") ?? "";
    assert.match(path, /^\/streams\/\d+$/);
    assert.match((await ann.get(path)).text, /About/);
    assert.equal((await ben.get(path)).status, 404);
    assert.equal((await send(ben, `${path}/delete`)).status, 404);
    assert.match((await ann.get("/streams")).text, RegExp(word));
    assert.equal((await ann.get("/streams/none")).status, 404);
    await send(ann, `${path}/delete`);
    assert.equal((await ann.get(path)).status, 404);
  });

  test("a refused stream is shown again as it was typed, also after a sign-in", async () => {
    const ann = await meet();
    for (const [fields, fault] of [
      [{ name: " ", tags: "kept" }, /needs a name/],
      [{ name: "x", tags: "kept", expression: "(" }, /not saved/],
      [{ name: "x".repeat(256), tags: "kept" }, /not saved/],
      [{ name: "kept" }, /without any it would stay empty/],
      [{ name: "x", tags: "kept, #" }, /not a tag: #/],
      [
        { name: "kept", people: `nobody@else.example, ${ann.username}` },
        new RegExp(`known here as nobody@else.example, ${ann.username}`),
      ],
    ] as const) {
      const refused = await send(ann, "/streams", fields);
      assert.equal(refused.status, 422);
      assert.match(refused.text, fault);
      assert.match(refused.text, /value="kept\b/);
    }
    const old = await ann.post("/streams", {
      ...{ csrf_token: "old", name: "x", tags: "kept" },
    });
    assert.equal(old.status, 403);
    assert.match(old.text, /value="kept"/);
    const guest = visitor(kith().baseUrl);
    const asked = await guest.post("/streams", { name: "Typed" });
    const draft = /name="draft"\s+value="([^"]+)"/.exec(asked.text)?.[1] ?? "";
    const { username, password } = ann;
    const back = await guest.post("/users/sign_in", {
      ...{ username, password, to: "/streams" },
      draft: draft.replaceAll("&quot;", '"'),
    });
    assert.match(back.text, /value="Typed"/);
    assert.match((await ann.get("/streams")).text, /no streams yet/);
  });
});
