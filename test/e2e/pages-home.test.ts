import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import {
  hiddenFields,
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";

type User = Awaited<ReturnType<typeof newUser>>;

let kith: PagesServer;
let names = 0;

const newName = () => `homely${(names += 1)}`;
const userOf = async ({ username }: User) => {
  const handle = `${username}@${kith.host}`;
  const person = (await kith.people.find({ handle })) ?? assert.fail();
  const userId = person.userId ?? assert.fail();
  return { personId: person.id, userId, guid: person.guid };
};

forEachDatabase((database) => {
  before(async () => {
    kith = await startPagesServer({ database });
  });
  after(() => kith.close());

  const meet = () => newUser(kith.baseUrl, newName());
  const publish = async (by: User, text: string) =>
    kith.posts.publish({
      ...{ author: await userOf(by), text, audience: { kind: "everyone" } },
    });
  /** @returns the id of the aspect */
  const follow = async (by: User, of: User, name: string) => {
    const [user, other] = [await userOf(by), await userOf(of)];
    const { id } = await kith.aspects.create(user.userId, name);
    await kith.aspects.addPerson(user, id, other.personId);
    return id;
  };

  test("the home has the posts of contacts and one's own, and no others", async () => {
    const [ann, ben, cid] = [await meet(), await meet(), await meet()];
    assert.match((await ann.get("/home")).text, /Find people/);
    const id = await follow(ann, ben, "Friends");
    await publish(ben, "A word from a friend");
    await publish(cid, "A word from a stranger");
    await publish(ann, "My own word");
    const { text } = await ann.get("/home");
    assert.match(text, /A word from a friend/);
    assert.match(text, /My own word/);
    assert.doesNotMatch(text, /stranger/);
    const aspect = await ann.get(`/home?aspect=${id}`);
    assert.match(aspect.text, /A word from a friend/);
    assert.doesNotMatch(aspect.text, /My own word|stranger/);
    // In an aspect one writes to the aspect.
    assert.match(
      aspect.text,
      RegExp(`name="aspect"\\s+value="${id}"\\s+checked`),
    );
    assert.match((await ann.get("/home?show=all")).text, /stranger/);
    assert.equal((await cid.get(`/home?aspect=${id}`)).status, 404);
  });

  test("each tab remembers the audience that was chosen there, and is come back to", async () => {
    const [dan, ben] = [await meet(), await meet()];
    const id = await follow(dan, ben, "Friends");
    const chosen = async (path: string, by = dan) =>
      [
        ...(await by.get(path)).text.matchAll(/value="(\w+)"[^>]*\schecked/g),
      ].map(([, value]) => value);
    const write = async (path: string, fields: Record<string, string>) => {
      const { csrf_token } = dan;
      const hidden = hiddenFields(await dan.get(path), "/home");
      const form = { ...hidden, csrf_token, text: "Something", ...fields };
      const sent = await dan.post("/home", form);
      assert.equal(sent.headers.get("location"), path);
    };
    const own = `/home?aspect=${id}`;
    assert.deepEqual(await chosen("/home"), ["everyone"]);
    assert.deepEqual(await chosen(own), ["aspects", String(id)]);
    await write("/home?show=here", { audience: "unlisted" });
    await write(`${own}&reshares=false`, { audience: "self" });
    assert.deepEqual(await chosen("/home"), ["everyone"]);
    assert.deepEqual(await chosen("/home?show=here"), ["unlisted"]);
    assert.deepEqual(await chosen(own), ["self"]);
    await write("/home", { audience: "aspects", aspect: String(id) });
    assert.deepEqual(await chosen("/home"), ["aspects", String(id)]);
    const hidden = hiddenFields(await dan.get(own), "/home");
    const refused = await dan.post("/home", { ...hidden, audience: "self" });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /name="tab"\s+value="aspect=/);
    await kith.aspects.remove(await userOf(dan), id);
    assert.deepEqual(await chosen("/home"), ["everyone"], "the aspect is gone");
    const again = await dan.post("/users/sign_out", {
      csrf_token: dan.csrf_token,
    });
    assert.equal(again.status, 302);
    for (const tab of ["aspect=99999", "aspect=x", "show=all&".repeat(99)]) {
      const form = { ...hidden, csrf_token: ben.csrf_token, text: "x", tab };
      const sent = await ben.post("/home", { ...form, audience: "self" });
      const to = tab.startsWith("show") ? "/home?show=all" : "/home";
      assert.equal(sent.headers.get("location"), to);
      assert.deepEqual(await chosen(to, ben), ["self"]);
    }
  });

  test("a reshared post is there once, with those who reshared it", async () => {
    const [ann, ben, cid] = [await meet(), await meet(), await meet()];
    await follow(ann, ben, "Friends");
    await follow(ann, cid, "Others");
    const author = await meet();
    const { guid } = await publish(author, "Worth a look");
    for (const who of [ben, cid])
      await kith.posts.reshare(await userOf(who), guid);
    const { text } = await ann.get("/home");
    assert.equal(text.match(/Worth a look/g)?.length, 1);
    const line = /<p class="why">([^]*?)<\/p>/.exec(text)?.[1] ?? "";
    const words = line.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");
    const [first, second] = [ben, cid].map(
      ({ username }) => `${username}@${kith.host}`,
    );
    assert.match(words, RegExp(`${first} and ${second} reshared this`));
    const without = await ann.get("/home?reshares=false");
    assert.doesNotMatch(without.text, /Worth a look/);
    assert.match(without.text, /Show reshares/);
  });

  test("replies of contacts stand beside the posts where they are asked for", async () => {
    const [ann, ben, cid] = [await meet(), await meet(), await meet()];
    const id = await follow(ann, ben, "Friends");
    const strange = await publish(cid, "Something strange");
    const quiet = await publish(cid, "Something quiet");
    await publish(ben, "Something familiar");
    const answer = async (by: User, on: { guid: string }, text: string) =>
      kith.comments.create({ author: await userOf(by), on, text });
    const friendly = await answer(ben, strange, "Written by a friend");
    await answer(cid, quiet, "Written by a stranger");
    const home = await ann.get("/home");
    assert.doesNotMatch(home.text, /Written by/);
    const [, show = ""] =
      /href="([^"]*)"\s*>Show replies</.exec(home.text) ?? [];
    assert.equal(show, "/home?replies=all");
    const { text } = await ann.get(show);
    assert.match(text, /Written by a friend[^]*Something familiar/);
    assert.match(
      text,
      RegExp(`href="/comments/${friendly.guid}"[^<]*>In reply to`),
    );
    assert.doesNotMatch(text, /Written by a stranger|Something strange/);
    assert.match(text, /href="\/home"\s*>Hide replies</);
    assert.match(text, /href="\/home\?reshares=false&amp;replies=all"/);
    assert.match(text, /data-part="\/parts\/news\?replies=all&amp;after=\d+"/);
    const aspect = await ann.get(`/home?aspect=${id}&replies=list`);
    assert.doesNotMatch(aspect.text, /Written by a friend/);
    const whole = await ann.get(`/home?aspect=${id}&replies=all`);
    assert.match(whole.text, /Written by a friend/);
    assert.equal((await ann.get("/home?replies=maybe")).status, 400);
    assert.doesNotMatch(
      (await ann.get("/home?replies=none")).text,
      /Written by/,
    );

    // Pages go on by keys, and count what is new.
    for (let n = 1; n <= 24; n += 1) await answer(ben, strange, `Word ${n}.`);
    const numbers = (page: string) =>
      [...page.matchAll(/Word (\d+)\./g)].map(([, n]) => Number(n));
    const first = await ann.get(show);
    const next = /href="([^"]+)"\s+rel="next"/.exec(first.text)?.[1] ?? "";
    assert.match(next, /^\/home\?replies=all&amp;before=\d+$/);
    await answer(ben, strange, "Word 25.");
    const [, news = ""] = /data-part="([^"]*news[^"]*)"/.exec(first.text) ?? [];
    const counted = await ann.get(news.replaceAll("&amp;", "&"));
    assert.match(counted.text, /1 new post or reply/);
    const second = await ann.get(next.replaceAll("&amp;", "&"));
    assert.deepEqual(
      [...numbers(first.text), ...numbers(second.text)],
      Array.from({ length: 24 }, (_, at) => 24 - at),
    );
  });

  test("pages go on by key: nothing is shown twice, nothing is skipped", async () => {
    const [ann, ben] = [await meet(), await meet()];
    await follow(ann, ben, "Friends");
    for (let n = 1; n <= 25; n += 1) await publish(ben, `Number ${n}.`);
    const numbers = (text: string) =>
      [...text.matchAll(/Number (\d+)\./g)].map(([, n]) => Number(n));
    const first = await ann.get("/home");
    for (let n = 26; n <= 28; n += 1) await publish(ben, `Number ${n}.`);
    const next = /href="([^"]+)"\s+rel="next"/.exec(first.text)?.[1] ?? "";
    assert.match(next, /^\/home\?before=\d+$/);
    const second = await ann.get(next);
    const all = [...numbers(first.text), ...numbers(second.text)];
    assert.deepEqual(
      all,
      Array.from({ length: 25 }, (_, at) => 25 - at),
    );
    const previous = /href="([^"]+)"\s+rel="prev"/.exec(second.text)?.[1];
    const back = await ann.get(previous ?? "");
    assert.deepEqual(numbers(back.text), numbers(first.text));
  });

  test("a tag is followed and unfollowed on its page", async () => {
    const [ann, ben] = [await meet(), await meet()];
    const tag = newName();
    assert.match((await ann.get("/home?show=tags")).text, /follow no tags/);
    const page = await ann.get(`/tags/${tag}`);
    assert.match(page.text, /Write the first one/);
    await publish(ben, `About #${tag}`);
    for (const time of ["once", "twice"]) {
      const fields = hiddenFields(page, `/tags/${tag}/follow`);
      const done = await ann.post(`/tags/${tag}/follow`, {
        ...{ csrf_token: ann.csrf_token, ...fields },
      });
      assert.equal(done.status, 302, time);
    }
    const followed = await ann.get("/home?show=tags");
    assert.match(followed.text, RegExp(`href="/tags/${tag}"`));
    assert.match(followed.text, /About/);
    assert.match((await ann.get("/home")).text, /About/);
    for (const time of ["once", "twice"]) {
      const done = await ann.post(`/tags/${tag}/unfollow`, {
        csrf_token: ann.csrf_token,
      });
      assert.equal(done.status, 302, time);
    }
    assert.match((await ann.get("/home?show=tags")).text, /follow no tags/);
    assert.equal((await ann.post(`/tags/${tag}/follow`, {})).status, 403);
    const nobody = visitor(kith.baseUrl);
    assert.equal((await nobody.post(`/tags/${tag}/follow`, {})).status, 401);
    assert.doesNotMatch((await nobody.get(`/tags/${tag}`)).text, /Follow #/);
  });

  test("the old address leads to the home, and its form still publishes", async () => {
    const ann = await meet();
    const old = await ann.get("/stream");
    assert.equal(old.headers.get("location"), "/home");
    const sent = await ann.post("/stream", {
      ...{ csrf_token: ann.csrf_token, text: "From an old tab" },
      audience: "everyone",
    });
    assert.equal(sent.headers.get("location"), "/home");
    assert.match((await ann.get("/home")).text, /From an old tab/);
  });
});
