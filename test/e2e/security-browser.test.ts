import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { systemClock } from "../../packages/server/src/lib/time/clock.ts";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import { appOf } from "../../packages/server/test/support/sign-in/second-factor.ts";
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
  kith = await startPagesServer();
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  await kith?.close();
});

test("on a phone: a second factor and a passkey, from setting them up to signing in", async (t) => {
  const context = await browser.newContext({ viewport: PHONE });
  t.after(() => context.close());
  const page = await context.newPage();
  const complaints = listenForComplaints(page);
  const device = await addAuthenticator(page);
  await kith.accounts.signUp({ username: "ida", password: PASSWORD });
  await givePassword(page);
  await page.waitForURL("**/home");
  await openOwnPlaces(page);
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Security" }).click();
  await checkLayout(page);

  const setUp = formWith(page, "Set up a second factor");
  await setUp.getByLabel("Your password").fill(PASSWORD);
  await setUp.getByRole("button").click();
  await page.getByRole("img", { name: "The secret as a picture" }).waitFor();
  await checkLayout(page);
  const secret = (await page.locator("code").innerText()).replaceAll(" ", "");
  const app = appOf({ clock: systemClock }, secret);
  await page.getByLabel("Code").fill(app.code());
  await page.getByRole("button", { name: "Turn on" }).click();
  await page.getByRole("heading", { name: "recovery codes" }).waitFor();
  assert.equal(await page.locator("li code").count(), 10);
  await checkLayout(page);
  await page.getByRole("link", { name: "Back to Security" }).click();

  const add = formWith(page, "Add a passkey");
  await add.getByLabel("Name").fill("Ida’s phone");
  await add.getByLabel("Your password").fill("wrong!");
  await add.getByRole("button").click();
  await add.getByRole("alert").waitFor();
  assert.deepEqual(complaints.splice(0).length, 1, "the 401, and no more");
  await add.getByLabel("Your password").fill(PASSWORD);
  await add.getByRole("button").click();
  await page.getByText("Ida’s phone").waitFor();
  await checkLayout(page);

  await signOut(page);
  await givePassword(page);
  await page.waitForURL("**/users/sign_in/second");
  await checkLayout(page);
  await page.goto(`${kith.baseUrl}/home`);
  assert.match(page.url(), /sign_in$/, "no session before the second step");
  await page.goto(`${kith.baseUrl}/users/sign_in/second`);
  await page.getByRole("button", { name: "passkey" }).click();
  await page.waitForURL("**/home");

  await signOut(page);
  await page.goto(`${kith.baseUrl}/users/sign_in`);
  await checkLayout(page);
  await page.getByRole("button", { name: "passkey" }).click();
  await page.waitForURL("**/home");

  await signOut(page);
  await givePassword(page);
  await page.getByLabel("Code").fill(app.code(1));
  await page.getByRole("button", { name: "Go on" }).click();
  await page.waitForURL("**/home");

  await signOut(page);
  await device.forgetAll();
  await page.goto(`${kith.baseUrl}/users/sign_in`);
  await page.getByRole("button", { name: "passkey" }).click();
  await page.getByRole("alert").waitFor();
  await checkLayout(page);
  assert.deepEqual(complaints, []);
});

/** A device with a fingerprint reader, whose owner is always present. */
async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send(
    "WebAuthn.addVirtualAuthenticator",
    {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    },
  );
  return {
    forgetAll: () =>
      session.send("WebAuthn.clearCredentials", { authenticatorId }),
  };
}

function formWith(page: Page, button: string) {
  return page
    .locator("form")
    .filter({ has: page.getByRole("button", { name: button }) });
}

async function givePassword(page: Page): Promise<void> {
  await page.goto(`${kith.baseUrl}/users/sign_in`);
  await page.getByLabel("Username").fill("ida");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

async function signOut(page: Page): Promise<void> {
  await openOwnPlaces(page);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL(`${kith.baseUrl}/`);
}
