import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import type { PagesServer } from "../../packages/server/test/support/pages/pages-server.ts";
import { capture, signIn } from "./camera.ts";
import type { FilledServer } from "./fill-server.ts";

const SCREENS = {
  phone: { width: 360, height: 740 },
  desktop: { width: 1280, height: 800 },
} as const;

type Shot = {
  readonly name: string;
  readonly path: string;
  /** Acts on the page first. */
  readonly prepare?: (page: Page) => Promise<void>;
};

/** Writes the pictures of the user guide: each on a phone and on a desktop. */
export async function writeGuidePictures(
  browser: Browser,
  kith: PagesServer,
  filled: FilledServer,
  folder: string,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [screen, viewport] of Object.entries(SCREENS)) {
    const context = await browser.newContext({
      ...{ viewport, locale: "en", colorScheme: "light" },
    });
    const page = await context.newPage();
    await signIn(page, kith, "en");
    for (const { name, path, prepare } of shotsOf(filled)) {
      await page.goto(kith.baseUrl + path);
      await prepare?.(page);
      await sharp(await capture(page))
        .webp({ quality: 80, effort: 6 })
        .toFile(join(folder, `${name}-${screen}.webp`));
    }
    await context.close();
  }
}

function shotsOf(filled: FilledServer): readonly Shot[] {
  return [
    { name: "welcome", path: "/welcome" },
    { name: "home", path: "/home" },
    { name: "write", path: "/write", prepare: writeToFamily },
    { name: "post", path: filled.post },
    { name: "person", path: filled.profile },
    { name: "people", path: "/people" },
    { name: "event", path: filled.event },
    { name: "month", path: "/calendar?month=2127-06" },
    { name: "messages", path: filled.conversation },
    { name: "search", path: "/search?q=garden" },
    { name: "settings", path: "/settings" },
  ];
}

/** The sentence on who sees it comes from the server. */
async function writeToFamily(page: Page): Promise<void> {
  await page.locator("#text").fill("Dinner on Sunday at our place?");
  await page.locator("#audience-aspects").check();
  await page.locator("input[name=aspect]").first().check();
  await page.locator(".reach").waitFor();
}
