import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import {
  authorizeUrl,
  exchange,
  newVerifier,
  registerClient,
} from "../../packages/server/test/support/sign-in/oauth-app.ts";
import {
  checkLayout,
  launchBrowser,
  listenForComplaints,
} from "../support/browser.ts";

const PHONE = { width: 390, height: 844 };
const PASSWORD = "correct horse";

let kith: PagesServer;
let browser: Browser;
/** A web client: its callback goes on to another origin, as those of some do. */
let client: Server;
let callback: string;
let landing: string;

before(async () => {
  kith = await startPagesServer();
  browser = await launchBrowser();
  client = createServer((request, response) => {
    const { searchParams, pathname } = new URL(request.url ?? "", callback);
    if (pathname === "/callback")
      response
        .writeHead(302, { location: `${landing}?${searchParams.toString()}` })
        .end();
    else
      response
        .writeHead(200, { "content-type": "text/html" })
        .end("<!doctype html><title>The app</title>Signed in.");
  });
  await new Promise<void>((resolve) => client.listen(0, resolve));
  const { port } = client.address() as AddressInfo;
  callback = `http://127.0.0.1:${port}/callback`;
  landing = `http://localhost:${port}/landing`;
  await kith.accounts.signUp({ username: "ida", password: PASSWORD });
});
after(async () => {
  await browser?.close();
  client?.closeAllConnections();
  await new Promise((resolve) => client?.close(resolve));
  await kith?.close();
});

async function openPage(t: {
  after: (run: () => Promise<void>) => void;
}): Promise<{ context: BrowserContext; page: Page; complaints: string[] }> {
  const context = await browser.newContext({ viewport: PHONE });
  t.after(() => context.close());
  const page = await context.newPage();
  return { context, page, complaints: listenForComplaints(page) };
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel("Username").fill("ida");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

test("on a phone: from the app to the sign-in, the question and back to the app", async (t) => {
  const { page, complaints } = await openPage(t);
  const app = await registerClient(kith.baseUrl, {
    redirect_uris: callback,
    client_name: "A reader of your streams and much else besides",
  });
  const { verifier, challenge } = newVerifier();
  const there = authorizeUrl(app, {
    ...{ scope: "read write follow push", state: "kept" },
    ...{ code_challenge: challenge, code_challenge_method: "S256" },
  });
  await page.goto(kith.baseUrl + there);
  await checkLayout(page);
  await signIn(page);
  await page.getByRole("heading", { name: "Let an app in" }).waitFor();
  await checkLayout(page);
  await page.getByText("A reader of your streams").waitFor();
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  await page.waitForURL(`${landing}?*`);
  const { searchParams } = new URL(page.url());
  assert.equal(searchParams.get("state"), "kept");
  const code = searchParams.get("code") ?? "";
  const given = await exchange(kith.baseUrl, app, code, {
    code_verifier: verifier,
  });
  assert.equal(given.status, 200, JSON.stringify(given.json));
  await page.goto(`${kith.baseUrl}/settings`);
  await page.getByRole("link", { name: "Apps with access" }).click();
  await checkLayout(page);
  await page.getByRole("button", { name: "End access" }).click();
  await page.getByText("The access has ended.").waitFor();
  await page.goto(kith.baseUrl + there);
  await page.getByRole("button", { name: "Do not allow" }).click();
  await page.waitForURL(`${landing}?error=access_denied*`);
  assert.deepEqual(complaints, []);
});

/** Where the browser is led after the user has agreed: an app's scheme has no page. */
async function allowAndWatch(page: Page, path: string): Promise<string> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  const led = new Promise<string>((resolve) => {
    session.on("Network.requestWillBeSent", ({ redirectResponse }) => {
      const { Location, location = Location } = redirectResponse?.headers ?? {};
      if (location) resolve(location);
    });
    session.on("Network.responseReceivedExtraInfo", ({ headers }) => {
      const { Location, location = Location } = headers;
      if (location) resolve(location);
    });
  });
  await page.goto(kith.baseUrl + path);
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  return led;
}

test("the browser may go on to an app's own scheme, and would not with form-action", async (t) => {
  const { page, complaints } = await openPage(t);
  const app = await registerClient(kith.baseUrl, {
    redirect_uris: "kithreader://sign-in",
  });
  const path = authorizeUrl(app);
  await page.goto(`${kith.baseUrl}/users/sign_in`);
  await signIn(page);
  await page.waitForURL("**/home");
  const location = await allowAndWatch(page, path);
  assert.match(location, /^kithreader:\/\/sign-in\?code=[\w-]{43}$/);
  await page.goto(`${kith.baseUrl}/home`);
  const violations = () =>
    complaints.splice(0).filter((it) => it.includes("form-action"));
  assert.deepEqual(violations(), []);
  // The same page under the policy of all others.
  await page.route("**/oauth/authorize?*", async (route) => {
    const answer = await route.fetch();
    const policy = `${answer.headers()["content-security-policy"]}; form-action 'self'`;
    const headers = { ...answer.headers(), "content-security-policy": policy };
    await route.fulfill({ response: answer, headers });
  });
  const blocked = page.waitForEvent("console", {
    predicate: (message) => message.text().includes("form-action"),
  });
  await page.goto(kith.baseUrl + path);
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  await blocked;
});

test("a web client opens the page in a window of its own, which keeps its opener", async (t) => {
  const { context, page } = await openPage(t);
  const app = await registerClient(kith.baseUrl, { redirect_uris: callback });
  await page.goto(landing);
  const opened = context.waitForEvent("page");
  await page.evaluate(`void open("${kith.baseUrl}${authorizeUrl(app)}")`);
  const popup = await opened;
  await signIn(popup);
  await popup.getByRole("button", { name: "Allow", exact: true }).click();
  await popup.waitForURL(`${landing}?*`);
  assert.equal(await popup.evaluate("opener !== null"), true);
});

test("no page of others shows the question in a frame", async (t) => {
  const { page } = await openPage(t);
  const app = await registerClient(kith.baseUrl, { redirect_uris: callback });
  await page.goto(landing);
  const url = JSON.stringify(kith.baseUrl + authorizeUrl(app));
  const refused = page.waitForEvent("console", {
    predicate: (message) => message.text().includes("frame-ancestors"),
  });
  await page.evaluate(
    `document.body.append(Object.assign(document.createElement("iframe"), { src: ${url} }))`,
  );
  await refused;
});
