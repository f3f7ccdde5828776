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
type Given = Partial<Parameters<PagesServer["events"]["create"]>[0]>;

let kith: PagesServer;
let names = 0;

const newName = () => `dates${(names += 1)}`;
const userOf = async (on: PagesServer, { username }: User) => {
  const handle = `${username}@${on.host}`;
  const person = (await on.people.find({ handle })) ?? assert.fail();
  const { guid, id } = person;
  return { personId: id, userId: person.userId ?? assert.fail(), guid };
};

const plan = async (by: User, summary: string, given: Given = {}) => {
  const event = await kith.events.create({
    ...{ owner: await userOf(kith, by), announce: true, summary },
    ...{ timeZone: "UTC", start: "2127-06-12T14:00", end: "2127-06-12T18:00" },
    ...given,
  });
  return { ...event, path: `/events/${event.guid}` };
};

const titlesOf = ({ text }: PageResponse) =>
  [...text.matchAll(/class="p-name u-url"[^>]*>([^<]*)</g)].map(
    ([, title = ""]) => title.trim(),
  );
const linkOf = ({ text }: PageResponse, rel: string) =>
  new RegExp(`href="([^"]*)"\\s+rel="${rel}"`)
    .exec(text)?.[1]
    ?.replaceAll("&amp;", "&");

forEachDatabase((database) => {
  before(async () => {
    kith = await startPagesServer({ database });
  });
  after(() => kith.close());
  const join = () => newUser(kith.baseUrl, newName());

  test("one's agenda has the events that concern one, by day", async () => {
    const [reader, friend, stranger] = [
      await join(),
      await join(),
      await join(),
    ];
    const { csrf_token } = reader;
    const { guid, userId } = await userOf(kith, friend);
    await reader.post(`/people/${guid}/follow`, { csrf_token });
    await plan(reader, "Mine", { announce: false });
    await plan(friend, "Followed", { start: "2127-06-12T12:00" });
    await plan(stranger, "Unknown");
    const answered = await plan(stranger, "Answered", {
      ...{ start: "2127-08-01T10:00", end: "2127-08-01T11:00" },
      location: "Old Mill",
    });
    const status = "tentative";
    await reader.post(`${answered.path}/answer`, { csrf_token, status });
    const page = await reader.get("/events");
    assert.deepEqual(titlesOf(page), ["Followed", "Mine", "Answered"]);
    assert.equal(page.text.match(/<section class="agenda-day"/g)?.length, 2);
    assert.match(
      page.text,
      /<h2 id="day-2127-06-12">\s*Thursday, June 12, 2127/,
    );
    assert.match(page.text, /Old Mill/);
    assert.match(page.text, /0 going · 1 maybe/);
    assert.match(page.text, /2:00.{1,12}6:00.PM/u);
    assert.match(page.text, /class="chip">[^]*?Only me/);
    assert.ok(page.text.includes(`/u/${friend.username}`));
    const known = titlesOf(await reader.get("/events?known=true"));
    assert.ok(known.includes("Unknown"));
    await kith.accounts.changeSettings(userId, { locale: "de" });
    const german = await friend.get("/events");
    assert.match(german.text, /Donnerstag, 12. Juni 2127/);
  });

  test("an answer in the agenda leads back to it, and to no other server", async () => {
    const owner = await join();
    const { guid, path } = await plan(owner, "Picnic");
    const form = hiddenFields(await owner.get("/events"), `${path}/answer`);
    assert.equal(form["to"], `/events#event-${guid}`);
    const answer = (to: string) =>
      owner.post(`${path}/answer`, { ...form, to, status: "accepted" });
    const done = await answer(form["to"] ?? "");
    assert.equal(done.headers.get("location"), `/events#event-${guid}`);
    const away = await answer("//evil.example/");
    assert.equal(away.headers.get("location"), "/home");
    const { text } = await owner.get("/events");
    assert.match(
      text,
      /value="accepted"\s+class="second"\s+aria-pressed="true"/,
    );
  });

  test("events for other people and of ignored people are not there", async () => {
    const [owner, invited, other] = [await join(), await join(), await join()];
    const by = await userOf(kith, owner);
    const { personId } = await userOf(kith, invited);
    await plan(owner, "Secret feast", {
      audience: { kind: "people", personIds: [personId] },
    });
    await plan(owner, "All alone", { announce: false });
    for (const query of ["", "?known=true", "?past=true&known=true"]) {
      const titles = titlesOf(await other.get(`/events${query}`));
      assert.ok(!titles.includes("Secret feast"), query);
      assert.ok(!titles.includes("All alone"), query);
    }
    assert.deepEqual(titlesOf(await invited.get("/events")), ["Secret feast"]);
    const { csrf_token } = invited;
    await invited.post(`/people/${by.guid}/ignore`, { csrf_token });
    assert.deepEqual(titlesOf(await invited.get("/events")), []);
  });

  test("past events are behind a link, the newest first", async () => {
    const owner = await join();
    await plan(owner, "Older", {
      start: "2020-01-02T10:00",
      end: "2020-01-02T11:00",
    });
    await plan(owner, "Newer", { allDay: true, start: "2021-03-04" });
    const running = { start: "2021-03-05T10:00", end: "2127-03-05T10:00" };
    await plan(owner, "Still on", running);
    const coming = await owner.get("/events");
    assert.deepEqual(titlesOf(coming), ["Still on"]);
    assert.match(coming.text, /<h2 id="day-[\d-]+">\s*Today,/);
    assert.match(coming.text, /href="\/events\?past=true"/);
    const past = await owner.get("/events?past=true");
    assert.deepEqual(titlesOf(past), ["Newer", "Older"]);
    assert.doesNotMatch(past.text, /action="[^"]*\/answer"/);
  });

  test("a whole day is today's until it is over where the reader is", async () => {
    const owner = await join();
    const { userId } = await userOf(kith, owner);
    const dayIn = (timeZone: string) =>
      new Intl.DateTimeFormat("sv", { timeZone }).format(new Date());
    for (const timeZone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
      await kith.accounts.changeSettings(userId, { timeZone });
      const start = dayIn(timeZone);
      await plan(owner, `Day in ${timeZone}`, { allDay: true, start });
      const { text } = await owner.get("/events");
      const [, today = ""] = text.split(`<h2 id="day-${start}">`);
      assert.match(today.split("</section>", 1)[0] ?? "", /Today/);
      assert.ok(today.includes(`Day in ${timeZone}`));
      assert.match(today, /All day/);
    }
  });

  test("pages go by keys: nothing is repeated or left out meanwhile", async () => {
    const owner = await join();
    const on = (n: number) => ({
      start: `2127-01-01T00:${String(n).padStart(2, "0")}`,
      end: "2127-01-01T12:00",
    });
    const wanted: string[] = [];
    for (let n = 1; n <= 25; n += 1) {
      await plan(owner, `Number ${n}`, on(n));
      wanted.push(`Number ${n}`);
    }
    const first = await owner.get("/events");
    assert.deepEqual(titlesOf(first), wanted.slice(0, 20));
    assert.equal(linkOf(first, "prev"), undefined);
    await plan(owner, "Meanwhile", on(0));
    const second = await owner.get(linkOf(first, "next") ?? "");
    assert.deepEqual(titlesOf(second), wanted.slice(20));
    assert.equal(linkOf(second, "next"), undefined);
    const back = await owner.get(linkOf(second, "prev") ?? "");
    assert.deepEqual(titlesOf(back), wanted.slice(0, 20));
    assert.ok(linkOf(back, "prev"), "there is an earlier one now");
    const gone = await owner.get("/events?after=1");
    assert.equal(gone.status, 302);
    assert.equal(gone.headers.get("location"), "/events");
    assert.equal((await owner.get("/events?after=x")).status, 400);
    assert.equal((await owner.get("/events?past=perhaps")).status, 400);
  });

  test("without events the page says what would be there", async () => {
    const nobody = await visitor(kith.baseUrl).get("/events");
    assert.equal(nobody.headers.get("location"), "/users/sign_in?to=%2Fevents");
    const { text } = await (await join()).get("/events");
    assert.match(text, /Nothing is coming up/);
    assert.match(text, /href="\/events\?known=true"/);
    assert.match(text, /href="\/events\/new"/);
    assert.match(text, /href="\/events"\s+aria-current="page"/);
  });

  test("a post that announces an event shows its card", async () => {
    const owner = await join();
    const event = await plan(owner, "Concert", { location: "Town hall" });
    const by = await userOf(kith, owner);
    const [post] = await kith.posts.listWithEvent(event.id, by.personId);
    const page = await owner.get(`/posts/${post?.guid}`);
    assert.match(page.text, /<section class="event-card/);
    assert.ok(page.text.includes(`href="${event.path}"`));
    const form = hiddenFields(page, `${event.path}/answer`);
    assert.equal(form["to"], `/posts/${post?.guid}#post-${post?.guid}`);
    // What the server wrote is not told twice, what a person wrote is.
    const [, main = ""] = page.text.split("<main");
    assert.equal(main.match(/Town hall/g)?.length, 1);
    await kith.posts.edit(
      by,
      { guid: post?.guid ?? "" },
      { text: "Come *all*" },
    );
    const edited = await owner.get(`/posts/${post?.guid}`);
    assert.match(edited.text, /Come <em>all<\/em>/);
    assert.match(edited.text, /<section class="event-card/);
    const outside = await visitor(kith.baseUrl).get(`/posts/${post?.guid}`);
    assert.match(outside.text, /2:00.{1,12}6:00.PM \(UTC\)/u);
    assert.match(outside.text, /Sign in to answer/);
  });

  test("a public event describes itself to programs, a limited one does not", async () => {
    const owner = await join();
    const name = "</script><b>Fair & square</b>";
    const shown = await plan(owner, name, {
      ...{ timeZone: "Asia/Tokyo", location: "Old Mill" },
      ...{ start: "2127-06-12T08:00", end: "2127-06-12T10:00" },
    });
    const { text } = await visitor(kith.baseUrl).get(shown.path);
    const [, data = ""] =
      /<script type="application\/ld\+json">([^]*?)<\/script>/.exec(text) ?? [];
    const described = JSON.parse(data) as Record<string, unknown>;
    assert.equal(described["@type"], "Event");
    assert.equal(described["name"], name);
    assert.equal(described["startDate"], "2127-06-12T08:00:00+09:00");
    assert.equal(described["url"], kith.baseUrl + shown.path);
    assert.ok(
      text.includes(
        `type="text/calendar" href="${kith.baseUrl}${shown.path}.ics"`,
      ) || /type="text\/calendar"\s+href="[^"]+\.ics"/.test(text),
    );
    // Its own day, not that of UTC.
    assert.match(text, /class="date-block"[^>]*>\s*Jun<b>12<\/b>Thu/);
    const file = await visitor(kith.baseUrl).get(`${shown.path}.ics`);
    const unfolded = file.text.replaceAll("\r\n ", "");
    assert.ok(unfolded.includes(`URL:${kith.baseUrl}${shown.path}\r\n`));
    const hidden = await plan(owner, "Alone", { announce: false });
    const own = await owner.get(hidden.path);
    assert.doesNotMatch(own.text, /ld\+json|text\/calendar/);
  });

  test("a comment sent from the page of an event leads back to it", async () => {
    const owner = await join();
    const { id, path } = await plan(owner, "Talk");
    const { personId } = await userOf(kith, owner);
    const [post] = await kith.posts.listWithEvent(id, personId);
    const action = `/posts/${post?.guid}/comments`;
    const fields = hiddenFields(await owner.get(path), action);
    assert.equal(fields["to"], path);
    const sent = await owner.post(action, { ...fields, text: "Hello" });
    const location = sent.headers.get("location") ?? "";
    assert.match(location, new RegExp(`^${path}#[0-9a-f]{32}$`));
    for (const to of ["https://evil.example/", "/events/x/../../settings"]) {
      const other = await owner.post(action, { ...fields, to, text: "Again" });
      assert.match(other.headers.get("location") ?? "", /^\/posts\//);
    }
    const blank = await owner.post(action, { ...fields, text: " " });
    assert.equal(blank.status, 422);
    assert.equal(hiddenFields(blank, action)["to"], path);
  });
});

test("on a phone, in both languages, the agenda is read and answered without script", async (t) => {
  kith = await startPagesServer();
  t.after(() => kith.close());
  const browser = await launchBrowser();
  t.after(() => browser.close());
  const lea = await newUser(kith.baseUrl, "lea");
  const { userId } = await userOf(kith, lea);
  const location = "Donaudampfschifffahrtsgesellschaftshaus, 12 Water Lane";
  await plan(lea, "Versammlung der Donaudampfschifffahrt", { location });
  await plan(lea, "Camp", {
    start: "2127-06-20T10:00",
    end: "2127-06-25T10:00",
  });
  for (const [locale, name] of [
    ["en", "Going"],
    ["de", "Vielleicht"],
  ] as const) {
    await kith.accounts.changeSettings(userId, { locale });
    const context = await browser.newContext({
      ...{ viewport: { width: 320, height: 800 }, javaScriptEnabled: false },
    });
    const cookies = lea
      .cookies()
      .split("; ")
      .map((pair) => pair.split("="));
    await context.addCookies(
      cookies.map(([name = "", value = ""]) => ({
        ...{ name, value, url: kith.baseUrl },
      })),
    );
    const page = await context.newPage();
    await page.goto(`${kith.baseUrl}/home`);
    await checkLayout(page);
    const places = page.locator("nav.places");
    await places.getByRole("link", { name: /^(Events|Termine)$/ }).click();
    await page.waitForURL("**/events");
    await checkLayout(page);
    const button = page.getByRole("button", { name }).first();
    await button.click();
    await page.waitForURL("**/events#event-*");
    assert.equal(await button.getAttribute("aria-pressed"), "true");
    await context.close();
  }
});
