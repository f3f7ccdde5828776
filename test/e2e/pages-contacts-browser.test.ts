import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import { newUser } from "../../packages/server/test/support/pages/visit.ts";
import {
  checkLayout,
  launchBrowser,
  listenForComplaints,
  openOwnPlaces,
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

test("on a phone: find somebody, follow them, and put them into an aspect", async (t) => {
  const ida = await newUser(kith.baseUrl, "ida");
  const { username, password } = await newUser(kith.baseUrl, "ole");
  const viewport = { width: 390, height: 844 };
  const context = await browser.newContext({ viewport });
  t.after(() => context.close());
  const page = await context.newPage();
  const complaints = listenForComplaints(page);
  const button = async (name: string) => {
    await page.getByRole("button", { name, exact: true }).click();
    await checkLayout(page);
  };
  await page.goto(`${kith.baseUrl}/aspects`);
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password").fill(password);
  await button("Sign in");
  await page.waitForURL("**/aspects");
  await page.getByLabel("Name", { exact: true }).fill("Neighbours and friends");
  await button("Create");
  await page.getByText("You are in contact with nobody yet.").waitFor();
  await page.getByRole("link", { name: "Find people" }).click();
  await page.getByLabel("Find people").fill(ida.username);
  await button("Search");
  await page.getByRole("link", { name: /^ida@/ }).click();
  await checkLayout(page);
  await button("Follow");
  await page.getByRole("button", { name: "Unfollow" }).waitFor();
  await page.getByText("In your aspects: Following").click();
  await page.getByLabel("Neighbours and friends").check();
  await button("Save");
  await page
    .getByText("In your aspects: Neighbours and friends, Following")
    .waitFor();
  await openOwnPlaces(page);
  await page.getByRole("link", { name: "People", exact: true }).click();
  await page.getByRole("link", { name: /^ida@/ }).waitFor();
  await checkLayout(page);
  await page.getByRole("link", { name: "Neighbours and friends" }).click();
  await page.getByLabel(/ida@/).waitFor();
  assert.equal(await page.getByLabel(/ida@/).isChecked(), true);
  await checkLayout(page);
  await page.getByLabel("Name", { exact: true }).fill("Neighbours");
  await button("Rename");
  await page
    .getByRole("heading", { name: "Neighbours", exact: true })
    .waitFor();
  assert.deepEqual(complaints, []);
});
