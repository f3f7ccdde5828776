import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import {
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";
import {
  checkLayout,
  launchBrowser,
  openOwnPlaces,
} from "../support/browser.ts";

const OWN_PAGES = [
  ...["/stream", "/notifications", "/messages", "/contacts", "/bookmarks"],
  ...["/settings", "/settings/profile", "/settings/security", "/u/lea"],
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
  await lea.post("/stream", { csrf_token, text, audience: "everyone" });
  await lea.post("/stream", { csrf_token, text, audience: "self" });
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
  await page.goto(`${kith.baseUrl}/stream`);
  const link = page.getByRole("link", { name: "Bookmarks" });
  assert.equal(await link.count(), 0, "it is closed");
  await openOwnPlaces(page);
  await link.click();
  await page.waitForURL("**/bookmarks");
});

test("the navigation marks the place one is in", async () => {
  const { text } = await lea.get("/notifications?unread=true");
  assert.match(text, /href="\/notifications"\s+aria-current="page"/);
  assert.doesNotMatch(text, /href="\/stream"\s+aria-current/);
});

test("on a phone the form for a post is one line until it is touched", async (t) => {
  const page = await open(t, 320);
  await page.goto(`${kith.baseUrl}/stream`);
  const publish = page.getByRole("button", { name: "Publish" });
  assert.equal(await publish.count(), 0);
  const text = page.getByLabel("What is on your mind?");
  await text.fill("A word");
  await page.getByRole("searchbox").focus();
  assert.equal(await publish.count(), 1, "a text keeps it open");
});

test("each post says who sees it", async () => {
  const { text } = await lea.get("/u/lea");
  assert.match(text, /class="chip everyone"[^]*?Everyone<\/span/);
  assert.match(text, /class="chip limited"[^]*?Limited<\/span/);
});

test("a first visit takes at most 60 kB, and the style sheet is kept for ever", async () => {
  const visiting = visitor(kith.baseUrl);
  const page = await visiting.get("/");
  const [, path = ""] = /rel="stylesheet" href="([^"]+)"/.exec(page.text) ?? [];
  const sheet = await visiting.get(path);
  assert.match(sheet.headers.get("cache-control") ?? "", /immutable/);
  const bytes = gzipSync(page.text).length + gzipSync(sheet.text).length;
  assert.ok(bytes <= 60_000, `${bytes} bytes`);
});
