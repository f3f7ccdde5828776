import assert from "node:assert/strict";
import { after, before, test, type TestContext } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import { newUser } from "../../packages/server/test/support/pages/visit.ts";
import { launchBrowser, listenForComplaints } from "../support/browser.ts";

type User = Awaited<ReturnType<typeof newUser>>;

let kith: PagesServer;
let browser: Browser;
let ann: User;
before(async () => {
  // Sequentially, so that the server is closed even without a browser.
  kith = await startPagesServer();
  browser = await launchBrowser();
  ann = await newUser(kith.baseUrl, "ann");
});
after(async () => {
  await browser?.close();
  await kith?.close();
});

let made = 0;

/** A reader who follows Ann, with a browser of their own. */
async function newReader(t: TestContext) {
  const user = await newUser(kith.baseUrl, `reader_${(made += 1)}`);
  const { guid } = await personOf(ann);
  await send(user, `/people/${guid}/follow`);
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
  });
  t.after(() => context.close());
  const [name = "", value = ""] = user.cookies().split("=");
  await context.addCookies([{ name, value, url: kith.baseUrl }]);
  const page = await context.newPage();
  return { user, page, complaints: listenForComplaints(page) };
}

async function personOf({ username }: User) {
  const handle = `${username}@${kith.host}`;
  return (await kith.people.find({ handle })) ?? assert.fail();
}

async function send(
  { post, csrf_token }: User,
  path: string,
  fields: Record<string, string> = {},
): Promise<void> {
  const done = await post(path, { csrf_token, ...fields });
  assert.ok(done.status < 400, `${path}: ${done.status}`);
}

/** @returns the path of a new public post */
async function write(
  by: User,
  text: string,
  fields: Record<string, string> = {},
): Promise<string> {
  await send(by, "/home", { text, audience: "everyone", ...fields });
  const { id, userId } = await personOf(by);
  const author = { personId: id, userId: userId ?? assert.fail() };
  const [post] = await kith.posts.listOf(id, author, { offset: 0, limit: 1 });
  return `/posts/${post?.guid ?? assert.fail()}`;
}

/** A page that is loaded anew loses the mark. */
const markPage = (page: Page) => page.evaluate(`window.mark = "same page"`);
const isSamePage = async (page: Page) =>
  (await page.evaluate(`window.mark`)) === "same page";

const postOn = (page: Page, text: string): Locator =>
  page.locator("article.post").filter({ hasText: text });

/** Likes, reshares, keeps, votes, answers and follows. @returns after each act, was the page kept? */
async function walk(page: Page, text: string): Promise<boolean> {
  const post = postOn(page, text);
  await markPage(page);
  const press = async (name: RegExp, then: RegExp) => {
    await post.getByRole("button", { name }).click();
    await post.getByRole("button", { name: then }).waitFor();
  };
  await press(/^Like the post/, /^Unlike the post/);
  await post.getByText("1 like", { exact: true }).waitFor();
  await press(/^Reshare the post/, /^Undo the reshare/);
  await press(/^Bookmark the post/, /^Remove the bookmark/);
  await post.getByRole("radio", { name: "Sunday" }).check();
  await post.getByRole("button", { name: "Vote" }).click();
  await post.getByText("1 vote · 100% · your choice").waitFor();
  return isSamePage(page);
}

const POLL = { question: "When?", answers: "Saturday\nSunday" };

test("with script, acts change their post alone, and keep the focus", async (t) => {
  const { page, complaints } = await newReader(t);
  await write(ann, "Cherries with script", POLL);
  await page.goto(`${kith.baseUrl}/home`);
  assert.ok(await walk(page, "Cherries with script"));
  const post = postOn(page, "Cherries with script");
  await post.getByRole("button", { name: /^Unlike/ }).press("Enter");
  const button = post.getByRole("button", { name: /^Like/ });
  await button.waitFor();
  await post.locator("button[formaction$='/like']:focus").waitFor();
  assert.ok(await isSamePage(page));
  assert.deepEqual(complaints, []);
});

test("where the script does not load, the same forms do the same", async (t) => {
  const { page } = await newReader(t);
  await page.route("**/assets/kith.js*", (route) => route.abort());
  await write(ann, "Cherries without it", POLL);
  await page.goto(`${kith.baseUrl}/home`);
  assert.equal(await walk(page, "Cherries without it"), false);
  assert.match(page.url(), /\/home#post-/);
});

const REPLACE_POSTS = `for (const it of document.querySelectorAll("article.post"))
  it.replaceWith(it.cloneNode(true))`;

for (const [when, isReplaced] of [
  ["in the middle of an act", false],
  ["while a live change replaces the post", true],
] as const)
  test(`where the network fails ${when}, the browser sends the form`, async (t) => {
    const { page, user } = await newReader(t);
    const text = `Cherries on a train, ${when}`;
    const path = await write(ann, text);
    await page.goto(`${kith.baseUrl}/home`);
    await markPage(page);
    const post = postOn(page, text);
    let isAway = true;
    await page.route("**/like", async (route) => {
      if (!isAway) return route.continue();
      isAway = false;
      if (isReplaced) await page.evaluate(REPLACE_POSTS);
      await route.abort();
    });
    await post.getByRole("button", { name: /^Like/ }).click();
    await post.getByRole("button", { name: /^Unlike/ }).waitFor();
    assert.equal(await isSamePage(page), false);
    assert.match((await user.get(path)).text, /1 like</);
  });

test("events are answered, people put into aspects and tags followed in place", async (t) => {
  const { page, user, complaints } = await newReader(t);
  const { id, userId, guid } = await personOf(ann);
  const event = await kith.events.create({
    owner: { personId: id, userId: userId ?? assert.fail() },
    ...{ summary: "Picking", announce: true, timeZone: "Europe/Berlin" },
    ...{ audience: { kind: "everyone" }, start: "2127-06-12T14:00" },
    end: "2127-06-12T18:00",
  });
  await send(user, "/aspects", { name: "Family" });
  for (const path of [`/events/${event.guid}`, "/events?known=true"]) {
    await page.goto(kith.baseUrl + path);
    await markPage(page);
    for (const name of ["Going", "Maybe"]) {
      const button = page.getByRole("button", { name }).first();
      await button.click();
      await page
        .locator(`button[aria-pressed=true]`, { hasText: name })
        .first()
        .waitFor();
    }
    assert.ok(await isSamePage(page), path);
  }
  await page.goto(`${kith.baseUrl}/people/${guid}`);
  await markPage(page);
  await page.getByText(/In (?:none of )?your aspects/).click();
  await page.getByLabel("Family").check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText(/In your aspects: .*Family/).waitFor();
  assert.ok(await isSamePage(page), "aspects");
  await page.goto(`${kith.baseUrl}/tags/cherries`);
  await markPage(page);
  await page.getByRole("button", { name: "Follow #cherries" }).click();
  await page.getByRole("button", { name: "Unfollow #cherries" }).waitFor();
  assert.ok(await isSamePage(page), "tags");
  assert.deepEqual(complaints, []);
});

test("an open page shows other counts and new posts", async (t) => {
  const { page, user, complaints } = await newReader(t);
  const own = await write(user, "Mine, to be liked");
  const stream = page.waitForResponse("**/live");
  await page.goto(`${kith.baseUrl}/home`);
  await stream;
  await markPage(page);
  await send(ann, `${own}/like`, { to: "/home" });
  await postOn(page, "Mine, to be liked")
    .getByText("1 like", { exact: true })
    .waitFor();
  await write(ann, "Fresh from the tree");
  const news = page.getByRole("link", { name: "1 new post" });
  await news.waitFor();
  assert.ok(await isSamePage(page));
  await news.click();
  await postOn(page, "Fresh from the tree").waitFor();
  assert.deepEqual(complaints, []);
});

for (const javaScriptEnabled of [true, false])
  test(`replies are shown and hidden in the home, ${javaScriptEnabled ? "with" : "without"} script`, async (t) => {
    const { user } = await newReader(t);
    const context = await browser.newContext({ javaScriptEnabled });
    t.after(() => context.close());
    const [name = "", value = ""] = user.cookies().split("=");
    await context.addCookies([{ name, value, url: kith.baseUrl }]);
    const page = await context.newPage();
    const complaints = listenForComplaints(page);
    const text = `About the weather, ${javaScriptEnabled}`;
    const post = await write(ann, text);
    await send(ann, `${post}/comments`, { text: "It will rain" });
    await page.goto(`${kith.baseUrl}/home`);
    const comment = page.locator("article.comment");
    assert.equal(await comment.count(), 0);
    await page.getByRole("link", { name: "Show replies" }).click();
    await comment.filter({ hasText: "It will rain" }).first().waitFor();
    await page
      .getByRole("button", { name: /^Like the comment/ })
      .first()
      .click();
    await page
      .getByRole("button", { name: /^Unlike the comment/ })
      .first()
      .waitFor();
    assert.match(page.url(), /\/home\?replies=all/);
    await page.getByRole("link", { name: "Hide replies" }).click();
    await page.getByRole("link", { name: "Show replies" }).waitFor();
    assert.equal(await comment.count(), 0);
    assert.deepEqual(complaints, []);
  });

test("a session that has ended gets no more changes", async (t) => {
  const { page, user } = await newReader(t);
  await page.goto(`${kith.baseUrl}/home`);
  await send(user, "/users/sign_out");
  const after = await page.evaluate<number>(
    `fetch("/parts/unread").then(({ status }) => status)`,
  );
  assert.equal(after, 401);
  const live = await page.evaluate<number>(
    `fetch("/live").then(({ status }) => status)`,
  );
  assert.equal(live, 401);
});

test("times go on while a page is open", async (t) => {
  const { page } = await newReader(t);
  await write(ann, "How late is it?");
  await page.clock.install();
  await page.goto(`${kith.baseUrl}/home`);
  const time = postOn(page, "How late is it?").locator("time");
  assert.equal(await time.innerText(), "now");
  await page.clock.fastForward("03:00:30");
  await page.getByText("3 hours ago").first().waitFor();
});

test("keys move among the posts and act on them, until they are switched off", async (t) => {
  const { page, complaints } = await newReader(t);
  await write(ann, "Older cherries");
  await write(ann, "Newer cherries");
  await page.goto(`${kith.baseUrl}/home`);
  const focused = () =>
    page.evaluate<string>(`document.activeElement.textContent`);
  await page.keyboard.press("j");
  assert.match(await focused(), /Newer cherries/);
  await page.keyboard.press("j");
  assert.match(await focused(), /Older cherries/);
  await page.keyboard.press("l");
  await postOn(page, "Older cherries").getByText("1 like").waitFor();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keys" });
  await dialog.getByRole("checkbox").check();
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.keyboard.press("c");
  assert.doesNotMatch(
    await page.evaluate<string>(`document.activeElement.tagName`),
    /TEXTAREA/,
  );
  assert.deepEqual(complaints, []);
});
