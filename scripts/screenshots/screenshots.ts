import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Browser, type Page } from "playwright-core";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import {
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";
import { findChromium } from "../testing/test-chromium.ts";

const WIDTHS = [320, 800, 1280];
const SCHEMES = ["light", "dark"] as const;
const LANGUAGES = ["en", "de"];
const FOR_VISITORS = ["/", "/users/sign_in", "/users/sign_up", "/api/docs"];
const OWN = [
  ...["/stream", "/notifications", "/messages", "/contacts", "/bookmarks"],
  ...["/settings", "/settings/profile", "/settings/security", "/no-such-page"],
  ...["/settings/blocks", "/admin", "/admin/accounts"],
];
const MAX_TRIES = 3;
const PASSWORD = "correct horse";

/** Fills a server with a little life. @returns the paths of its pages */
async function fill(kith: PagesServer): Promise<readonly string[]> {
  const [ann, ben] = [
    await newUser(kith.baseUrl, "ann"),
    await newUser(kith.baseUrl, "ben"),
  ];
  const write = (
    who: typeof ann,
    fields: Record<string, string>,
    path = "/stream",
  ) => who.post(path, { csrf_token: who.csrf_token, ...fields });
  await write(ann, { name: "Family" }, "/contacts/aspects/create");
  await write(ann, {
    text: "The cherries are ripe. **Who comes to pick on Saturday?** #garden",
    audience: "everyone",
  });
  await write(ann, { text: "A note to myself.", audience: "self" });
  await write(ann, {
    ...{ text: "Which book next? #bookclub", audience: "everyone" },
    ...{ question: "Which book?", answers: "Middlemarch\nThe Years" },
  });
  const found = await visitor(kith.baseUrl).get("/u/ann");
  const posts = [...new Set(found.text.match(/\/posts\/[0-9a-f]{32}/g))];
  const [poll = "", cherries = ""] = posts;
  await write(ben, { text: "I do, with two baskets." }, `${cherries}/comments`);
  await write(ben, { to: "/stream" }, `${cherries}/like`);
  await write(ben, { to: "/stream" }, `${cherries}/reshare`);
  return ["/u/ann", poll, cherries];
}

/** Under load, Chromium fails to capture a page now and then. */
async function capture(page: Page, path: string): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      await page.screenshot({ path });
      return;
    } catch (error) {
      if (tries === MAX_TRIES) throw error;
    }
}

/** Writes each page in each language, scheme and width. */
async function photograph(
  browser: Browser,
  kith: PagesServer,
  paths: readonly string[],
  folder: string,
): Promise<void> {
  for (const locale of LANGUAGES)
    for (const colorScheme of SCHEMES)
      for (const width of WIDTHS) {
        const viewport = { width, height: 800 };
        const context = await browser.newContext({
          ...{ locale, colorScheme, viewport },
        });
        const page = await context.newPage();
        const shoot = async (path: string) => {
          await page.goto(kith.baseUrl + path);
          const name = path.replaceAll("/", "-").slice(1, 40) || "start";
          const file = `${name}.${locale}.${colorScheme}.${width}.png`;
          await capture(page, join(folder, file));
        };
        for (const path of FOR_VISITORS) await shoot(path);
        await page.goto(`${kith.baseUrl}/users/sign_in`);
        await page.locator("#username").fill("ann");
        await page.locator("#password").fill(PASSWORD);
        await page.locator("#password").press("Enter");
        await page.waitForURL("**/stream");
        await page.goto(`${kith.baseUrl}/settings`);
        await page.locator("#language").selectOption(locale);
        await page.locator("main form button").click();
        for (const path of [...OWN, ...paths]) await shoot(path);
        await context.close();
      }
}

const [folder = "screenshots"] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const kith = await startPagesServer();
const browser = await chromium.launch({
  executablePath: process.env.KITH_TEST_BROWSER ?? findChromium(),
  args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
});
try {
  await photograph(browser, kith, await fill(kith), folder);
  console.log(`The pages are in ${folder}.`);
} finally {
  await browser.close();
  await kith.close();
}
