import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import {
  listHtmlFaults,
  listViolations,
  loadAxe,
} from "../support/accessibility.ts";
import { checkLayout, launchBrowser } from "../support/browser.ts";
import {
  fillPages,
  listPageRoutes,
  NOWHERE,
  type FilledPages,
} from "../support/filled-pages.ts";

/** The documentation of the API has hundreds of sections that are made alike. */
const SHORTEN = `document.querySelectorAll(".operation ~ .operation ~ *, .operations li:nth-child(n + 9)")
  .forEach((it) => it.remove())`;

/** Each width is seen in each language, and in each scheme. */
const LOOKS = [
  { language: "en", widths: { light: 320, dark: 1280 } },
  { language: "de", widths: { dark: 320, light: 1280 } },
] as const;

let kith: PagesServer;
let browser: Browser;
let pages: FilledPages;
before(async () => {
  // Sequentially, so that the server is closed even without a browser.
  kith = await startPagesServer({ hasMail: true });
  browser = await launchBrowser();
  pages = await fillPages(kith);
});
after(async () => {
  await browser?.close();
  await kith?.close();
});

test("each page is among those that are tested", () => {
  const tested = new Set([...pages.forVisitors, ...pages.forReader].flat());
  const missing = listPageRoutes(kith).filter((route) => !tested.has(route));
  assert.deepEqual(missing, [], "add them to test/support/filled-pages.ts");
});

for (const { language, widths } of LOOKS)
  for (const who of ["visitors", "the reader"])
    test(`the pages of ${who} are valid and accessible in ${language}`, async (t) => {
      const { reader, forVisitors, forReader, visitorCookies } = pages;
      if (who !== "visitors") await speak(language);
      const context = await browser.newContext({
        locale: language,
        reducedMotion: "reduce",
        extraHTTPHeaders: {
          cookie: who === "visitors" ? visitorCookies : reader.cookies(),
        },
      });
      t.after(() => context.close());
      await loadAxe(context);
      const page = await context.newPage();
      const found: string[] = [];
      for (const path of (who === "visitors"
        ? forVisitors
        : forReader
      ).values()) {
        const answer = await page.goto(kith.baseUrl + path);
        const source = (await answer?.text()) ?? "";
        assert.equal(answer?.status(), path === NOWHERE ? 404 : 200, path);
        assert.match(source, RegExp(`<html lang="${language}"`), path);
        found.push(...(await listHtmlFaults(path, source)));
        await page.evaluate(SHORTEN);
        for (const colorScheme of ["light", "dark"] as const) {
          const width = widths[colorScheme];
          await page.setViewportSize({ width, height: 800 });
          await page.emulateMedia({ colorScheme });
          await checkLayout(page);
          const seen = await listViolations(page);
          found.push(...seen.map((it) => `${path} (${width}): ${it}`));
        }
      }
      assert.deepEqual(found, []);
    });

test("the dialogs of the script are accessible, on a phone and on a desktop", async (t) => {
  const found: string[] = [];
  for (const width of [320, 1280]) {
    const context = await browser.newContext({
      ...{ viewport: { width, height: 800 }, reducedMotion: "reduce" },
      extraHTTPHeaders: { cookie: pages.reader.cookies() },
    });
    t.after(() => context.close());
    await loadAxe(context);
    const page = await context.newPage();
    const check = async (what: string) => {
      await checkLayout(page);
      const seen = await listViolations(page);
      found.push(...seen.map((it) => `${what} (${width}): ${it}`));
    };
    await page.goto(kith.baseUrl + pages.forReader.get("/posts/:guid"));
    await page.locator(".photos a").first().click();
    await page.locator("#viewer[open]").waitFor();
    await check("pictures");
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await page.locator("#keys[open]").waitFor();
    await check("keys");
    await page.goto(`${kith.baseUrl}/write`);
    await page.locator("#text").click();
    await page.keyboard.type("@ben");
    await page.getByRole("option").first().waitFor();
    await check("completions");
  }
  assert.deepEqual(found, []);
});

async function speak(language: string): Promise<void> {
  const handle = `${pages.reader.username}@${kith.host}`;
  const person = await kith.people.find({ handle });
  const userId = person?.userId ?? assert.fail();
  await kith.accounts.changeSettings(userId, { locale: language });
}
