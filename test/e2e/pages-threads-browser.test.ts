import assert from "node:assert/strict";
import { after, before, test, type TestContext } from "node:test";
import type { Browser, Page } from "playwright-core";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import { newUser } from "../../packages/server/test/support/pages/visit.ts";
import { picture } from "../../packages/server/test/support/scenes/pictures.ts";
import {
  checkLayout,
  launchBrowser,
  listenForComplaints,
} from "../support/browser.ts";

type User = Awaited<ReturnType<typeof newUser>>;

let kith: PagesServer;
let browser: Browser;
before(async () => {
  // Sequentially, so that the server is closed even without a browser.
  kith = await startPagesServer();
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  await kith?.close();
});

let made = 0;
const newName = () => `talker_${(made += 1)}`;

async function userOf({ username }: User) {
  const handle = `${username}@${kith.host}`;
  const person = (await kith.people.find({ handle })) ?? assert.fail();
  return { personId: person.id, userId: person.userId ?? assert.fail() };
}

async function open(t: TestContext, user: User, width = 390) {
  const context = await browser.newContext({
    viewport: { width, height: 844 },
  });
  t.after(() => context.close());
  const [name = "", value = ""] = user.cookies().split("=");
  await context.addCookies([{ name, value, url: kith.baseUrl }]);
  const page = await context.newPage();
  return { page, complaints: listenForComplaints(page) };
}

/** A public post, and the means to comment on it. */
async function publish(text: string) {
  const user = await newUser(kith.baseUrl, newName());
  const author = await userOf(user);
  const { guid } = await kith.posts.publish({
    ...{ author, text, audience: { kind: "everyone" } },
  });
  const say = (words: string, parentGuid?: string) =>
    kith.comments.create({
      ...{ author, on: { guid }, text: words },
      ...(parentGuid !== undefined && { parentGuid }),
    });
  return { user, author, guid, say, url: `${kith.baseUrl}/posts/${guid}` };
}

/** A page that is loaded anew loses the mark. */
const markPage = (page: Page) => page.evaluate(`window.mark = "same page"`);
const isSamePage = async (page: Page) =>
  (await page.evaluate(`window.mark`)) === "same page";

const field = (page: Page) => page.getByLabel("Write a comment");
const send = (page: Page) =>
  page.getByRole("button", { name: "Comment", exact: true });
const keptBy = (page: Page) =>
  page.evaluate<string>(`Object.entries(localStorage).join()`);

async function untilKept(page: Page, words: string): Promise<void> {
  while (!(await keptBy(page)).includes(words)) await page.waitForTimeout(50);
}

test("a comment brings its picture without a reload, and the form is empty again", async (t) => {
  const { user, url } = await publish("Show me");
  const { page, complaints } = await open(t, user);
  await page.goto(url);
  await markPage(page);
  await field(page).fill("Here it is");
  await page.locator("#write summary").click();
  const buffer = await picture(60, 40).png().toBuffer();
  const file = { name: "one.png", mimeType: "image/png", buffer };
  await page.locator("#photo").setInputFiles(file);
  await page.locator("#photo_text").fill("a blue field");
  await send(page).click();
  const shown = page.locator(".comment .photos img");
  await shown.waitFor();
  assert.equal(await shown.getAttribute("alt"), "a blue field");
  assert.ok(await isSamePage(page));
  const left = await page.evaluate(
    `[...document.querySelectorAll("#write textarea, #photo")].map((it) => it.value).join("")`,
  );
  assert.equal(left, "");
  // A refused text is shown in its form again, with the reason.
  await field(page).fill("This is none");
  const bad = { ...file, name: "bad.png", buffer: Buffer.from("no picture") };
  await page.locator("#photo").setInputFiles(bad);
  await send(page).click();
  await page.getByRole("alert").waitFor();
  assert.equal(await field(page).inputValue(), "This is none");
  await checkLayout(page);
  assert.deepEqual(
    complaints.filter((it) => !it.includes("422")),
    [],
  );
});

test("a comment takes its place without a reload, once", async (t) => {
  const { user, url, guid } = await publish("Where to?");
  const { page, complaints } = await open(t, user);
  await page.goto(url);
  await markPage(page);
  await field(page).fill("To the sea");
  await send(page).dblclick();
  await page.locator(".comment").getByText("To the sea").waitFor();
  await page.getByText("Your comment has been added.").waitFor();
  assert.equal(await field(page).inputValue(), "");
  await checkLayout(page);
  await field(page).fill("To the sea");
  await send(page).click();
  while ((await page.locator(".comment").count()) < 2)
    await page.waitForTimeout(50);
  await field(page).fill(" ");
  await send(page).click();
  await page.getByRole("alert").waitFor();
  assert.equal(new URL(page.url()).pathname, `/posts/${guid}/comments`);
  const post = (await kith.posts.findVisible({ guid }, null)) ?? assert.fail();
  const all = { offset: 0, limit: 9 };
  assert.equal((await kith.comments.list(post.id, all, null)).length, 2);
  assert.deepEqual(
    complaints.filter((it) => !it.includes("422")),
    [],
  );
});

test("an answer, and a comment beyond the page, lead to where they stand", async (t) => {
  const { user, say, url } = await publish("Where to?");
  const first = await say("To the sea");
  const { page } = await open(t, user);
  await page.goto(url);
  await page.getByRole("link", { name: /^Reply to the comment/ }).click();
  await field(page).fill("Which one?");
  await send(page).click();
  await page.locator(".level-1").getByText("Which one?").waitFor();
  assert.match(page.url(), /\/posts\/\w+#\w+$/);
  assert.equal(await page.locator(`[id="${first.guid}"]`).count(), 1);
  for (let n = 0; n < 50; n += 1) await say(`Beside ${n}`);
  await page.goto(url);
  await field(page).fill("The last word");
  await send(page).click();
  await page.waitForURL(/after=\d+#\w+$/);
  await page.locator(".comment").getByText("The last word").waitFor();
});

test("an open page shows new, changed and deleted comments, and keeps what is opened", async (t) => {
  const { user, author, say, url } = await publish("Where to?");
  const first = await say("To the sea");
  const warned = await say("A secret");
  await kith.comments.edit(
    author,
    { guid: warned.guid },
    { text: "A secret", warning: "Spoiler" },
  );
  const { page, complaints } = await open(t, user);
  await page.goto(url);
  await markPage(page);
  const comment = (text: string) =>
    page.locator(".comment").filter({ hasText: text });
  await page.getByText("Spoiler").click();
  await comment("A secret").getByText("A secret").waitFor();
  await say("To the mountains");
  await comment("To the mountains").waitFor();
  await kith.comments.edit(
    author,
    { guid: first.guid },
    { text: "To the lake" },
  );
  await comment("To the lake").waitFor();
  await kith.comments.remove(author, first.guid);
  await comment("To the lake").waitFor({ state: "detached" });
  await comment("A secret").getByText("A secret").waitFor();
  // Typing is not disturbed, and goes on below the comments.
  await field(page).fill("Half a sen");
  await say("To the woods");
  await comment("To the woods").waitFor();
  assert.equal(await field(page).inputValue(), "Half a sen");
  assert.ok(await isSamePage(page));
  assert.deepEqual(complaints, []);
});

test("an unsent comment and message outlive their tab, each in its place", async (t) => {
  const { user, url } = await publish("Where to?");
  const { url: elsewhere } = await publish("Another post");
  const { page } = await open(t, user);
  await page.goto(url);
  await field(page).fill("Half a comment");
  await untilKept(page, "Half a comment");
  await page.goto(elsewhere);
  assert.equal(await field(page).inputValue(), "");
  await page.goto(url);
  await page.getByText("Your unsent text is back.").waitFor();
  assert.equal(await field(page).inputValue(), "Half a comment");
  await send(page).click();
  await page.locator(".comment").getByText("Half a comment").waitFor();
  assert.equal(await keptBy(page), "");
  const other = await newUser(kith.baseUrl, newName());
  await page.goto(`${kith.baseUrl}/messages/new`);
  await page
    .getByLabel("To", { exact: true })
    .fill(`${other.username}@${kith.host}`);
  await page.locator("#text").fill("Half a message");
  await untilKept(page, "Half a message");
  await page.reload();
  assert.equal(await page.locator("#text").inputValue(), "Half a message");
  await page.locator("main form button").last().click();
  await page.waitForURL(/\/messages\/\w{20,}/);
  await page.locator("#text").fill("And one more");
  await page.getByRole("button", { name: "Send" }).click();
  await page.locator(".comment").getByText("And one more").waitFor();
  assert.equal(await page.locator("#text").inputValue(), "");
  assert.equal(await keptBy(page), "");
});

test("where the network fails, a comment stays in its field", async (t) => {
  const { user, url } = await publish("Where to?");
  const { page } = await open(t, user);
  await page.goto(url);
  await field(page).fill("From a tunnel");
  await untilKept(page, "From a tunnel");
  const isSend = (it: URL) => it.pathname.endsWith("/comments");
  // Once by the script, and once by the browser.
  let left = 2;
  const failed = new Promise<void>((done) => {
    void page.route(isSend, async (route) => {
      await route.abort();
      if ((left -= 1) === 0) done();
    });
  });
  await send(page).click();
  await failed;
  await page.unroute(isSend);
  await page.goto(url);
  assert.equal(await field(page).inputValue(), "From a tunnel");
});

for (const javaScriptEnabled of [true, false])
  test(`a long text is read on ${javaScriptEnabled ? "in place" : "on its page"}`, async (t) => {
    const text = Array.from({ length: 30 }, (_, n) => `Line ${n}`).join("\n\n");
    const { user, guid } = await publish(text);
    const context = await browser.newContext({
      ...{ viewport: { width: 320, height: 800 }, javaScriptEnabled },
    });
    t.after(() => context.close());
    const [name = "", value = ""] = user.cookies().split("=");
    await context.addCookies([{ name, value, url: kith.baseUrl }]);
    const page = await context.newPage();
    await page.goto(`${kith.baseUrl}/home`);
    const words = page.locator(".post .text");
    const height = async () => (await words.boundingBox())?.height ?? 0;
    const cut = await height();
    await page.getByRole("link", { name: "Read on" }).click();
    if (!javaScriptEnabled) await page.waitForURL(`**/posts/${guid}`);
    assert.ok((await height()) > 2 * cut);
    assert.equal(await page.getByText("Read on").isVisible(), false);
    if (!javaScriptEnabled) return;
    await page.keyboard.press("Tab");
    const next = page.locator(".post a:focus, .post button:focus");
    assert.equal(await next.count(), 1, "the keyboard goes on in the post");
  });
