import assert from "node:assert/strict";
import { type Browser, chromium, type Page } from "playwright-core";

/**
 * Starts the headless browser of the test run; the test closes it.
 * @throws with instructions if the run has none
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

/** Asserts that nothing is wider than the screen, and that the style is loaded. */
export async function checkLayout(page: Page): Promise<void> {
  // A page that has just begun may be without its style.
  await page.waitForLoadState();
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

/** Opens the sheet with everything of one's own. */
export async function openOwnPlaces(page: Page): Promise<void> {
  const places = page.getByRole("navigation", { name: "Main" });
  await places.getByText("Me", { exact: true }).click();
}

/** The browser's messages about broken pages: a violated policy, a missing file. */
export function listenForComplaints(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  return complaints;
}
