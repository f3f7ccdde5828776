import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import {
  checkLayout,
  launchBrowser,
  openOwnPlaces,
} from "../support/browser.ts";

const PASSWORD = "correct horse";

let kith: PagesServer;
let browser: Browser;
before(async () => {
  // Sequentially, so that the server is closed even without a browser.
  kith = await startPagesServer({ registration: "approval" });
  browser = await launchBrowser();
  for (const [username, role] of [
    ["boss", "admin"],
    ["plain", "user"],
  ] as const)
    await kith.accounts.signUp({ username, password: PASSWORD, role });
});
after(async () => {
  await browser?.close();
  await kith?.close();
});

type Test = { after(done: () => Promise<void>): void };

/** A person with their own browser, without scripts. */
async function visitor(t: Test): Promise<{
  context: BrowserContext;
  page: Page;
  complaints: string[];
}> {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  });
  t.after(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  return { context, page, complaints };
}

async function signIn(page: Page, username: string): Promise<void> {
  await page.goto(`${kith.baseUrl}/users/sign_in`);
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/home");
}

/** Creates an account with the open form. */
async function signUp(page: Page, username: string): Promise<void> {
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Password again").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.waitForURL("**/users/sign_in");
}

async function goTo(page: Page, section: string): Promise<void> {
  const sections = page.getByRole("navigation", { name: "Administration" });
  await sections.getByRole("link", { name: section }).click();
  await page.getByRole("heading", { level: 1, name: section }).waitFor();
  await checkLayout(page);
}

test("an admin approves an account, invites, blocks a server, and reads the audit log, all without scripts", async (t) => {
  const guest = await visitor(t);
  await guest.page.goto(`${kith.baseUrl}/users/sign_up`);
  await guest.page.getByLabel("Why do you want to join?").fill("I bake bread.");
  await signUp(guest.page, "baker");

  const { page, complaints } = await visitor(t);
  await signIn(page, "boss");
  await openOwnPlaces(page);
  await page.getByRole("link", { name: "Administration" }).click();
  await page.getByRole("link", { name: "Registrations: 1" }).click();
  await page.getByText("I bake bread.").waitFor();
  await checkLayout(page);
  await page.getByRole("button", { name: "Approve" }).click();
  assert.match(await page.getByRole("status").innerText(), /is approved/);
  await page.getByText("No pending registrations.").waitFor();
  await page.reload();
  assert.equal(await page.getByRole("status").count(), 0);
  await signIn(guest.page, "baker");

  await goTo(page, "Invitations");
  await page.getByLabel("For how many accounts").fill("2");
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const link = await page.locator(".secret").innerText();
  const invited = await visitor(t);
  await invited.page.goto(link);
  await invited.page.getByText("You are invited").waitFor();
  assert.equal(await invited.page.getByLabel("Why do you").count(), 0);
  await signUp(invited.page, "friend");
  await signIn(invited.page, "friend");
  await goTo(page, "Invitations");
  await page.getByText("1 / 2").waitFor();
  await page.getByRole("button", { name: "Take back" }).click();
  await page.getByText("taken back").waitFor();

  await goTo(page, "Servers");
  await page.getByRole("textbox", { name: "Server" }).fill("not a host");
  await page.getByRole("button", { name: "Decide" }).click();
  assert.match(await page.getByRole("alert").innerText(), /not another server/);
  await page.getByRole("textbox", { name: "Server" }).fill("bad.example");
  await page.getByRole("textbox", { name: "Reason" }).fill("spam");
  await page.getByRole("button", { name: "Decide" }).click();
  await page.getByRole("cell", { name: "blocked" }).waitFor();

  await goTo(page, "Accounts");
  await page.getByRole("textbox", { name: "Name" }).fill("friend");
  await page.getByRole("button", { name: "Search" }).click();
  const row = page.getByRole("region", { name: "friend" });
  await row.getByText("Change", { exact: true }).click();
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await checkLayout(page);
    const buttons = await row.getByRole("button").all();
    assert.equal(buttons.length, 4);
    for (const button of buttons) {
      const box = await button.boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= width, `${width}`);
    }
  }
  await row.getByRole("button", { name: "End sessions" }).click();
  await page.getByText("End all sessions and tokens of friend?").waitFor();
  await invited.page.goto(`${kith.baseUrl}/home`);
  await invited.page.waitForURL("**/home");
  await page.getByRole("link", { name: "Back to the list" }).click();
  const friend = page.getByRole("region", { name: "friend" });
  await friend.getByText("Change", { exact: true }).click();
  await friend.getByLabel("Role").selectOption("moderator");
  await friend.getByRole("button", { name: "Save role" }).click();
  await page.getByRole("button", { name: "Change the role" }).click();
  assert.match(await page.getByRole("status").innerText(), /role is changed/);
  await goTo(page, "Queue and relays");
  await page.getByText("apply-host-policies").waitFor();

  await goTo(page, "Audit log");
  const acts = await page.getByRole("row").locator("code").allInnerTexts();
  assert.deepEqual(acts, [
    "account.set_role",
    "host.block",
    "invitation.revoke",
    "invitation.create",
    "account.approve",
  ]);
  assert.deepEqual(
    [...complaints, ...guest.complaints],
    [
      // The answer to a refused form is not an error of the page.
      "Failed to load resource: the server responded with a status of 422 (Unprocessable Entity)",
    ],
  );

  await invited.page.goto(`${kith.baseUrl}/admin`);
  const sections = invited.page.getByRole("navigation", {
    name: "Administration",
  });
  assert.deepEqual(await sections.getByRole("link").allInnerTexts(), [
    ...["Overview", "Reports", "Appeals", "Held texts", "People"],
    ...["Registrations", "Accounts", "Servers"],
  ]);
});

test("a user reports a person, whom a moderator suspends and restores", async (t) => {
  for (const [username, role] of [
    ["keeper", "moderator"],
    ["rude", "user"],
    ["hurt", "user"],
  ] as const)
    await kith.accounts.signUp({ username, password: PASSWORD, role });
  const { page: rude } = await visitor(t);
  await signIn(rude, "rude");
  const { page: hurt } = await visitor(t);
  await signIn(hurt, "hurt");
  await hurt.goto(`${kith.baseUrl}/u/rude`);
  await hurt.locator(".contact summary", { hasText: "More" }).click();
  await hurt.getByRole("link", { name: "Report" }).click();
  await hurt.getByRole("main").getByText("rude@").waitFor();
  const box = await hurt.getByRole("checkbox").boundingBox();
  const label = await hurt.getByText("If the person is on").boundingBox();
  assert.ok(box && label, "both are shown");
  assert.ok(box.x + box.width <= label.x, "the box is left of its label");
  assert.ok(box.y + box.height > label.y, "and not above it");
  await checkLayout(hurt);
  await hurt.getByRole("textbox").fill("Insults me every day.");
  await hurt.getByRole("button", { name: "Report" }).click();
  await hurt.getByRole("heading", { level: 1, name: "Thank you" }).waitFor();

  const { page } = await visitor(t);
  await signIn(page, "keeper");
  await page.goto(`${kith.baseUrl}/admin`);
  await goTo(page, "Reports");
  await page.getByText("Insults me every day.").waitFor();
  await page.getByRole("link", { name: "1", exact: true }).click();
  await page.getByRole("textbox", { name: "Reason" }).first().fill("insults");
  await page.getByRole("button", { name: "Suspend" }).click();
  await page.getByRole("button", { name: "End the suspension" }).waitFor();
  await rude.goto(`${kith.baseUrl}/home`);
  await rude.waitForURL("**/users/sign_in");
  const gone = await hurt.goto(`${kith.baseUrl}/u/rude`);
  assert.equal(gone?.status(), 404);

  await goTo(page, "People");
  await page.getByRole("cell", { name: "suspended" }).waitFor();
  await page.getByRole("link", { name: "rude@" }).click();
  await page.getByRole("button", { name: "End the suspension" }).click();
  await page.getByText("nothing was decided").waitFor();
  assert.equal((await hurt.goto(`${kith.baseUrl}/u/rude`))?.status(), 200);
});

test("a plain user sees neither the link nor the pages", async (t) => {
  const { page } = await visitor(t);
  await signIn(page, "plain");
  await openOwnPlaces(page);
  const link = page.getByRole("link", { name: "Administration" });
  assert.equal(await link.count(), 0);
  const answer = await page.goto(`${kith.baseUrl}/admin`);
  assert.equal(answer?.status(), 404);
  assert.match(await page.innerText("h1"), /Nothing to see/);
});
