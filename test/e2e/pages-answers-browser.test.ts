import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import { newUser } from "../../packages/server/test/support/pages/visit.ts";
import {
  checkLayout,
  launchBrowser,
  listenForComplaints,
} from "../support/browser.ts";

let kith: PagesServer;
let browser: Browser;
before(async () => {
  // Sequentially, so that the server is closed even without a browser.
  kith = await startPagesServer();
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  await kith?.close();
});

for (const [how, javaScriptEnabled] of [
  ["with scripts", true],
  ["without scripts", false],
] as const)
  test(`on a phone ${how}: like, comment, answer, reshare`, async (t) => {
    const suffix = javaScriptEnabled ? "a" : "b";
    const ida = await newUser(kith.baseUrl, `ida_${suffix}`);
    const text = "A walk in the rain";
    const { csrf_token } = ida;
    await ida.post("/home", { csrf_token, text, audience: "everyone" });
    const { username, password } = await newUser(kith.baseUrl, `ole_${suffix}`);
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      javaScriptEnabled,
    });
    t.after(() => context.close());
    const page = await context.newPage();
    const complaints = listenForComplaints(page);
    const click = async (role: "button" | "link", name: string) => {
      const exact = name === "Comment";
      // A reshare shows the post again, with the same buttons.
      await page.getByRole(role, { name, exact }).first().click();
      if (javaScriptEnabled) await checkLayout(page);
    };
    await page.goto(`${kith.baseUrl}/u/${ida.username}`);
    await page.locator("article.post time").click();
    await click("link", "Sign in to comment");
    await signIn(page, username, password);
    await page.waitForURL("**/posts/*");
    await click("button", "Like the post by");
    await page.getByText("1 like", { exact: true }).waitFor();
    await page.getByLabel("Write a comment").fill("Wonderful. *Where?*");
    await click("button", "Comment");
    const comment = page.getByRole("article").filter({ hasText: "Wonderful" });
    await comment.waitFor();
    // The script puts it into the page, which stays.
    const at = javaScriptEnabled ? /\/posts\/\w+$/ : /#[0-9a-f]{32}$/;
    assert.match(page.url(), at);
    await click("link", "Reply to the comment by");
    await page.getByText("In reply to").waitFor();
    await page.getByLabel("Write a comment").fill("Along the river.");
    // The page of the post is loaded anew, at the answer.
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await page.waitForURL(/#[0-9a-f]{32}$/);
    await page.locator(".comment").getByText("Along the river.").waitFor();
    assert.equal(await comment.locator("em").innerText(), "Where?");
    await click("button", "Reshare the post by");
    await page
      .getByRole("button", { name: /^Undo the reshare/ })
      .first()
      .waitFor();
    await click("link", "Home");
    await click("button", "Unlike the post by");
    await page.getByText("0 likes").first().waitFor();
    // The script changes the post where it stands.
    const place = javaScriptEnabled ? /\/home$/ : /\/home#post-[0-9a-f]{32}$/;
    assert.match(page.url(), place);
    assert.deepEqual(complaints, []);
  });

async function signIn(page: Page, username: string, password: string) {
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}
