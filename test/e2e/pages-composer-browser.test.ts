import assert from "node:assert/strict";
import { after, before, test, type TestContext } from "node:test";
import sharp from "sharp";
import type { Browser, Page } from "playwright-core";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import { newUser } from "../../packages/server/test/support/pages/visit.ts";
import { launchBrowser, listenForComplaints } from "../support/browser.ts";

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

let made = 0;

async function newWriter(t: TestContext) {
  const user = await newUser(kith.baseUrl, `writer_${(made += 1)}`);
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
  });
  t.after(() => context.close());
  const [name = "", value = ""] = user.cookies().split("=");
  const cookie = { name, value, url: kith.baseUrl };
  await context.addCookies([cookie]);
  const page = await context.newPage();
  await page.goto(`${kith.baseUrl}/home`);
  return { user, page, cookie, complaints: listenForComplaints(page) };
}

const textOf = (page: Page) => page.getByLabel("What is on your mind?");
const publish = (page: Page) => page.getByRole("button", { name: /^Publish/ });

/** The text that the browser keeps. */
const keptBy = (page: Page) =>
  page.evaluate<string>(`Object.values(localStorage).join()`);

async function untilKept(page: Page, text: string): Promise<void> {
  await page.evaluate(`new Promise((done) => {
    const look = () =>
      Object.values(localStorage).join().includes(${JSON.stringify(text)})
        ? done()
        : setTimeout(look, 20);
    look();
  })`);
}

test("an unsent text outlives its tab, and goes once it is published", async (t) => {
  const { page, complaints } = await newWriter(t);
  await textOf(page).fill("Half a thought");
  await page.getByRole("radio", { name: "Only me" }).check();
  await untilKept(page, "Half a thought");
  await page.reload();
  await page.getByText("Your unsent text is back.").waitFor();
  assert.equal(await textOf(page).inputValue(), "Half a thought");
  assert.ok(await page.getByRole("radio", { name: "Only me" }).isChecked());
  await textOf(page).fill("A whole thought");
  await publish(page).click();
  await page.locator("article.post", { hasText: "A whole thought" }).waitFor();
  assert.equal(await textOf(page).inputValue(), "");
  assert.equal(await keptBy(page), "");
  assert.deepEqual(complaints, []);
});

test("a text is for its writer alone, and a sign-out forgets it", async (t) => {
  const { page, cookie } = await newWriter(t);
  await textOf(page).fill("Between us");
  await untilKept(page, "Between us");
  const other = await newUser(kith.baseUrl, "other_writer");
  const [, value = ""] = other.cookies().split("=");
  await page.context().addCookies([{ ...cookie, value }]);
  await page.reload();
  assert.equal(await textOf(page).inputValue(), "");
  const places = page.getByRole("navigation", { name: "Main" });
  await places.getByText("Me", { exact: true }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("link", { name: "Sign in" }).first().waitFor();
  assert.equal(await keptBy(page), "");
});

test("a text stays where the network fails, and where the server refuses it", async (t) => {
  const { page } = await newWriter(t);
  await textOf(page).fill("Sent from a tunnel");
  await page.getByRole("radio", { name: "Only me" }).check();
  await untilKept(page, "Sent from a tunnel");
  // Once by the script, and once by the browser.
  let left = 2;
  const failed = new Promise<void>((done) => {
    void page.route("**/home", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      await route.abort();
      if ((left -= 1) === 0) done();
    });
  });
  await publish(page).click();
  await failed;
  await page.unroute("**/home");
  await page.goto(`${kith.baseUrl}/home`);
  assert.equal(await textOf(page).inputValue(), "Sent from a tunnel");
  // Longer than any post may be.
  await page.evaluate(
    `{ const { text } = document.querySelector(".composer").elements;
       text.value = "x".repeat(65536);
       text.dispatchEvent(new Event("input", { bubbles: true })); }`,
  );
  await page.evaluate(`window.mark = "same page"`);
  await publish(page).click();
  await page.getByRole("alert").waitFor();
  assert.equal(await page.evaluate(`window.mark`), "same page");
  assert.equal((await textOf(page).inputValue()).length, 65_536);
});

test("the sentence on who sees a post follows the choice", async (t) => {
  const { page, user } = await newWriter(t);
  const bob = await newUser(kith.baseUrl, "bob");
  const person = await kith.people.find({ handle: `bob@${kith.host}` });
  const { csrf_token } = user;
  await user.post(`/people/${person?.guid}/follow`, { csrf_token });
  await page.reload();
  await textOf(page).fill("For whom?");
  await page.getByRole("radio", { name: "Everyone", exact: true }).check();
  await page.getByText("Anybody on the web sees it").waitFor();
  assert.equal(await publish(page).innerText(), "Publish to everyone");
  await page.getByRole("radio", { name: /All my aspects/ }).check();
  await page.getByText("1 person on this server").waitFor();
  await page.getByText(`${bob.username}`).first().waitFor();
  assert.equal(await publish(page).innerText(), "Publish to 1 person");
  await page.route("**/parts/reach", (route) => route.abort());
  await page.getByRole("radio", { name: "Only me" }).check();
  await page.getByRole("button", { name: "Publish", exact: true }).waitFor();
  assert.equal(await page.locator(".reach").count(), 0, "none is wrong");
});

test("handles and tags are completed", async (t) => {
  const { page, user, complaints } = await newWriter(t);
  await newUser(kith.baseUrl, "carolina");
  const { csrf_token } = user;
  const written = { csrf_token, text: "#harvest", audience: "everyone" };
  await user.post("/home", written);
  await textOf(page).click();
  await page.keyboard.type("Ask @carol");
  await page.getByRole("option", { name: /carolina/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.type("about #harv");
  await page.getByRole("option", { name: "#harvest" }).click();
  assert.equal(
    await textOf(page).inputValue(),
    `Ask @carolina@${kith.host} about #harvest `,
  );
  await page.keyboard.type("@carol");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await page.getByRole("option").count(), 0);
  assert.deepEqual(complaints, []);
});

test("pasted and dropped pictures are attached, published and shown in a dialog", async (t) => {
  const { page, complaints } = await newWriter(t);
  const create = { width: 60, height: 40, channels: 3 } as const;
  const files: string[] = [];
  for (const red of [80, 200]) {
    const background = { r: red, g: 30, b: 60 };
    const bytes = await sharp({ create: { ...create, background } })
      .png()
      .toBuffer();
    files.push(bytes.toString("base64"));
  }
  for (const [at, type] of (["paste", "drop"] as const).entries())
    await page.evaluate(
      `{
        const bytes = Uint8Array.from(atob("${files[at]}"), (it) => it.charCodeAt(0));
        const data = new DataTransfer();
        data.items.add(new File([bytes], "a.png", { type: "image/png" }));
        const event = "${type}" === "paste"
          ? new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })
          : new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
        document.querySelector(".composer textarea").dispatchEvent(event);
      }`,
    );
  assert.equal(
    await page.evaluate(`document.querySelector("#photo").files.length`),
    2,
  );
  await textOf(page).fill("Two colours");
  await page.getByRole("radio", { name: "Only me" }).check();
  await page.getByLabel("What they show").fill("A dark one\nA bright one");
  await publish(page).click();
  const post = page.locator("article.post", { hasText: "Two colours" });
  await post.waitFor();
  await post.getByRole("link", { name: "A dark one" }).click();
  const viewer = page.getByRole("dialog", { name: "Picture" });
  await viewer.getByText("1 / 2").waitFor();
  await page.keyboard.press("ArrowRight");
  await viewer.getByText("A bright one").waitFor();
  await viewer.getByRole("button", { name: "Next" }).click();
  await viewer.getByText("A dark one").waitFor();
  await page.keyboard.press("Escape");
  await viewer.waitFor({ state: "hidden" });
  assert.equal(
    await page.evaluate(`document.activeElement.querySelector("img")?.alt`),
    "A dark one",
  );
  assert.deepEqual(complaints, []);
});
