import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import {
  hiddenFields,
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";
import { checkLayout, launchBrowser } from "../support/browser.ts";

type User = Awaited<ReturnType<typeof newUser>>;

let kith: PagesServer;
let names = 0;

const newName = () => `planner${(names += 1)}`;
const userOf = async ({ username }: User) => {
  const handle = `${username}@${kith.host}`;
  const person = (await kith.people.find({ handle })) ?? assert.fail();
  return { personId: person.id, userId: person.userId ?? assert.fail() };
};

const CAFE = {
  ...{ summary: "Repair café", description: "Bring *broken* things." },
  ...{ location: "Old Mill", timeZone: "Asia/Tokyo" },
  ...{ start: "2127-06-12T14:00", end: "2127-06-12T18:00" },
};

forEachDatabase((database) => {
  before(async () => {
    kith = await startPagesServer({ database });
  });
  after(() => kith.close());

  const meet = async () => {
    const owner = await newUser(kith.baseUrl, newName());
    const guest = await newUser(kith.baseUrl, newName());
    return { owner, guest, by: await userOf(owner) };
  };
  const plan = async (
    by: Awaited<ReturnType<typeof userOf>>,
    given: Partial<Parameters<PagesServer["events"]["create"]>[0]> = {},
  ) => {
    const event = await kith.events.create({
      ...{ ...CAFE, owner: by, announce: true, ...given },
    });
    return { ...event, path: `/events/${event.guid}` };
  };

  test("an event shows its time in the reader's zone and in its own", async () => {
    const { guest, by } = await meet();
    const { path } = await plan(by);
    const { userId } = await userOf(guest);
    await kith.accounts.changeSettings(userId, { timeZone: "Europe/Berlin" });
    const { text, status } = await guest.get(path);
    assert.equal(status, 200);
    assert.match(text, /June 12, 2127.{1,9}7:00.{1,12}11:00.AM \(your time\)/u);
    assert.match(text, /2:00.{1,12}6:00.PM \(Asia\/Tokyo\)/u);
    for (const shown of ["Repair café", "<em>broken</em>", "Old Mill"])
      assert.ok(text.includes(shown), shown);
    assert.match(text, /class="chip everyone"/);
    assert.ok(text.includes(`href="${path}.ics"`));
  });

  test("whole days are written in words, in the reader's language", async () => {
    const { guest, by } = await meet();
    const { path } = await plan(by, { allDay: true, start: "2027-06-05" });
    assert.match(
      (await guest.get(path)).text,
      /Saturday, June 5, 2027, all day/,
    );
    const { userId } = await userOf(guest);
    await kith.accounts.changeSettings(userId, { locale: "de" });
    const { text } = await guest.get(path);
    assert.match(text, /Samstag, 5. Juni 2027, ganztägig/);
  });

  test("an answer is given and changed, and counted", async () => {
    const { owner, guest, by } = await meet();
    const { path } = await plan(by);
    assert.match((await guest.get(path)).text, /Nobody has answered yet/);
    for (const status of ["accepted", "accepted", "tentative"]) {
      const form = hiddenFields(await guest.get(path), `${path}/answer`);
      const done = await guest.post(`${path}/answer`, { ...form, status });
      assert.equal(done.status, 302);
      const { text } = await guest.get(path);
      const pressed = new RegExp(
        `value="${status}"\\s+class="second"\\s+aria-pressed="true"`,
      );
      assert.match(text, pressed);
      assert.equal(text.match(/aria-pressed="true"/g)?.length, 1);
    }
    const { text } = await owner.get(path);
    assert.match(text, /0 going · 1 maybe · 0 can’t come/);
    assert.ok(text.includes(`/u/${guest.username}`));
    const { csrf_token } = guest;
    const bad = { csrf_token, status: "perhaps" };
    assert.equal((await guest.post(`${path}/answer`, bad)).status, 400);
    const old = await guest.post(`${path}/answer`, { status: "accepted" });
    assert.equal(old.status, 403);
    assert.match(old.text, /out of date/);
    assert.match((await owner.get(path)).text, /0 going · 1 maybe/);
  });

  test("a full event says so and keeps the answer", async () => {
    const { owner, guest, by } = await meet();
    const { path } = await plan(by, { capacity: 1 });
    const go = (user: User) =>
      user.post(`${path}/answer`, {
        ...{ csrf_token: user.csrf_token, status: "accepted" },
      });
    assert.equal((await go(owner)).status, 302);
    const refused = await go(guest);
    assert.equal(refused.status, 422);
    assert.match(refused.text, /The event is full/);
    assert.match((await guest.get(path)).text, /1 going · 0 maybe/);
  });

  test("visitors without an account see a public event without its guests", async () => {
    const { guest, by } = await meet();
    const { path } = await plan(by);
    const { csrf_token } = guest;
    await guest.post(`${path}/answer`, { csrf_token, status: "accepted" });
    const nobody = visitor(kith.baseUrl);
    const { text } = await nobody.get(path);
    assert.match(text, /1 going/);
    assert.match(text, /2:00.{1,12}6:00.PM \(Asia\/Tokyo\)/u);
    assert.doesNotMatch(text, /your time/);
    assert.ok(!text.includes(`/u/${guest.username}`));
    assert.match(text, /Sign in to answer/);
    assert.match(text, /<meta name="description" content="Thursday, June 12/);
    assert.equal((await nobody.post(`${path}/answer`, {})).status, 401);
  });

  test("another person's private event reads like one that does not exist", async () => {
    const { owner, guest, by } = await meet();
    const { path } = await plan(by, { announce: false });
    assert.match((await owner.get(path)).text, /Only me/);
    const { csrf_token } = guest;
    for (const hidden of [
      path,
      `/events/${"0".repeat(32)}`,
      "/events/nothing",
    ]) {
      assert.equal((await guest.get(hidden)).status, 404);
      const form = { csrf_token, status: "accepted" };
      assert.equal((await guest.post(`${hidden}/answer`, form)).status, 404);
    }
  });

  test("the comments of an event are those of its post", async () => {
    const { guest, by } = await meet();
    const { id, path } = await plan(by);
    const [post] = await kith.posts.listWithEvent(id, by.personId);
    const form = `/posts/${post?.guid}/comments`;
    const fields = hiddenFields(await guest.get(path), form);
    await guest.post(form, { ...fields, text: "I bring a lamp" });
    assert.match((await guest.get(path)).text, /I bring a lamp/);
  });
});

test("on a phone, in both languages, an event is read and answered", async (t) => {
  const pages = await startPagesServer();
  t.after(() => pages.close());
  const browser: Browser = await launchBrowser();
  t.after(() => browser.close());
  const lea = await newUser(pages.baseUrl, "lea");
  const handle = `lea@${pages.host}`;
  const person = (await pages.people.find({ handle })) ?? assert.fail();
  const owner = {
    personId: person.id,
    userId: person.userId ?? assert.fail(),
  };
  const { guid } = await pages.events.create({
    ...{ ...CAFE, owner, announce: true },
  });
  for (const [locale, name] of [
    ["en", "Going"],
    ["de", "Vielleicht"],
  ] as const) {
    await pages.accounts.changeSettings(owner.userId, { locale });
    const context = await browser.newContext({
      viewport: { width: 320, height: 800 },
      javaScriptEnabled: false,
    });
    await context.addCookies(
      lea
        .cookies()
        .split("; ")
        .map((pair) => {
          const [name = "", value = ""] = pair.split("=");
          return { name, value, url: pages.baseUrl };
        }),
    );
    const page = await context.newPage();
    await page.goto(`${pages.baseUrl}/events/${guid}`);
    await checkLayout(page);
    const button = page.getByRole("button", { name });
    await button.click();
    await page.waitForURL(`**/events/${guid}`);
    assert.equal(await button.getAttribute("aria-pressed"), "true");
    await context.close();
  }
});
