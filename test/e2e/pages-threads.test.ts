import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Audience } from "../../packages/server/src/features/audiences/index.ts";
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

const ABSENT = "0123456789abcdef0123456789abcdef";

let kith: PagesServer;
let names = 0;

const userOf = async ({ username }: User) => {
  const handle = `${username}@${kith.host}`;
  const { id, userId } = (await kith.people.find({ handle })) ?? assert.fail();
  return { personId: id, userId: userId ?? assert.fail() };
};
const newReader = () => newUser(kith.baseUrl, `reader${(names += 1)}`);

/** A public post with a chain of comments, each of which answers the one before. */
async function converse(length: number) {
  const user = await newReader();
  const author = await userOf(user);
  const post = await kith.posts.publish({
    ...{ author, text: "Where to?", audience: { kind: "everyone" } },
  });
  const chain: string[] = [];
  for (let n = 0; n < length; n += 1)
    chain.push(await comment(author, post.guid, `Depth ${n}`, chain.at(-1)));
  return { user, author, chain, guid: post.guid, path: `/posts/${post.guid}` };
}

async function comment(
  author: Awaited<ReturnType<typeof userOf>>,
  on: string,
  text: string,
  parentGuid?: string,
): Promise<string> {
  const answered = parentGuid === undefined ? {} : { parentGuid };
  const made = await kith.comments.create({
    ...{ author, on: { guid: on }, text, ...answered },
  });
  return made.guid;
}

/** The comments of a page in their order, each behind as many dashes as it is deep. */
function treeOf(page: string): string[] {
  const [, comments = ""] = page.split('id="comments"');
  const seen: string[] = [];
  let level = 0;
  for (const [, deep, , text] of comments.matchAll(
    /class="level-(\d)"|<(article)\b|<p>((?:Depth|Beside) \d+)<\/p>/g,
  ))
    if (deep !== undefined) level = Number(deep);
    else if (text !== undefined) {
      seen.push("-".repeat(level) + text);
      level = 0;
    }
  return seen;
}

forEachDatabase((database) => {
  before(async () => {
    kith = await startPagesServer({ database });
  });
  after(async () => {
    await kith.close();
  });

  test("comments are a tree of three levels, and go on on pages of their own", async () => {
    const { user, author, chain, guid, path } = await converse(8);
    await comment(author, guid, "Beside 1", chain[0]);
    const page = await user.get(path);
    const shown = ["Depth 0", "-Depth 1", "--Depth 2", "-Beside 1"];
    assert.deepEqual(treeOf(page.text), shown);
    assert.match(page.text, /Continue this thread: 5 replies/);
    assert.match(page.text, /In reply to reader/);
    const [, on = ""] =
      /href="([^"]*\?thread=[^"]*)#comments"/.exec(page.text) ?? [];
    assert.equal(on, `${path}?thread=${chain[2] ?? ""}`);
    const below = await user.get(on);
    const rest = ["Depth 2", "Depth 3", "-Depth 4", "--Depth 5"];
    assert.deepEqual(treeOf(below.text), rest);
    assert.match(below.text, /All comments on the post/);
    assert.match(below.text, /Continue this thread: 2 replies/);
  });

  test("a comment is found where it stands, however deep", async () => {
    const { user, chain, path } = await converse(8);
    const places = [
      ...chain.slice(0, 3).map((guid) => `${path}#${guid}`),
      ...chain
        .slice(3, 6)
        .map((guid) => `${path}?thread=${chain[2] ?? ""}#${guid}`),
      ...chain
        .slice(6)
        .map((guid) => `${path}?thread=${chain[5] ?? ""}#${guid}`),
    ];
    for (const [at, guid] of chain.entries()) {
      const led = await user.get(`/comments/${guid}`);
      const to = led.headers.get("location") ?? "";
      assert.equal(to, places[at]);
      assert.match(
        (await user.get(to.split("#")[0] ?? "")).text,
        RegExp(`Depth ${at}<`),
      );
    }
    const form = hiddenFields(
      await user.get(`${path}?answer=${chain[7] ?? ""}`),
      `${path}/comments`,
    );
    const sent = await user.post(`${path}/comments`, {
      ...form,
      text: "Depth 8",
    });
    const to = sent.headers.get("location") ?? "";
    assert.ok(to.startsWith(`${path}?thread=${chain[5] ?? ""}#`), to);
  });

  test("the replies to one comment are paged like all of them", async () => {
    const { user, author, chain, guid, path } = await converse(1);
    for (let n = 0; n < 51; n += 1)
      await comment(author, guid, `Beside ${n}`, chain[0]);
    const first = await user.get(`${path}?thread=${chain[0] ?? ""}`);
    assert.equal(treeOf(first.text).length, 51, "with the comment above them");
    const [, next = ""] = /href="([^"]+)" rel="next"/.exec(first.text) ?? [];
    const thread = `?thread=${chain[0] ?? ""}`;
    assert.ok(next.startsWith(`${thread}&amp;after=`), next);
    const onward = path + next.replace("&amp;", "&");
    const second = await user.get(onward);
    assert.deepEqual(treeOf(second.text), ["Depth 0", "Beside 50"]);
    // Written meanwhile among the comments of the first page, it moves none to the second.
    const [beside = ""] =
      /(?<=id=")\w{32}(?="[^]*Beside 3<)/.exec(first.text) ?? [];
    await comment(author, guid, "Between", beside);
    const again = await user.get(onward);
    assert.deepEqual(treeOf(again.text), ["Depth 0", "Beside 50"]);
    const [, back = ""] = /href="([^"]+)" rel="prev"/.exec(again.text) ?? [];
    const before = treeOf(
      (await user.get(path + back.replace("&amp;", "&"))).text,
    );
    assert.equal(before.length, 51);
    assert.equal(before.at(-1), "Beside 49");
    // The comment after which a page began is deleted: the conversation begins anew.
    const [last = ""] =
      /(?<=id=")\w{32}(?="[^]*Beside 49<)/.exec(
        first.text.slice(first.text.lastIndexOf("Beside 48<")),
      ) ?? [];
    await kith.comments.remove(author, last);
    const anew = await user.get(onward);
    assert.equal(anew.status, 200);
    assert.equal(treeOf(anew.text)[1], treeOf(first.text)[1]);
  });

  test("the script reads the comments alone, and gets them for a comment", async () => {
    const { user, path, guid } = await converse(2);
    const part = `/parts/threads/${guid}`;
    const read = await user.get(`${part}?to=${encodeURIComponent(path)}`);
    assert.deepEqual(treeOf(`id="comments"${read.text}`), [
      "Depth 0",
      "-Depth 1",
    ]);
    assert.doesNotMatch(read.text, /<html/);
    const form = hiddenFields(await user.get(path), `${path}/comments`);
    const to = `${part}?to=${encodeURIComponent(path)}`;
    const sent = { ...form, text: "Beside 7", to };
    const done = await user.post(`${path}/comments`, sent);
    assert.equal(done.status, 200);
    const all = ["Depth 0", "-Depth 1", "Beside 7"];
    assert.deepEqual(treeOf(`id="comments"${done.text}`), all);
    const refused = await user.post(`${path}/comments`, { ...sent, text: " " });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /Write something first/);
  });

  test("a thread of another post, or of none, is not there", async () => {
    const { user, path } = await converse(1);
    const { chain } = await converse(1);
    for (const thread of [chain[0] ?? "", ABSENT, "x"])
      for (const page of [path, path.replace("/posts/", "/parts/threads/")])
        assert.equal(
          (await user.get(`${page}?thread=${thread}`)).status,
          404,
          page,
        );
  });

  test("an author reads who sees a post by name, and readers that it is limited", async () => {
    const ann = await newReader();
    const ben = await newReader();
    const author = await userOf(ann);
    const reader = await userOf(ben);
    const aspect = await kith.aspects.create(author.userId, "Book club");
    await kith.aspects.addPerson(author, aspect.id, reader.personId);
    const write = (audience: Audience) =>
      kith.posts.publish({ author, text: "A text", audience });
    const named = await write({ kind: "aspects", aspectIds: [aspect.id] });
    await write({ kind: "self" });
    await write({ kind: "all_aspects" });
    await write({ kind: "unlisted" });
    const own = await ann.get(`/u/${ann.username}`);
    const chips = (page: string) =>
      [
        ...page.matchAll(
          /class="chip [a-z]+"[^>]*>[^]*?<span>([^]*?)<\/span>/g,
        ),
      ].map(([, words = ""]) => words.replace(/<[^>]*>/g, ""));
    assert.deepEqual(chips(own.text), [
      ...["Everyone, unlisted", "All my aspects", "Only me", "Book club"],
    ]);
    const path = `/posts/${named.guid}`;
    const [seen = ""] = chips((await ben.get(path)).text);
    assert.match(seen, /^Limited by reader/);
    const read = (await ben.get(path)).text;
    assert.doesNotMatch(read, /Book club/);
    // The form for a comment says the same below its field.
    assert.match(read, /id="text-hint">Everybody who sees this post can read/);
    const open = await write({ kind: "everyone" });
    const page = (await ben.get(`/posts/${open.guid}`)).text;
    assert.match(page, /id="text-hint">Anybody on the web can read/);
    const who = await ann.get(`${path}/deliveries`);
    assert.match(who.text, /Who sees it[^]*Book club[^]*href="\/u\/reader/);
    assert.equal((await ben.get(`${path}/deliveries`)).status, 404);
  });

  test("long texts are cut in lists, and whole on their own page", async () => {
    const user = await newReader();
    const author = await userOf(user);
    const text = Array.from({ length: 30 }, (_, n) => `Line ${n}`).join("\n\n");
    const { guid } = await kith.posts.publish({
      ...{ author, text, audience: { kind: "everyone" } },
    });
    const link = RegExp(
      `class="clamped"[^]*href="/posts/${guid}"[^>]*>Read on<`,
    );
    assert.match((await user.get("/home")).text, link);
    assert.doesNotMatch((await user.get(`/posts/${guid}`)).text, /clamped/);
    const part = (to: string) =>
      user.get(`/parts/posts/${guid}?to=${encodeURIComponent(to)}`);
    assert.match((await part("/home")).text, link);
    assert.doesNotMatch((await part(`/posts/${guid}`)).text, /clamped/);
  });

  test("the text is shown as readers will see it, before it is published", async () => {
    const user = await newReader();
    const form = hiddenFields(await user.get("/write"), "/write");
    const checked = await user.post("/write", {
      ...{
        ...form,
        text: "Some *emphasis*",
        audience: "everyone",
        act: "check",
      },
    });
    assert.match(checked.text, /Preview[^]*Some <em>emphasis<\/em>/);
  });
});
