import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { newUser } from "../../packages/server/test/support/pages/visit.ts";
import { readRecording } from "../../packages/server/test/support/recordings.ts";
import {
  startKith,
  type KithServer,
} from "../../packages/server/test/support/server/kith-server.ts";
import {
  checkLayout,
  launchBrowser,
  listenForComplaints,
} from "../support/browser.ts";

let kith: KithServer;
let browser: Browser;
before(async () => {
  // Sequentially, so that the server is closed even without a browser.
  kith = await startKith("sqlite");
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  await kith?.close();
});

/** Plays each recording of the page to its end. @returns the lengths */
const playAll = (page: Page): Promise<number[]> =>
  page.evaluate(`Promise.all(
    [...document.querySelectorAll("video, audio")].map((media) =>
      new Promise((resolve, reject) => {
        media.muted = true;
        media.addEventListener("ended", () => resolve(media.duration));
        media.addEventListener("error", () => reject(media.error));
        media.play().catch(reject);
      })))`);

test("without a script, a video and a sound are uploaded, described and played", async (t) => {
  const { username, password } = await newUser(kith.baseUrl, "ida");
  const context = await browser.newContext({
    viewport: { width: 360, height: 700 },
  });
  t.after(() => context.close());
  const page = await context.newPage();
  const complaints = listenForComplaints(page);
  await page.goto(`${kith.baseUrl}/write`);
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: /^Sign in$/ }).click();
  await page.waitForURL("**/write");
  await page.getByLabel(/^What is on your mind/).fill("By the sea");
  await page.getByText("Pictures, sounds and videos").click();
  await page.getByLabel(/^Add pictures/).setInputFiles(
    (["video.webm", "opus.ogg"] as const).map((name) => ({
      name,
      mimeType: "application/octet-stream",
      buffer: readRecording(name),
    })),
  );
  await page.getByRole("button", { name: /^Publish/ }).click();
  await page.getByText("Your files are attached").waitFor();
  const fields = page.getByLabel("What does it show?");
  await fields.nth(0).fill("Waves");
  await fields.nth(1).fill("Gulls");
  await checkLayout(page);
  await page.getByRole("button", { name: /^Publish/ }).click();
  await page.waitForURL("**/home");
  await checkLayout(page);
  const media = await page.locator("video, audio").all();
  const names = await Promise.all(
    media.map(async (one) => [
      await one.getAttribute("aria-label"),
      await one.getAttribute("preload"),
    ]),
  );
  assert.deepEqual(names, [
    ["Waves", "none"],
    ["Gulls", "none"],
  ]);
  const lengths = await playAll(page);
  for (const length of lengths) assert.ok(Math.abs(length - 1) < 0.2);
  await page.goto(`${kith.baseUrl}/photos`);
  await page.getByRole("img", { name: "Waves" }).click();
  await page.locator("video").waitFor();
  assert.equal((await playAll(page)).length, 1);
  await checkLayout(page);
  assert.deepEqual(complaints, []);
});
