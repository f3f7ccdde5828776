import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import { launchBrowser } from "../support/browser.ts";

let kith: PagesServer;
let browser: Browser;
before(async () => {
  [kith, browser] = await Promise.all([startPagesServer(), launchBrowser()]);
});
after(() => Promise.all([browser?.close(), kith?.close()]));

for (const colorScheme of ["light", "dark"] as const)
  test(`the API documentation fits a phone, ${colorScheme}, and loads nothing from other hosts`, async () => {
    const page = await browser.newPage({
      colorScheme,
      javaScriptEnabled: true,
      viewport: { width: 390, height: 844 },
    });
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    page.on("console", (message) => complaints.push(message.text()));
    await page.goto(`${kith.baseUrl}/api/docs`);
    const width = await page.evaluate("document.documentElement.scrollWidth");
    assert.equal(width, 390);
    const colors = await page.evaluate(
      "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector('.operation')).color]",
    );
    const [paper = 0, ink = 0] = (colors as string[]).map(lightnessOf);
    assert.ok(colorScheme === "dark" ? ink - paper > 0.5 : paper - ink > 0.5);
    await page.click('a[href="#createPost"]');
    assert.ok(await page.locator("#createPost").isVisible());
    await page.click('#createPost a[href="#record-Post"]');
    assert.match(page.url(), /#record-Post$/);
    assert.deepEqual(
      asked.filter((url) => !url.startsWith(`${kith.baseUrl}/`)),
      [],
    );
    assert.deepEqual(complaints, []);
    await page.close();
  });

/** From 0, black, to 1, white. */
function lightnessOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map(
    Number,
  );
  return (red + green + blue) / 765;
}
