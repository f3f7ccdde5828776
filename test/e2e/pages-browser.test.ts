import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import {
  checkLayout,
  launchBrowser,
  listenForComplaints,
  openOwnPlaces,
} from "../support/browser.ts";

const PHONE = { width: 390, height: 844 };
const PASSWORD = "correct horse";

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

const LONG_POST = `# A walk

**Rain** all day, then _sun_. @{ida@HOST} came along. #walking

> ${"verylongword".repeat(20)}

\`\`\`
${"a line of code that does not end ".repeat(8)}
\`\`\`

| ${"a wide column | ".repeat(12)}
| ${"--- | ".repeat(12)}
| ${"with cells | ".repeat(12)}

[the map](https://maps.example/?q=${"x".repeat(80)})

- one
- two

<script>document.title = "run"</script>`;

test("on a phone: a new server is set up and described", async (t) => {
  const page = await newPhone(t);
  const complaints = listenForComplaints(page);
  await visit(page, "/");
  await page.getByRole("link", { name: "Set up this server" }).click();
  await checkLayout(page);
  await page.getByLabel("Username").fill("ada");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Password again").fill(PASSWORD);
  await page.getByRole("button", { name: "Create the account" }).click();
  await page.waitForURL("**/admin/server");
  await checkLayout(page);
  await page.getByLabel("Name").fill("Mill Lane");
  await page.getByLabel("Rules").fill("- Be kind.");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("What you changed is saved.").waitFor();
  await page.getByRole("link", { name: "Your own first steps" }).click();
  await page.getByRole("link", { name: "Write your first post" }).waitFor();
  await checkLayout(page);
  assert.deepEqual(complaints, []);
});

test("on a phone: sign up, sign in, write, read", async (t) => {
  const page = await newPhone(t);
  const complaints = listenForComplaints(page);
  await visit(page, "/");
  await page.getByRole("main").getByRole("link", { name: "Sign up" }).click();
  await checkLayout(page);
  await page.getByLabel("Username").fill("ida");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Password again").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.waitForURL("**/users/sign_in");
  await checkLayout(page);
  assert.match(await page.getByRole("status").innerText(), /account is ready/);
  await signIn(page, "ida", "/welcome");
  assert.equal((await kith.accounts.find("ida"))?.timeZone, "Asia/Tokyo");
  await page.getByRole("link", { name: "To your home" }).click();
  await page
    .getByLabel("What is on your mind?")
    .fill(LONG_POST.replace("HOST", kith.host));
  await page.getByRole("button", { name: "Publish" }).click();
  const post = page.getByRole("article");
  await post.getByText("Rain").waitFor();
  await checkLayout(page);
  await openOwnPlaces(page);
  await page.getByRole("link", { name: "Profile" }).click();
  await checkLayout(page);
  await post.locator("time").click();
  await page.waitForURL("**/posts/*");
  await checkLayout(page);
  assert.match(await page.title(), /^ida@.*A walk/);
  assert.match(await post.innerText(), /\(maps\.example\)/);
  assert.match(await post.innerText(), /<script>/);
  await openOwnPlaces(page);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL(`${kith.baseUrl}/`);
  assert.deepEqual(complaints, []);
});

test("a refused form keeps the text and gives instructions", async (t) => {
  const page = await newPhone(t);
  await visit(page, "/users/sign_in");
  await page.getByLabel("Username").fill("nobody-here");
  await page.getByLabel("Password").fill("wrong!");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("alert").waitFor();
  await checkLayout(page);
  // The fault is where the page begins, and the next key leads to its field.
  assert.equal(await page.locator("[role=alert]:focus").count(), 1);
  await page.keyboard.press("Tab");
  assert.equal(await page.locator("input:focus").count(), 1);
  assert.equal(await page.getByLabel("Username").inputValue(), "nobody-here");
  await visit(page, "/nowhere");
  assert.match(await page.innerText("h1"), /Nothing to see/);
});

test("another site's page cannot sign people up", async (t) => {
  const page = await newPhone(t);
  const form = `<form method="post" action="${kith.baseUrl}/users/sign_up">
    <input name="username" value="tricked"><input name="password" value="secret">
    <button>Win</button></form>`;
  await page.route("http://evil.test/", (route) =>
    route.fulfill({ contentType: "text/html", body: form }),
  );
  await page.goto("http://evil.test/");
  await page.getByRole("button", { name: "Win" }).click();
  await page.getByText("came from another site").waitFor();
  assert.equal(await kith.accounts.find("tricked"), undefined);
});

test("the pages can be used with the keyboard alone", async (t) => {
  const page = await newPhone(t);
  await visit(page, "/");
  await page.keyboard.press("Tab");
  const focused = page.locator(":focus");
  assert.equal(await focused.innerText(), "Skip to the content");
  const box = await focused.boundingBox();
  assert.ok(box && box.y >= 0, "the link shows itself when it has the focus");
  const outline = await page.evaluate<string>(
    "getComputedStyle(document.activeElement).outlineStyle",
  );
  assert.equal(outline, "solid");
});

async function newPhone(t: { after(done: () => Promise<void>): void }) {
  const context = await browser.newContext({
    ...{ viewport: PHONE, timezoneId: "Asia/Tokyo" },
  });
  t.after(() => context.close());
  return context.newPage();
}

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(kith.baseUrl + path);
  await checkLayout(page);
}

async function signIn(
  page: Page,
  username: string,
  to = "/home",
): Promise<void> {
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(`**${to}`);
  await checkLayout(page);
}
