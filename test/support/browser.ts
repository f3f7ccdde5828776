import { type Browser, chromium } from "playwright-core";

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
