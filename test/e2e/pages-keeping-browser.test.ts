import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import {
  startKith,
  type KithServer,
} from "../../packages/server/test/support/server/kith-server.ts";
import { newUser } from "../../packages/server/test/support/pages/visit.ts";
import {
  checkLayout,
  launchBrowser,
  listenForComplaints,
  openOwnPlaces,
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

test("on a phone: read a notification, bookmark, vote, edit and delete", async (t) => {
  const { features } = kith.server;
  const ida = await newUser(kith.baseUrl, "ida");
  const ole = await newUser(kith.baseUrl, "ole");
  const handle = `ida@${kith.host}`;
  const person = (await features.people.find({ handle })) ?? assert.fail();
  const author = {
    personId: person.id,
    userId: person.userId ?? assert.fail(),
  };
  const attach = features.polls.ask({
    ...{ question: "Where to?", answers: ["To the sea", "To the hills"] },
    ...{ multiple: false, endsAt: undefined },
  });
  const post = await features.posts.publish({
    ...{ author, text: "An outing", audience: { kind: "everyone" } },
    ...(attach && { attach }),
  });
  const { csrf_token } = ole;
  const path = `/posts/${post.guid}`;
  await ole.post(`${path}/comments`, { csrf_token, text: "With pleasure!" });
  await kith.settle();
  const viewport = { width: 320, height: 700 };
  const context = await browser.newContext({ viewport });
  t.after(() => context.close());
  const page = await context.newPage();
  const complaints = listenForComplaints(page);
  const button = async (name: string | RegExp) => {
    await page.getByRole("main").getByRole("button", { name }).first().click();
    await checkLayout(page);
  };
  await page.goto(`${kith.baseUrl}/notifications`);
  await page.getByLabel("Username").fill(ida.username);
  await page.getByLabel("Password").fill(ida.password);
  await button(/^Sign in$/);
  await page.waitForURL("**/notifications");
  await checkLayout(page);
  await page.getByText("commented").waitFor();
  await button("Mark all as read");
  await page.getByRole("link", { name: "With pleasure!" }).click();
  await page.waitForURL(`**${path}#*`);
  await page.getByLabel("To the sea").check();
  await button("Vote");
  await page.getByText("Your choice").waitFor();
  await button(/^Bookmark/);
  await openOwnPlaces(page);
  await page.getByRole("link", { name: "Bookmarks" }).click();
  await page.getByRole("article").getByText("An outing").waitFor();
  await page.getByLabel(/^More: the post/).click();
  await page.getByRole("link", { name: /^Edit/ }).click();
  await checkLayout(page);
  await page.getByLabel("Text").fill("An outing on Sunday");
  await button("Save");
  await page.getByRole("article").getByText("An outing on Sunday").waitFor();
  await page.getByLabel(/^More: the post/).click();
  await page.getByRole("link", { name: /^Delete the post/ }).click();
  await checkLayout(page);
  await button(/^Delete$/);
  await page.waitForURL("**/home");
  assert.equal(await page.getByText("An outing").count(), 0);
  assert.deepEqual(complaints, []);
});
