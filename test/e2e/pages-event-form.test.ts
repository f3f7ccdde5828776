import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import {
  hiddenFields,
  newUser,
  visitor,
  type PageResponse,
} from "../../packages/server/test/support/pages/visit.ts";
import { checkLayout, launchBrowser } from "../support/browser.ts";

type User = Awaited<ReturnType<typeof newUser>>;
type Form = Record<string, string>;

let kith: PagesServer;
let names = 0;

const userOf = async ({ username }: User) => {
  const handle = `${username}@${kith.host}`;
  const person = (await kith.people.find({ handle })) ?? assert.fail();
  const userId = person.userId ?? assert.fail();
  return { personId: person.id, userId, guid: person.guid, handle };
};
const eventAt = async (path: string, by: User) => {
  const guid = path.slice("/events/".length);
  return kith.events.findVisible({ guid }, await userOf(by));
};

const NEW = "/events/new";
const CHOIR: Form = {
  ...{ summary: "Choir practice", location: "Town hall", calendar: "" },
  ...{ start_day: "2127-06-12", start_time: "19:30", end_day: "" },
  ...{ end_time: "21:00", time_zone: "Europe/Berlin", audience: "everyone" },
  description: "Bring *water*.",
};

const send = (by: User, given: Form = {}, path = NEW) =>
  by.post(path, { csrf_token: by.csrf_token, ...CHOIR, ...given });
const make = async (by: User, given: Form = {}) => {
  const done = await send(by, given);
  assert.equal(done.status, 302, done.text);
  return done.headers.get("location") ?? "";
};
/** The text beside a faulty field. */
const faultIn = ({ text }: PageResponse, name: string) =>
  new RegExp(`id="${name}-fault"[^>]*>\\s*([^<]*?)\\s*<`).exec(text)?.[1];

forEachDatabase((database) => {
  before(async () => {
    kith = await startPagesServer({ database });
  });
  after(() => kith.close());
  const join = () => newUser(kith.baseUrl, `host${(names += 1)}`);

  test("an event is planned in the zone of its form", async () => {
    const owner = await join();
    const { userId } = await userOf(owner);
    await kith.accounts.changeSettings(userId, { timeZone: "Asia/Tokyo" });
    const empty = await owner.get(NEW);
    assert.match(empty.text, /<option\s+selected\s*>\s*Asia\/Tokyo/);
    const path = await make(owner);
    const event = (await eventAt(path, owner)) ?? assert.fail();
    assert.equal(event.start, "2127-06-12T17:30:00.000Z");
    assert.equal(event.end, "2127-06-12T19:00:00.000Z");
    assert.equal(event.timeZone, "Europe/Berlin");
    assert.equal(event.audience, "everyone");
    const page = await owner.get(path);
    for (const shown of ["Choir practice", "Town hall", "<em>water</em>"])
      assert.ok(page.text.includes(shown), shown);
    assert.ok(page.text.includes(`href="${path}/edit"`));
  });

  test("a whole day needs no hours, an open end no end", async () => {
    const owner = await join();
    const day = { all_day: "true", start_time: "", end_time: "" };
    const whole = await eventAt(await make(owner, day), owner);
    assert.deepEqual([whole?.allDay, whole?.start], [true, "2127-06-12"]);
    const open = await eventAt(await make(owner, { end_time: "" }), owner);
    assert.equal(open?.end, open?.start);
  });

  test("each fault stands beside its field, and what was typed is kept", async () => {
    const owner = await join();
    const faulty: readonly [string, Form][] = [
      ["summary", { summary: "  " }],
      ["summary", { summary: "x".repeat(256) }],
      ["location", { location: "x".repeat(1001) }],
      ["start", { start_day: "2127-02-30" }],
      ["start", { start_day: "soon" }],
      ["start", { start_time: "" }],
      ["start", { start_time: "25:00" }],
      ["end", { end_day: "2127-06-13", end_time: "" }],
      ["end", { end_day: "2127-06-11" }],
      ["time_zone", { time_zone: "Europe/Atlantis" }],
      ["calendar", { calendar: "999999" }],
      ["audience", { audience: "" }],
      ["audience", { audience: "nobody" }],
      ["audience", { audience: "aspects" }],
      ["audience", { audience: "aspects", aspect: "999999" }],
      ["guests", { audience: "people" }],
      ["guests", { audience: "people", guests: "missing" }],
      ["guests", { guests: "carol@example.org" }],
    ];
    for (const [name, given] of faulty) {
      const refused = await send(owner, given);
      const label = JSON.stringify(given);
      assert.equal(refused.status, 422, label);
      assert.match(faultIn(refused, name) ?? "", /\w/, label);
      assert.match(refused.text, /role="alert"/);
      assert.match(refused.text, /Bring \*water\*\.<\/textarea>/, label);
    }
    const kept = await send(owner, { summary: "", guests: "" });
    assert.match(kept.text, /name="start_time"[^>]*value="19:30"/);
    assert.match(kept.text, /value="everyone"\s+required\s+checked/);
    const { text } = await owner.get("/events");
    assert.match(text, /Nothing is coming up/);
  });

  test("aspects and guests see it, and nobody else", async () => {
    const [owner, friend, other] = [await join(), await join(), await join()];
    const { userId } = await userOf(owner);
    const { guid, handle } = await userOf(friend);
    const { id } = await kith.aspects.create(userId, "Family");
    const { csrf_token } = owner;
    const put = { shown: String(id), aspect: String(id) };
    await owner.post(`/people/${guid}/aspects`, { csrf_token, ...put });
    const given: readonly Form[] = [
      { audience: "aspects", aspect: String(id) },
      { audience: "people", guests: `@${handle}` },
    ];
    for (const form of given) {
      const path = await make(owner, form);
      assert.equal((await eventAt(path, owner))?.audience, "limited");
      assert.equal((await friend.get(path)).status, 200);
      assert.equal((await other.get(path)).status, 404);
      assert.equal((await visitor(kith.baseUrl).get(path)).status, 404);
    }
    const alone = await make(owner, { audience: "self" });
    assert.equal((await friend.get(alone)).status, 404);
    assert.match((await owner.get(alone)).text, /Only me/);
  });

  test("an event is changed, and what was not touched stays", async () => {
    const owner = await join();
    const by = await userOf(owner);
    const { id: calendarId } = await kith.calendars.create(by.userId, "Music");
    // The second of two hours with the same local time.
    const { guid } = await kith.events.create({
      ...{ owner: by, announce: true, summary: "Night", calendarId },
      ...{ timeZone: "Europe/Berlin", start: "2026-10-25T01:30:15Z" },
      end: "2026-10-25T03:00:00Z",
    });
    const path = `/events/${guid}`;
    const form = await owner.get(`${path}/edit`);
    assert.match(form.text, /name="start_time"[^>]*value="02:30"/);
    assert.match(form.text, /selected\s*>\s*Music/);
    const untouched = {
      ...{ summary: "Night", location: "", description: "Long" },
      ...{ start_day: "2026-10-25", start_time: "02:30" },
      ...{ end_day: "2026-10-25", end_time: "04:00" },
      calendar: String(calendarId),
    };
    const saved = await send(owner, untouched, `${path}/edit`);
    assert.equal(saved.headers.get("location"), path);
    const kept = await eventAt(path, owner);
    assert.equal(kept?.start, "2026-10-25T01:30:15.000Z");
    assert.equal(kept?.description, "Long");
    const moved = { ...untouched, start_time: "03:30", calendar: "" };
    await send(owner, moved, `${path}/edit`);
    const changed = await eventAt(path, owner);
    assert.equal(changed?.start, "2026-10-25T02:30:00.000Z");
    assert.equal(changed?.calendarId, null);
    const faulty = { ...moved, end_time: "" };
    const refused = await send(owner, faulty, `${path}/edit`);
    assert.equal(refused.status, 422);
    assert.match(faultIn(refused, "end") ?? "", /ends/);
  });

  test("an event is deleted after one question", async () => {
    const owner = await join();
    const path = await make(owner);
    const asked = await owner.get(`${path}/delete`);
    assert.match(asked.text, /Choir practice/);
    const action = `${path}/delete`;
    const token = await owner.post(action, {});
    assert.equal(token.status, 403);
    const done = await owner.post(action, hiddenFields(asked, action));
    assert.equal(done.headers.get("location"), "/events");
    assert.equal((await owner.get(path)).status, 404);
    const twice = await owner.post(action, hiddenFields(asked, action));
    assert.equal(twice.status, 404);
  });

  test("others neither change nor delete it, and learn nothing", async () => {
    const [owner, other] = [await join(), await join()];
    const shown = await make(owner);
    const hidden = await make(owner, { audience: "self" });
    const missing = `/events/${"0".repeat(32)}`;
    for (const path of [shown, hidden, missing, "/events/nothing"]) {
      for (const act of ["edit", "delete"]) {
        assert.equal((await other.get(`${path}/${act}`)).status, 404);
        const sent = await send(other, {}, `${path}/${act}`);
        assert.equal(sent.status, 404);
      }
    }
    assert.equal((await owner.get(shown)).status, 200);
    assert.doesNotMatch((await other.get(shown)).text, /\/edit"/);
  });

  test("a form outlives its session", async () => {
    const owner = await join();
    const expired = await owner.post(NEW, { ...CHOIR, csrf_token: "old" });
    assert.equal(expired.status, 403);
    assert.match(expired.text, /value="Choir practice"/);
    const nobody = visitor(kith.baseUrl);
    const asked = await nobody.post(NEW, CHOIR);
    assert.equal(asked.status, 401);
    const fields = hiddenFields(asked, "/users/sign_in");
    const { username, password } = owner;
    const form = { ...fields, username, password };
    const back = await nobody.post("/users/sign_in", form);
    assert.match(back.text, /value="Choir practice"/);
    assert.match(back.text, /You had been signed out/);
    assert.doesNotMatch((await owner.get("/events")).text, /Choir practice/);
    const lead = await nobody.get(NEW);
    assert.equal(lead.status, 200);
  });
});

test("on a phone, in both languages, an event is planned, changed and deleted without script", async (t) => {
  kith = await startPagesServer();
  t.after(() => kith.close());
  const browser = await launchBrowser();
  t.after(() => browser.close());
  const lea = await newUser(kith.baseUrl, "lea");
  const { userId } = await userOf(lea);
  for (const [locale, words] of [
    ["en", ["Plan an event", "Name", "Create the event", "Only me"]],
    ["de", ["Termin planen", "Bezeichnung", "Termin anlegen", "Nur ich"]],
  ] as const) {
    const [plan, name, create, onlyMe] = words;
    await kith.accounts.changeSettings(userId, { locale });
    const context = await browser.newContext({
      ...{ viewport: { width: 320, height: 800 }, javaScriptEnabled: false },
    });
    const cookies = lea.cookies().split("; ");
    await context.addCookies(
      cookies.map((pair) => {
        const [name = "", value = ""] = pair.split("=");
        return { name, value, url: kith.baseUrl };
      }),
    );
    const page = await context.newPage();
    await page.goto(`${kith.baseUrl}/events`);
    await page.getByRole("link", { name: plan }).click();
    await page.waitForURL("**/events/new");
    await checkLayout(page);
    await page.getByLabel(name, { exact: true }).fill("Tea");
    await page.locator("#start_day").fill("2127-06-12");
    await page.getByLabel(onlyMe).check();
    await page.getByRole("button", { name: create }).click();
    const alert = page.getByRole("alert");
    await alert.waitFor();
    await checkLayout(page);
    await page.locator("#start_time").fill("15:00");
    await page.getByRole("button", { name: create }).click();
    await page.waitForURL(/\/events\/[0-9a-f]{32}$/);
    await checkLayout(page);
    await page.locator('a[href$="/edit"]').click();
    await page.locator("#location").fill("Garden");
    await page.locator("form.event-form button").click();
    await page.waitForURL(/\/events\/[0-9a-f]{32}$/);
    await page.getByText("Garden").waitFor();
    await page.locator('a[href$="/delete"]').click();
    await checkLayout(page);
    await page.locator("main form button").click();
    await page.waitForURL("**/events");
    await context.close();
  }
});
