import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import { launchBrowser } from "../support/browser.ts";
import { fillPages, type FilledPages } from "../support/filled-pages.ts";

let kith: PagesServer;
let browser: Browser;
let pages: FilledPages;
before(async () => {
  // Sequentially, so that the server is closed even without a browser.
  kith = await startPagesServer();
  browser = await launchBrowser();
  pages = await fillPages(kith);
});
after(async () => {
  await browser?.close();
  await kith?.close();
});

/**
 * Notes what moves by itself, and how (Layout Instability API); but not within a player, whose
 * controls are the browser's own.
 */
const METER = `
  globalThis.shifts = [];
  const lines = ({ x, y, width, height }) => [x, y, width, height].join(" ");
  const isInPlayer = ({ currentRect: { x, y } }) =>
    [...document.querySelectorAll("audio, video")].some((player) => {
      const { left, right, top, bottom } = player.getBoundingClientRect();
      return x >= left && x <= right && y >= top && y <= bottom;
    });
  const describe = ({ node, previousRect, currentRect }) =>
    (node?.outerHTML ?? node?.textContent ?? "gone").slice(0, 200) +
    " moved from " + lines(previousRect) + " to " + lines(currentRect);
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value, sources } of list.getEntries())
      if (!hadRecentInput && !(sources.length > 0 && sources.every(isInPlayer)))
        shifts.push([value, ...sources.map(describe)]);
  }).observe({ type: "layout-shift", buffered: true });`;

async function shiftsOn(page: Page): Promise<unknown[]> {
  await page.evaluate(
    `new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))`,
  );
  return page.evaluate<unknown[]>("shifts");
}

for (const width of [320, 1280])
  test(`nothing moves while a page loads, ${width} pixels wide`, async (t) => {
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      extraHTTPHeaders: { cookie: pages.reader.cookies() },
    });
    t.after(() => context.close());
    await context.addInitScript(METER);
    // Pictures come late, as over a slow line.
    await context.route(
      (url) => /\.(?:png|webp|jpe?g|svg)$|proxy/.test(url.pathname),
      async (route) => {
        await setTimeout(60);
        // The page may have been left meanwhile.
        await route.continue().catch(() => undefined);
      },
    );
    const page = await context.newPage();
    let pictures = 0;
    const paths = new Set(pages.forReader.values());
    for (const path of paths) {
      // Tables and forms that nothing is loaded for.
      if (/^\/(?:admin|settings)\/./.test(path)) continue;
      await page.goto(kith.baseUrl + path);
      assert.deepEqual(await shiftsOn(page), [], path);
      // The rest of the page, whose pictures are loaded when they are near.
      await page.evaluate(`scrollTo(0, document.body.scrollHeight)`);
      await setTimeout(100);
      assert.deepEqual(await shiftsOn(page), [], `${path}, at its end`);
      pictures += await page.locator("main img").count();
    }
    assert.ok(pictures > 10, `only ${pictures} pictures were seen`);
  });

test("the meter of this test sees what moves", async (t) => {
  const context = await browser.newContext();
  t.after(() => context.close());
  await context.addInitScript(METER);
  const page = await context.newPage();
  await page.goto(`${kith.baseUrl}/about`);
  await page.evaluate(`new Promise((done) => setTimeout(() => {
    const late = document.createElement("p");
    late.textContent = "Late";
    document.querySelector("main").prepend(late);
    done();
  }, 600))`);
  assert.notDeepEqual(await shiftsOn(page), []);
});
