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
} from "../../packages/server/test/support/pages/visit.ts";

type User = Awaited<ReturnType<typeof newUser>>;

let kith: PagesServer;
let names = 0;

const newWriter = () => newUser(kith.baseUrl, `writer${(names += 1)}`);
const count = (text: string, words: string) => text.split(words).length - 1;

async function publicPost(user: User): Promise<string> {
  const handle = `${user.username}@${kith.host}`;
  const { id, userId } = (await kith.people.find({ handle })) ?? assert.fail();
  const author = { personId: id, userId: userId ?? assert.fail() };
  const { guid } = await kith.posts.publish({
    ...{ author, text: "Plums", audience: { kind: "everyone" } },
  });
  return `/posts/${guid}`;
}

forEachDatabase((database) => {
  before(async () => {
    kith = await startPagesServer({ database });
  });
  after(() => kith.close());

  for (const [path, words] of [
    ["/home", "A short text"],
    ["/write", "A long text"],
  ] as const)
    test(`the post of ${path} is published once, also at once`, async () => {
      const user = await newWriter();
      const form = {
        ...hiddenFields(await user.get(path), path),
        ...{ text: words, audience: "everyone", act: "publish" },
      };
      const sent = await Promise.all([
        user.post(path, form),
        user.post(path, form),
      ]);
      sent.push(await user.post(path, form));
      for (const { status, headers } of sent) {
        assert.equal(status, 302);
        assert.equal(headers.get("location"), "/home");
      }
      const home = async () => (await user.get("/home")).text;
      assert.equal(count(await home(), `<p>${words}</p>`), 1);
      // Another text, and the same from another form, are new posts.
      await user.post(path, { ...form, text: `${words} again` });
      assert.equal(count(await home(), `<p>${words} again</p>`), 1);
      const fresh = hiddenFields(await user.get(path), path);
      assert.notEqual(fresh["once"], form["once" as keyof typeof form]);
      await user.post(path, { ...form, ...fresh });
      assert.equal(count(await home(), `<p>${words}</p>`), 2);
    });

  test("a comment is written once, and its repetition leads to it", async () => {
    const user = await newWriter();
    const path = await publicPost(user);
    const to = `${path}/comments`;
    const form = { ...hiddenFields(await user.get(path), to), text: "Ripe?" };
    const first = await user.post(to, form);
    const again = await user.post(to, form);
    assert.equal(again.headers.get("location"), first.headers.get("location"));
    const shown = async () =>
      count((await user.get(path)).text, "<p>Ripe?</p>");
    assert.equal(await shown(), 1);
    const other = await newWriter();
    const { csrf_token } = other;
    await other.post(to, { ...form, csrf_token });
    assert.equal(await shown(), 2, "the key is of one account");
    const [, guid = ""] =
      /#(.+)$/.exec(first.headers.get("location") ?? "") ?? [];
    await user.post(`/comments/${guid}/delete`, {
      csrf_token: user.csrf_token,
    });
    const late = await user.post(to, form);
    assert.equal(late.headers.get("location"), path);
    assert.equal(await shown(), 1, "what was deleted does not come back");
  });

  test("a refused form may be sent again, and is written then", async () => {
    const user = await newWriter();
    const form = hiddenFields(await user.get("/home"), "/home");
    const wrong = { ...form, text: "Pears", audience: "aspects" };
    for (const time of ["once", "twice"])
      assert.equal((await user.post("/home", wrong)).status, 422, time);
    const right = { ...wrong, audience: "self" };
    assert.equal((await user.post("/home", right)).status, 302);
    assert.equal(count((await user.get("/home")).text, "<p>Pears</p>"), 1);
  });

  test("an event is planned and announced once, also at once", async () => {
    const user = await newWriter();
    const form = {
      ...hiddenFields(await user.get("/events/new"), "/events/new"),
      ...{ summary: "Picnic", start_day: "2127-06-12", start_time: "19:30" },
      ...{ time_zone: "Europe/Berlin", audience: "everyone" },
    };
    const wrong = { ...form, summary: " " };
    for (const time of ["once", "twice"])
      assert.equal((await user.post("/events/new", wrong)).status, 422, time);
    const sent = await Promise.all([
      user.post("/events/new", form),
      user.post("/events/new", form),
    ]);
    sent.push(await user.post("/events/new", form));
    const paths = sent.map(({ headers }) => headers.get("location"));
    assert.match(paths[0] ?? "", /^\/events\/\w/);
    assert.equal(new Set(paths).size, 1);
    const { text } = await user.get(`/u/${user.username}`);
    assert.equal(count(text, 'class="post'), 1);
  });

  test("messages are sent once", async () => {
    const user = await newWriter();
    const friend = await newWriter();
    const start = {
      ...hiddenFields(await user.get("/messages/new"), "/messages"),
      ...{ to: `${friend.username}@${kith.host}`, text: "Shall we?" },
    };
    const [first, again] = [
      await user.post("/messages", start),
      await user.post("/messages", start),
    ];
    const path = first.headers.get("location") ?? "";
    assert.match(path, /^\/messages\/\w/);
    assert.equal(again.headers.get("location"), path);
    const reply = {
      ...hiddenFields(await user.get(path), path),
      text: "At nine?",
    };
    for (const time of ["once", "twice"])
      assert.equal((await user.post(path, reply)).status, 302, time);
    const { text } = await friend.get(path);
    assert.equal(count(text, "<p>At nine?</p>"), 1);
    assert.equal(count((await friend.get("/messages")).text, path), 1);
  });
});
