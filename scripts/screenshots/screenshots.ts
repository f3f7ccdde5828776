import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Browser } from "playwright-core";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import { findChromium } from "../testing/test-chromium.ts";
import { capture, signIn } from "./camera.ts";
import { fillServer } from "./fill-server.ts";
import { writeGuidePictures } from "./guide-pictures.ts";

const WIDTHS = [360, 800, 1280];
const SCHEMES = ["light", "dark"] as const;
const LANGUAGES = ["en", "de"];
const FOR_VISITORS = [
  "/",
  "/about",
  "/users/sign_in",
  "/users/sign_up",
  "/api/docs",
];
const OWN = [
  ...["/home", "/events", "/notifications", "/messages", "/people", "/aspects"],
  ...["/bookmarks", "/write", "/drafts", "/search?q=garden"],
  ...["/events/new", "/settings/calendars", "/home?show=here"],
  ...["/home?show=all", "/tags/garden", "/settings/servers"],
  ...[
    "/photos",
    "/welcome",
    "/admin/server",
    "/calendar",
    "/calendar?month=2127-06",
  ],
  ...["/settings/filters", "/settings/filters/new"],
  ...["/settings", "/settings/profile", "/settings/security", "/no-such-page"],
  ...["/settings/account", "/settings/moving", "/streams"],
  ...["/settings/blocks", "/admin", "/admin/accounts"],
];

/** Writes each page in each language, scheme and width. */
async function photograph(
  browser: Browser,
  kith: PagesServer,
  paths: readonly string[],
  folder: string,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
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
        await signIn(page, kith, locale);
        for (const path of [...OWN, ...paths]) await shoot(path);
        await context.close();
      }
}

// `--guide` writes the pictures of the user guide into its folder instead.
const [first = "screenshots", guideFolder = "docs/user-guide"] =
  process.argv.slice(2);
const isGuide = first === "--guide";
const kith = await startPagesServer();
const browser = await chromium.launch({
  executablePath: process.env.KITH_TEST_BROWSER ?? findChromium(),
  args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
});
try {
  const filled = await fillServer(kith);
  if (isGuide) await writeGuidePictures(browser, kith, filled, guideFolder);
  else await photograph(browser, kith, filled.paths, first);
  console.log(`The pages are in ${isGuide ? guideFolder : first}.`);
} finally {
  await browser.close();
  await kith.close();
}
