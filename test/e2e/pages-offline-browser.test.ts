import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test, type TestContext } from "node:test";
import type { Browser, BrowserContext, Page, Worker } from "playwright-core";
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

const AXE = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

type User = Awaited<ReturnType<typeof newUser>>;

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

const COPY = "This is a copy of your Home page";

let made = 0;

/** Somebody with a post on Home, who has it open in a browser that keeps it. */
async function newReader(t: TestContext, language: "en" | "de" = "en") {
  const user = await newUser(kith.baseUrl, `reader_${(made += 1)}`);
  const handle = `${user.username}@${kith.host}`;
  const person = (await kith.people.find({ handle })) ?? assert.fail();
  const userId = person.userId ?? assert.fail();
  await kith.accounts.changeSettings(userId, { locale: language });
  await write(user, `Cherries of ${user.username}`);
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
  });
  t.after(() => context.close());
  await becomeUser(context, user);
  const page = await context.newPage();
  const complaints = listenForComplaints(page);
  const begun = context.waitForEvent("serviceworker");
  await goTo(page, "/home");
  const worker = await begun;
  await untilKept(page, ["/home", "/offline"]);
  return { user, context, page, worker, complaints };
}

async function becomeUser(context: BrowserContext, user: User): Promise<void> {
  const [name = "", value = ""] = user.cookies().split("=");
  await context.addCookies([{ name, value, url: kith.baseUrl }]);
}

async function write(user: User, text: string): Promise<void> {
  const { post, csrf_token } = user;
  const form = { csrf_token, text, audience: "everyone" };
  assert.equal((await post("/home", form)).status, 302);
}

const goTo = (page: Page, path: string) => page.goto(kith.baseUrl + path);

/** The paths of the pages that the worker keeps. */
const KEPT = `caches.open("kith pages").then((cache) => cache.keys())
  .then((all) => all.map(({ url }) => new URL(url).pathname).sort())`;

/** @param place a page, or the worker where the page is the browser's own */
const listKept = (place: Pick<Worker, "evaluate">) =>
  place.evaluate<string[]>(KEPT);

async function untilKept(
  place: Pick<Worker, "evaluate">,
  wanted: readonly string[],
) {
  for (let tries = 0; tries < 200; tries += 1) {
    if ((await listKept(place)).join() === wanted.join()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.deepEqual(await listKept(place), wanted);
}

async function typeDraft(page: Page, text: string): Promise<void> {
  await page.locator("#write #text").fill(text);
  await page.evaluate(`new Promise((done) => {
    const look = () =>
      Object.values(localStorage).join().includes(${JSON.stringify(text)})
        ? done()
        : setTimeout(look, 20);
    look();
  })`);
}

/** Without what the browser says of each request that does not reach the network. */
const besidesNetwork = (complaints: readonly string[]) =>
  complaints.filter((it) => !it.includes("net::ERR_INTERNET_DISCONNECTED"));

const LANGUAGES = [
  { language: "en", copy: COPY, again: "Try again", title: "No network" },
  {
    language: "de",
    copy: "Dies ist eine Kopie deiner Startseite",
    again: "Noch einmal versuchen",
    title: "Kein Netz",
  },
] as const;

for (const { language, copy, again, title } of LANGUAGES)
  test(`Home is read without network, and is fresh with it, in ${language}`, async (t) => {
    const reader = await newReader(t, language);
    const { user, context, page, complaints } = reader;
    const notice = page.locator("p[data-copy]");
    assert.equal(await notice.isVisible(), false);
    await context.setOffline(true);
    await goTo(page, "/home");
    assert.ok((await notice.innerText()).includes(copy));
    const year = String(new Date().getFullYear());
    assert.ok((await notice.locator("time").innerText()).includes(year));
    await page.getByText(`Cherries of ${user.username}`).waitFor();
    await checkLayout(page);
    await goTo(page, "/events?known=true");
    assert.equal(await page.locator("html").getAttribute("lang"), language);
    await page.getByRole("heading", { name: title }).waitFor();
    await checkLayout(page);
    await page.locator("a[data-home]").click();
    await page.getByText(copy).waitFor();
    await goTo(page, "/events");
    await context.setOffline(false);
    await page.getByRole("link", { name: again }).click();
    await page.locator("nav.places").waitFor();
    assert.equal(new URL(page.url()).pathname, "/events");
    await write(user, "Fresh from the tree");
    await goTo(page, "/home");
    await page.getByText("Fresh from the tree").waitFor();
    assert.equal(await notice.isVisible(), false);
    assert.deepEqual(besidesNetwork(complaints), []);
  });

test("an unsent text is read on the page without network, as text alone", async (t) => {
  const { context, page, complaints } = await newReader(t);
  const typed = "<b>Half</b> a thought <img src=x>";
  await typeDraft(page, typed);
  await page.evaluate(
    `localStorage.setItem("kith draft somebody", '[["text","Not mine"]]')`,
  );
  await context.setOffline(true);
  await goTo(page, "/notifications");
  const drafts = page.locator("[data-drafts]");
  await drafts.getByText(typed).waitFor();
  assert.equal(await drafts.locator(".draft").count(), 1);
  assert.equal(await drafts.locator("b, img").count(), 0);
  assert.equal(await page.locator("a[data-home]").isVisible(), true);
  await page.evaluate(AXE);
  const faults = await page.evaluate(
    `axe.run(document).then(({ violations }) => violations.map(({ help }) => help))`,
  );
  assert.deepEqual(faults, []);
  assert.deepEqual(besidesNetwork(complaints), []);
});

test("a form without network fails, and what was typed is back", async (t) => {
  const { context, page } = await newReader(t);
  await context.setOffline(true);
  await goTo(page, "/home");
  await typeDraft(page, "Written on a train");
  const failed = assert.rejects(page.waitForURL("**/posts/*"), /ERR_INTERNET/);
  await page.getByRole("button", { name: /^Publish/ }).click();
  await failed;
  await page.waitForURL("chrome-error://**");
  await goTo(page, "/home");
  await page.getByText("Your unsent text is back.").waitFor();
  const text = page.locator("#write #text");
  assert.equal(await text.inputValue(), "Written on a train");
  await context.setOffline(false);
  await goTo(page, "/home");
  await page.getByRole("button", { name: /^Publish/ }).click();
  await page
    .locator("article.post", { hasText: "Written on a train" })
    .waitFor();
});

test("a sign-out forgets the pages and unsent texts, and nobody reads them afterwards", async (t) => {
  const { context, page } = await newReader(t);
  await typeDraft(page, "Not for the next one here");
  // A page with another script beside that of all pages.
  await goTo(page, "/settings/security");
  await page.locator("nav.places summary").click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.locator("nav.visitor").waitFor();
  assert.deepEqual(
    await page.evaluate(
      `Object.keys(localStorage).filter((key) => /draft/.test(key))`,
    ),
    [],
  );
  await untilKept(page, []);
  await context.setOffline(true);
  await assert.rejects(goTo(page, "/home"), /ERR_/);
  await assert.rejects(goTo(page, "/events"), /ERR_/);
});

test("a sign-out that does not reach the server forgets the pages, too", async (t) => {
  const { context, page, worker } = await newReader(t);
  await context.setOffline(true);
  await goTo(page, "/home");
  await page.locator("nav.places summary").click();
  const failed = assert.rejects(page.waitForURL("**/posts/*"), /ERR_INTERNET/);
  await page.getByRole("button", { name: "Sign out" }).click();
  await failed;
  await untilKept(worker, []);
});

test("another account, or a session that has ended, never shows the first one's page", async (t) => {
  const { context, page, user } = await newReader(t);
  const other = await newUser(kith.baseUrl, "another");
  await becomeUser(context, other);
  await goTo(page, "/events");
  await untilKept(page, []);
  await goTo(page, "/home");
  await untilKept(page, ["/home", "/offline"]);
  await context.setOffline(true);
  await goTo(page, "/home");
  await page.getByText(COPY).waitFor();
  assert.equal(await page.getByText(user.username).count(), 0);
  await context.setOffline(false);
  await other.post("/users/sign_out", { csrf_token: other.csrf_token });
  await goTo(page, "/home");
  assert.equal(new URL(page.url()).pathname, "/users/sign_in");
  await untilKept(page, []);
});

/** Lets the server answer so from now on, as far as the worker sees it. */
const failWith = (worker: Worker, status: number) =>
  worker.evaluate(`self.fetch = async () => new Response("It is broken.",
    { status: ${status}, headers: { "content-type": "text/plain" } })`);

test("a server that fails is seen to fail, and the copy is kept", async (t) => {
  const { page, worker } = await newReader(t);
  await failWith(worker, 503);
  for (const path of ["/home", "/events"]) {
    const answer = await goTo(page, path);
    assert.equal(answer?.status(), 503, path);
    assert.equal(await page.getByText("It is broken.").count(), 1);
  }
  assert.deepEqual(await listKept(page), ["/home", "/offline"]);
});

test("a sign-out during the request of Home forgets the answer", async (t) => {
  const { page, worker } = await newReader(t);
  const kept = await worker.evaluate<number>(`(async () => {
    const home = await fetch("/home", { headers: { accept: "text/html" } });
    const begun = forgotten;
    await forget();
    await learn(home, true, begun);
    return (await (await caches.open("kith pages")).keys()).length;
  })()`);
  assert.equal(kept, 0);
  assert.deepEqual(await listKept(page), []);
});

test("where a browser has no room or no leave, pages are as ever", async (t) => {
  const { page, worker, complaints } = await newReader(t);
  await worker.evaluate(`Object.assign(Cache.prototype, {
    put: async () => { throw new DOMException("Full", "QuotaExceededError"); },
    match: async () => { throw new DOMException("No", "SecurityError"); },
  })`);
  for (const path of ["/home", "/events"])
    assert.equal((await goTo(page, path))?.status(), 200, path);
  assert.deepEqual(complaints, []);
});

test("a new version of the worker drops the old shell and keeps Home", async (t) => {
  const { page, worker } = await newReader(t);
  const shells = await worker.evaluate<string[]>(`(async () => {
    await caches.open("kith shell old");
    await takeOver();
    return (await caches.keys()).sort();
  })()`);
  assert.equal(shells.length, 2);
  assert.equal(shells[0], "kith pages");
  assert.match(shells[1] ?? "", /^kith shell [0-9a-f]{12}$/);
  await untilKept(page, ["/home", "/offline"]);
});

test("requests that are no pages do not pass through the worker", async (t) => {
  const { page, worker } = await newReader(t);
  await worker.evaluate(`{
    self.asked = [];
    const before = self.fetch;
    self.fetch = (request, ...more) => {
      self.asked.push(new URL(request.url ?? request, location.href).pathname);
      return before(request, ...more);
    };
  }`);
  await page.evaluate(`(async () => {
    for (const path of ["/parts/unread", "/api/v0/users/self", "/media/none", "/home"])
      await fetch(path);
    await new Promise((done) => {
      const live = new EventSource("/live");
      live.onopen = live.onerror = () => done(live.close());
    });
  })()`);
  assert.deepEqual(await worker.evaluate(`self.asked`), []);
});

test("visitors get no worker", async (t) => {
  const context = await browser.newContext();
  t.after(() => context.close());
  const page = await context.newPage();
  const complaints = listenForComplaints(page);
  await goTo(page, "/");
  const count = await page.evaluate<number>(
    `navigator.serviceWorker.getRegistrations().then(({ length }) => length)`,
  );
  assert.equal(count, 0);
  assert.deepEqual(complaints, []);
});

test("the worker may ask this server alone, and is checked for each time", async () => {
  const answer = await fetch(`${kith.baseUrl}/offline-worker.js`);
  const { headers } = answer;
  assert.equal(headers.get("cache-control"), "no-cache");
  const again = await fetch(answer.url, {
    headers: { "if-none-match": headers.get("etag") ?? "" },
  });
  assert.equal(again.status, 304);
  assert.equal(
    headers.get("content-security-policy"),
    "default-src 'none'; connect-src 'self'",
  );
  assert.match(await answer.text(), /\/assets\/kith\.css\?v=[0-9a-f]{12}/);
});
