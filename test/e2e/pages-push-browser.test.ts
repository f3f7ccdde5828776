import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { newReceiverKeys } from "../../packages/server/test/support/push/push-receiver.ts";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import {
  checkLayout,
  launchBrowser,
  listenForComplaints,
} from "../support/browser.ts";

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

/** Stands in for the push service of the browser's maker, which needs the network. */
function receiverScript(): string {
  const { pair, auth } = newReceiverKeys();
  const subscription = {
    endpoint: "https://push.example/browser",
    keys: {
      p256dh: pair.getPublicKey("base64url"),
      auth: auth.toString("base64url"),
    },
  };
  return `Object.assign(PushManager.prototype, {
    getSubscription: async () => null,
    subscribe: async ({ applicationServerKey, userVisibleOnly }) => {
      if (!userVisibleOnly || applicationServerKey.length !== 87) throw new Error();
      return { toJSON: () => (${JSON.stringify(subscription)}) };
    },
  });`;
}

/**
 * Lets the worker receive a push, and clicks on it and on one of another site. The headless
 * browser shows none, so what it would show and open is noted.
 */
const IN_WORKER = `(async () => {
  const noted = [];
  self.registration.showNotification = async (title, { body, data }) =>
    void noted.push([title, body, data.url]);
  self.clients.openWindow = async (url) => void noted.push(url);
  const send = async (event, more = {}) => {
    let done;
    event.waitUntil = (promise) => (done = promise);
    self.dispatchEvent(Object.assign(event, more));
    await done;
  };
  const url = location.origin + "/notifications";
  const data = JSON.stringify({ title: "Ben mentioned you", body: "hello",
    lang: "en", tag: "1", url });
  await send(new PushEvent("push", { data }));
  for (const to of [url, "https://elsewhere.example/"])
    await send(new Event("notificationclick"), {
      notification: { data: { url: to }, close: () => {} },
    });
  return noted;
})()`;

async function signIn(page: Page, username: string): Promise<void> {
  await kith.accounts.signUp({ username, password: PASSWORD });
  await page.goto(`${kith.baseUrl}/users/sign_in`);
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).first().click();
  await page.waitForURL("**/home");
}

test("a browser is switched on, shows a push, and is switched off", async (t) => {
  const context = await browser.newContext();
  t.after(() => context.close());
  await context.grantPermissions(["notifications"], { origin: kith.baseUrl });
  await context.addInitScript(receiverScript());
  const page = await context.newPage();
  const complaints = listenForComplaints(page);
  await signIn(page, "ann");
  await page.goto(`${kith.baseUrl}/settings`);
  await checkLayout(page);
  const worker = context.waitForEvent("serviceworker", {
    predicate: (it) => it.url().includes("push-worker"),
  });
  await page.getByRole("button", { name: "Show notifications" }).click();
  const off = page.getByRole("button", { name: "Show no more notifications" });
  await off.waitFor();
  await checkLayout(page);
  const shown = await (await worker).evaluate<unknown>(IN_WORKER);
  assert.deepEqual(shown, [
    ["Ben mentioned you", "hello", `${kith.baseUrl}/notifications`],
    `${kith.baseUrl}/notifications`,
  ]);
  await off.click();
  await page.getByRole("button", { name: "Show notifications" }).waitFor();
  assert.deepEqual(complaints, []);
});

test("the worker controls no page, and a browser that allows nothing is told so", async (t) => {
  const context = await browser.newContext();
  t.after(() => context.close());
  const page = await context.newPage();
  await signIn(page, "ben");
  await page.goto(`${kith.baseUrl}/settings`);
  await page.getByRole("button", { name: "Show notifications" }).click();
  await page.getByRole("alert").getByText("does not allow").waitFor();
  const { scopes, controller } = await page.evaluate<{
    scopes: string[];
    controller: string | undefined;
  }>(`(async () => {
    const { serviceWorker } = navigator;
    await serviceWorker.register("/assets/push-worker.js");
    const all = await serviceWorker.getRegistrations();
    const scopeOf = (name) => all
      .filter(({ installing, waiting, active }) =>
        (installing ?? waiting ?? active).scriptURL.includes(name))
      .map(({ scope }) => new URL(scope).pathname);
    return { scopes: scopeOf("push-worker"), controller: serviceWorker.controller?.scriptURL };
  })()`);
  assert.deepEqual(scopes, ["/assets/"]);
  assert.doesNotMatch(controller ?? "", /push-worker/);
});
