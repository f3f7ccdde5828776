import assert from "node:assert/strict";
import { type Browser, chromium, type Page } from "playwright-core";

/**
 * Starts the browser of the test run, headless; the test closes it.
 * @throws where the run has none, saying what to do
 */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.KITH_TEST_BROWSER;
  if (!executablePath)
    throw new Error(
      "This test needs a browser: run it through npm test, and where that finds " +
        "none, set KITH_TEST_BROWSER to the program of a Chromium or Chrome.",
    );
  return chromium.launch({
    executablePath,
    headless: true,
    args: [
      "--no-sandbox", // Chromium has no sandbox for root
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-dev-shm-usage", // 64 MB in containers, too little
      "--disable-sync",
      "--no-first-run",
      "--no-pings",
    ],
  });
}

/** Nothing is wider than the screen, and the style is there. */
export async function checkLayout(page: Page): Promise<void> {
  const { scrolled, screen, family } = await page.evaluate<{
    scrolled: number;
    screen: number;
    family: string;
  }>(`({
    scrolled: document.documentElement.scrollWidth,
    screen: document.documentElement.clientWidth,
    family: getComputedStyle(document.body).fontFamily,
  })`);
  assert.ok(scrolled <= screen, `${page.url()} is ${scrolled} wide`);
  assert.match(family, /system-ui/);
}

/** What the browser says of broken pages: a policy violated, a file missing. */
export function listenForComplaints(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  return complaints;
}
