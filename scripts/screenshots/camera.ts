import type { Page } from "playwright-core";
import type { PagesServer } from "../../packages/server/test/support/pages/pages-server.ts";

const MAX_TRIES = 3;
const PASSWORD = "correct horse";

/** Under load, Chromium fails to capture a page now and then. */
export async function capture(page: Page, path?: string): Promise<Buffer> {
  for (let tries = 1; ; tries += 1)
    try {
      return await page.screenshot(path === undefined ? {} : { path });
    } catch (error) {
      if (tries === MAX_TRIES) throw error;
    }
}

/** Signs Ann in, who then reads in this language. */
export async function signIn(
  page: Page,
  { baseUrl }: Pick<PagesServer, "baseUrl">,
  language: string,
): Promise<void> {
  await page.goto(`${baseUrl}/users/sign_in`);
  await page.locator("#username").fill("ann");
  await page.locator("#password").fill(PASSWORD);
  await page.locator("#password").press("Enter");
  await page.waitForURL("**/home");
  await page.goto(`${baseUrl}/settings`);
  await page.locator("#language").selectOption(language);
  // The page has a form for notifications, too.
  const form = page.locator("form", { has: page.locator("#language") });
  await form.getByRole("button").click();
  await page.locator(".notice").waitFor();
}
