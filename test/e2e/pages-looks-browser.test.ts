import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import {
  hiddenFields,
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";
import {
  checkLayout,
  launchBrowser,
  openOwnPlaces,
} from "../support/browser.ts";

const OWN_PAGES = [
  ...["/home", "/notifications", "/messages", "/people", "/bookmarks"],
  ...["/settings", "/settings/profile", "/settings/security", "/u/lea"],
  ...["/events", "/events/new"],
  "/nothing/here",
];

let kith: PagesServer;
let browser: Browser;
let lea: Awaited<ReturnType<typeof newUser>>;
before(async () => {
  // Sequentially, so that the server is closed even without a browser.
  kith = await startPagesServer();
  browser = await launchBrowser();
  lea = await newUser(kith.baseUrl, "lea");
  const { csrf_token } = lea;
  const text = "Ripe cherries";
  await lea.post("/home", { csrf_token, text, audience: "everyone" });
  await lea.post("/home", { csrf_token, text, audience: "self" });
});
after(async () => {
  await browser?.close();
  await kith?.close();
});

/** A page of the signed-in browser. */
async function open(
  t: { after(done: () => Promise<void>): void },
  width: number,
  options: Parameters<Browser["newContext"]>[0] = {},
) {
  const context = await browser.newContext({
    ...{ viewport: { width, height: 800 }, ...options },
    extraHTTPHeaders: { cookie: lea.cookies() },
  });
  t.after(() => context.close());
  return context.newPage();
}

for (const width of [320, 1280])
  test(`no page of one's own is wider than ${width} pixels, with text of twice the size either`, async (t) => {
    const page = await open(t, width, { reducedMotion: "reduce" });
    for (const path of OWN_PAGES) {
      await page.goto(kith.baseUrl + path);
      await checkLayout(page);
      await page.evaluate(`document.documentElement.style.fontSize = "200%"`);
      await checkLayout(page);
    }
  });

test("without script, everything of one's own is one touch away", async (t) => {
  const page = await open(t, 320, { javaScriptEnabled: false });
  await page.goto(`${kith.baseUrl}/home`);
  const link = page.getByRole("link", { name: "Bookmarks" });
  assert.equal(await link.count(), 0, "it is closed");
  await openOwnPlaces(page);
  await link.click();
  await page.waitForURL("**/bookmarks");
});

test("the navigation marks the place one is in", async () => {
  const { text } = await lea.get("/notifications?unread=true");
  assert.match(text, /href="\/notifications"\s+aria-current="page"/);
  assert.doesNotMatch(text, /href="\/home"\s+aria-current/);
});

test("on a phone the form for a post is one line until it is touched", async (t) => {
  const page = await open(t, 320);
  await page.goto(`${kith.baseUrl}/home`);
  const publish = page.getByRole("button", { name: "Publish" });
  assert.equal(await publish.count(), 0);
  const text = page.getByLabel("What is on your mind?");
  await text.fill("A word");
  await page.getByRole("searchbox").focus();
  assert.equal(await publish.count(), 1, "a text keeps it open");
});

test("without script, a chosen appearance goes before the device's from the first paint on", async (t) => {
  const context = await browser.newContext({
    ...{ javaScriptEnabled: false, colorScheme: "light" },
    viewport: { width: 320, height: 800 },
  });
  t.after(() => context.close());
  const [name = "", value = ""] = lea.cookies().split("=");
  await context.addCookies([{ name, value, url: kith.baseUrl }]);
  const page = await context.newPage();
  const ground = async () => {
    await page.goto(`${kith.baseUrl}/settings`);
    const colour = await page.evaluate<string>(
      `getComputedStyle(document.body).backgroundColor`,
    );
    const [red = 0] = /\d+/.exec(colour)?.map(Number) ?? [];
    return red > 128 ? "light" : "dark";
  };
  const choose = async (label: string) => {
    await page.goto(`${kith.baseUrl}/settings`);
    await page.getByLabel(label, { exact: true }).check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("status").waitFor();
  };
  assert.equal(await ground(), "light");
  await choose("Dark");
  assert.equal(await ground(), "dark");
  await page.emulateMedia({ colorScheme: "dark" });
  await choose("Light");
  assert.equal(await ground(), "light");
  await choose("Like your device");
  assert.equal(await ground(), "dark");
});

test("an appearance holds for errors and visitors, and an unknown one changes nothing", async () => {
  const form = hiddenFields(await lea.get("/settings"), "/settings");
  const sent = { ...form, language: "en", time_zone: "UTC" };
  const refused = await lea.post("/settings", { ...sent, appearance: "pink" });
  assert.equal(refused.status, 422);
  assert.equal(refused.headers.get("set-cookie"), null);
  const saved = await lea.post("/settings", { ...sent, appearance: "dark" });
  assert.match(saved.text, /<html lang="en" class="dark"\s*>/);
  const [cookie = ""] = (saved.headers.get("set-cookie") ?? "").split(";");
  for (const path of ["/", "/no/such/page"]) {
    const page = await visitor(kith.baseUrl).get(path, { cookie });
    assert.match(page.text, /<html lang="en" class="dark"\s*>/, path);
    assert.match(page.text, /name="color-scheme"\s+content="dark"/, path);
  }
  const odd = { cookie: 'kith_appearance="><b>' };
  const page = await visitor(kith.baseUrl).get("/", odd);
  assert.match(page.text, /<html lang="en"\s*>/);
  await lea.post("/settings", { ...sent, appearance: "system" });
  assert.doesNotMatch(lea.cookies(), /appearance/);
});

test("each post says who sees it", async () => {
  const { text } = await lea.get("/u/lea");
  assert.match(text, /class="chip everyone"[^]*?Everyone<\/span/);
  assert.match(text, /class="chip self"[^]*?Only me<\/span/);
});

test("a page of 20 short posts has at most 60,000 bytes of HTML", async () => {
  const writer = await newUser(kith.baseUrl, "mia");
  const handle = `mia@${kith.host}`;
  const { id, userId } = (await kith.people.find({ handle })) ?? assert.fail();
  const author = { personId: id, userId: userId ?? assert.fail() };
  for (let n = 0; n < 20; n += 1)
    await kith.posts.publish({
      ...{ author, text: `Short post ${n}`, audience: { kind: "everyone" } },
    });
  const { text } = await writer.get("/home");
  assert.equal(text.match(/<article\s+class="post"/g)?.length, 20);
  const bytes = Buffer.byteLength(text);
  if (process.env.DUMP)
    (await import("node:fs")).writeFileSync("/tmp/page.html", text);
  assert.ok(bytes <= 60_000, `${bytes} bytes`);
});

test("a first visit takes at most 60 kB, and the style sheet is kept for ever", async () => {
  const visiting = visitor(kith.baseUrl);
  const page = await visiting.get("/");
  const [, path = ""] = /rel="stylesheet" href="([^"]+)"/.exec(page.text) ?? [];
  const sheet = await visiting.get(path);
  const [, module = ""] =
    /<script type="module" src="([^"]+)"/.exec(page.text) ?? [];
  const script = await visiting.get(module);
  assert.ok(Buffer.byteLength(script.text) < 20_000, "the module");
  for (const kept of [sheet, script])
    assert.match(kept.headers.get("cache-control") ?? "", /immutable/);
  const bytes = [page, sheet, script]
    .map(({ text }) => gzipSync(text).length)
    .reduce((sum, length) => sum + length);
  assert.ok(bytes <= 60_000, `${bytes} bytes`);
});
