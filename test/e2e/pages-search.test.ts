import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import {
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";
import { checkLayout, launchBrowser } from "../support/browser.ts";

type User = Awaited<ReturnType<typeof newUser>>;

let kith: PagesServer;
let names = 0;

const newName = () => `seeker${(names += 1)}`;
const find = (user: User, asked: Readonly<Record<string, string>>) =>
  user.get(`/search?${new URLSearchParams(asked).toString()}`);
const publish = async ({ username }: User, text: string) => {
  const handle = `${username}@${kith.host}`;
  const { id, userId } = (await kith.people.find({ handle })) ?? assert.fail();
  return kith.posts.publish({
    author: { personId: id, userId: userId ?? assert.fail() },
    ...{ text, audience: { kind: "everyone" } },
  });
};

forEachDatabase((database) => {
  before(async () => {
    kith = await startPagesServer({ database });
  });
  after(() => kith.close());

  test("people, tags and posts are found together, and each alone", async () => {
    const user = await newUser(kith.baseUrl, newName());
    await newUser(kith.baseUrl, "quincewood");
    const { guid } = await publish(user, "A quincewood flute #quincewoodwind");
    const all = await find(user, { q: "quincewood" });
    assert.equal(all.status, 200);
    const [person, tag, post] = [
      /href="\/u\/quincewood"/,
      /href="\/tags\/quincewoodwind"/,
      RegExp(`id="post-${guid}"`),
    ];
    for (const shown of [person, tag, post]) assert.match(all.text, shown);
    for (const [type, shown, hidden] of [
      ["people", person, [/<h2 id="found-(tags|posts)"/]],
      ["tags", tag, [/<h2 id="found-(people|posts)"/]],
      ["posts", post, [/<h2 id="found-(people|tags)"/]],
    ] as const) {
      const { text } = await find(user, { q: "quincewood", type });
      assert.match(text, shown, type);
      for (const other of hidden) assert.doesNotMatch(text, other, type);
      assert.match(
        text,
        RegExp(`type=${type}"\\s+aria-current="page"`),
        `the tab of ${type} is marked`,
      );
    }
  });

  test("the operators narrow the search", async () => {
    const user = await newUser(kith.baseUrl, newName());
    const mine = await publish(user, "An isinglass kite #sky");
    const { guid } = await publish(user, "An isinglass window");
    for (const [q, found] of [
      ["isinglass", [mine.guid, guid]],
      ["isinglass -kite", [guid]],
      ['"isinglass window"', [guid]],
      ["isinglass #sky", [mine.guid]],
      ["isinglass from:me", [mine.guid, guid]],
      ["isinglass has:photo", []],
      ["isinglass after:2999-01-01", []],
    ] as const) {
      const { text } = await find(user, { q, type: "posts" });
      for (const one of [mine.guid, guid])
        assert.equal(
          text.includes(`id="post-${one}"`),
          found.some((it) => it === one),
          `${q} ${one === guid ? "window" : "kite"}`,
        );
    }
  });

  test("posts are paged by their keys, in both directions", async () => {
    const user = await newUser(kith.baseUrl, newName());
    const guids: string[] = [];
    for (let n = 0; n < 45; n += 1)
      guids.unshift((await publish(user, `Verjuice ${n}`)).guid);
    const shownBy = ({ text }: { text: string }) =>
      [...text.matchAll(/<div id="post-(\w+)"/g)].map(([, guid]) => guid);
    const linkOf = ({ text }: { text: string }, rel: string) =>
      RegExp(`href="([^"]+)" rel="${rel}"`)
        .exec(text)?.[1]
        ?.replaceAll("&amp;", "&");
    const first = await find(user, { q: "verjuice", type: "posts" });
    assert.deepEqual(shownBy(first), guids.slice(0, 20));
    assert.equal(linkOf(first, "prev"), undefined);
    await publish(user, "Verjuice, meanwhile");
    const second = await user.get(linkOf(first, "next") ?? "");
    assert.deepEqual(shownBy(second), guids.slice(20, 40));
    const third = await user.get(linkOf(second, "next") ?? "");
    assert.deepEqual(shownBy(third), guids.slice(40));
    assert.equal(linkOf(third, "next"), undefined);
    const back = await user.get(linkOf(third, "prev") ?? "");
    assert.deepEqual(shownBy(back), guids.slice(20, 40));
  });

  test("an address finds its person, and that of a post leads to it", async () => {
    const user = await newUser(kith.baseUrl, newName());
    const other = await newUser(kith.baseUrl, newName());
    const { guid } = await publish(other, "Ours");
    for (const q of [`@${other.username}@${kith.host}`]) {
      const { text } = await find(user, { q });
      assert.match(text, RegExp(`href="/u/${other.username}"`));
    }
    const led = await find(user, { q: `${kith.baseUrl}/posts/${guid}` });
    assert.equal(led.headers.get("location"), `/posts/${guid}`);
    const nobody = await find(user, { q: `nobody@${kith.host}` });
    assert.match(nobody.text, /Nothing was found/);
  });

  test("a meaningless search is refused with help, and shown as it was typed", async () => {
    const user = await newUser(kith.baseUrl, newName());
    for (const q of ["has:cheese", "before:yesterday", "in:nowhere", "!!!"]) {
      const refused = await find(user, { q });
      assert.equal(refused.status, 422, q);
      assert.match(refused.text, /This search was not understood/);
      assert.match(refused.text, /<details class="help"\s+open/);
    }
    const odd = await find(user, { q: 'has:"><script>x</script>' });
    assert.doesNotMatch(odd.text, /<script>/);
    const long = await find(user, { q: "x".repeat(1_001) });
    assert.match(long.text, /at most 1000 characters/);
    const empty = await find(user, { q: " " });
    assert.equal(empty.status, 200);
    assert.match(empty.text, /What you can type/);
    for (const type of ["people", "tags", "posts", "odd"]) {
      const nothing = await find(user, { q: "zzqxy", type });
      assert.match(nothing.text, /role="status"/, type);
    }
  });

  test("other sites lead people who follow or reply from here to the post or the person", async () => {
    const user = await newUser(kith.baseUrl, newName());
    const { guid } = await publish(user, "Reply from your server");
    const lead = async (path: string) => {
      const led = await user.get(path);
      assert.equal(led.status, 302, led.text);
      return led.headers.get("location") ?? "";
    };
    for (const page of ["/authorize_interaction", "/interact"]) {
      const uri = encodeURIComponent(`${kith.baseUrl}/posts/${guid}`);
      const search = await lead(`${page}?uri=${uri}`);
      assert.equal(await lead(search), `/posts/${guid}`);
      const person = encodeURIComponent(`acct:${user.username}@${kith.host}`);
      const found = await user.get(await lead(`${page}?uri=${person}`));
      assert.match(found.text, RegExp(`href="/u/${user.username}"`));
      for (const wrong of ["", "?uri=", "?uri=acct%3A", "?uri=a&uri=b"])
        assert.equal((await user.get(page + wrong)).status, 400, wrong);
    }
  });

  test("visitors are led to sign in, and back to their search", async () => {
    const led = await visitor(kith.baseUrl).get("/search?q=a%20b");
    assert.equal(
      led.headers.get("location"),
      "/users/sign_in?to=%2Fsearch%3Fq%3Da%2520b",
    );
  });
});

test("on a phone, the field of each page searches without script", async (t) => {
  const server = await startPagesServer();
  t.after(() => server.close());
  const user = await newUser(server.baseUrl, "lea");
  const browser = await launchBrowser();
  t.after(() => browser.close());
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 320, height: 800 },
    extraHTTPHeaders: { cookie: user.cookies() },
  });
  const page = await context.newPage();
  await page.goto(`${server.baseUrl}/bookmarks`);
  await page.getByRole("searchbox").fill("lea");
  await page.getByRole("searchbox").press("Enter");
  await page.getByRole("heading", { name: "People" }).waitFor();
  await checkLayout(page);
  await page
    .getByRole("navigation", { name: "What is shown" })
    .getByRole("link", { name: "Posts" })
    .click();
  await page.getByText("No posts were found").waitFor();
  await checkLayout(page);
});
