import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import {
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";

type User = Awaited<ReturnType<typeof newUser>>;

let kith: PagesServer;
let names = 0;

const newName = () => `monthly${(names += 1)}`;

forEachDatabase((database) => {
  before(async () => {
    kith = await startPagesServer({ database });
  });
  after(() => kith.close());

  const meet = () => newUser(kith.baseUrl, newName());
  const authorOf = async ({ username }: User) => {
    const handle = `${username}@${kith.host}`;
    const person = (await kith.people.find({ handle })) ?? assert.fail();
    return { personId: person.id, userId: person.userId ?? assert.fail() };
  };
  const plan = async (
    by: User,
    event: Record<string, string | boolean>,
    announce = true,
  ) =>
    kith.events.create({
      ...{ owner: await authorOf(by), announce, timeZone: "UTC", ...event },
    });
  const zone = async (by: User, timeZone: string) => {
    const { userId } = await authorOf(by);
    await kith.accounts.changeSettings(userId, { timeZone });
  };
  /** The texts of the entries of a day. */
  const entriesOn = (text: string, day: string) => {
    const cell = text
      .split('href="/events/new?start_day=')
      .find((it) => it.startsWith(`${day}"`));
    const [own = ""] = (cell ?? "").split("</td>", 1);
    return [
      ...own.matchAll(/class="entry[^"]*"\s+href="[^"]*"\s*>([^]*?)<\/a/g),
    ]
      .map(([, entry = ""]) => entry.replaceAll(/<[^>]*>/g, " "))
      .map((entry) => entry.replaceAll(/\s+/g, " ").trim());
  };

  test("an event is on its day in the reader's zone, with its hour", async () => {
    const ann = await meet();
    await zone(ann, "Europe/Berlin");
    const times = {
      start: "2027-03-09T23:30:00Z",
      end: "2027-03-10T01:00:00Z",
    };
    await plan(ann, { summary: "Late tea", ...times });
    const { text } = await ann.get("/calendar?month=2027-03");
    assert.match(text, /<h1>March 2027<\/h1>/);
    assert.deepEqual(entriesOn(text, "2027-03-09"), []);
    assert.deepEqual(entriesOn(text, "2027-03-10"), ["12:30 AM Late tea"]);
    await zone(ann, "America/New_York");
    const west = await ann.get("/calendar?month=2027-03");
    assert.deepEqual(entriesOn(west.text, "2027-03-09"), ["6:30 PM Late tea"]);
    assert.deepEqual(entriesOn(west.text, "2027-03-10"), []);
  });

  test("an event over several days is on each of them, whole days without an hour", async () => {
    const ann = await meet();
    await zone(ann, "Asia/Tokyo");
    const times = {
      start: "2027-04-29T01:00:00Z",
      end: "2027-05-02T01:00:00Z",
    };
    await plan(ann, { summary: "Camp", ...times });
    await plan(ann, { summary: "Feast", allDay: true, start: "2027-05-01" });
    const april = await ann.get("/calendar?month=2027-04");
    assert.deepEqual(entriesOn(april.text, "2027-04-29"), ["10:00 AM Camp"]);
    assert.deepEqual(entriesOn(april.text, "2027-04-30"), ["Camp"]);
    const may = await ann.get("/calendar?month=2027-05");
    assert.deepEqual(entriesOn(may.text, "2027-05-01"), ["Camp", "Feast"]);
    assert.deepEqual(entriesOn(may.text, "2027-05-02"), ["Camp"]);
    assert.deepEqual(entriesOn(may.text, "2027-05-03"), []);
  });

  test("it has the events that one attends, and none of strangers", async () => {
    const [ann, ben] = [await meet(), await meet()];
    const times = {
      start: "2027-06-05T10:00:00Z",
      end: "2027-06-05T11:00:00Z",
    };
    const { guid } = await plan(ben, { summary: "Walk", ...times });
    await plan(ben, { summary: "Secret", ...times }, false);
    const seen = async () => (await ann.get("/calendar?month=2027-06")).text;
    assert.doesNotMatch(await seen(), /Walk|Secret/);
    const { csrf_token } = ann;
    const answer = (status: string) =>
      ann.post(`/events/${guid}/answer`, { csrf_token, status });
    await answer("accepted");
    assert.match(await seen(), /class="entry mine"/);
    assert.doesNotMatch(await seen(), /Secret/);
    await answer("declined");
    const [entry = ""] = entriesOn(await seen(), "2027-06-05");
    assert.match(entry, /Walk \(you are not going\)$/);
  });

  test("an event has the colour of its calendar, which is named below", async () => {
    const ann = await meet();
    const { csrf_token } = ann;
    const at = "/settings/calendars";
    const make = (form: Record<string, string>) =>
      ann.post(`${at}/create`, { csrf_token, ...form });
    await make({ name: "Work", color: "#DC143C" });
    await make({ name: "<Play>", color: "other", other: "#123abc" });
    const author = await authorOf(ann);
    const page = { offset: 0, limit: 10 };
    const [play, work] = await kith.calendars.list(author.userId, page);
    assert.deepEqual([play?.color, work?.color], ["#123ABC", "#DC143C"]);
    const day = { start: "2027-08-05", allDay: true, announce: false };
    for (const [summary, calendarId] of [
      ["Report", work?.id],
      ["Match", play?.id],
      ["Nothing", undefined],
    ] as const)
      await kith.events.create({ owner: author, ...day, summary, calendarId });
    const { text } = await ann.get("/calendar?month=2027-08");
    const [report = ""] =
      /<a class="entry[^>]*>[^<]*<svg[^]*?Report/.exec(text) ?? [];
    assert.match(report, /fill="#DC143C"/);
    const entries = entriesOn(text, "2027-08-05");
    assert.deepEqual(entries.toSorted(), [
      "Match (&lt;Play&gt;)",
      "Nothing",
      "Report (Work)",
    ]);
    const [, legend = ""] =
      /class="legend"[^>]*>([^]*?)<\/ul>/.exec(text) ?? [];
    assert.match(legend, /#DC143C[^]*?<bdi>Work<\/bdi>/);
    assert.match(legend, /#123ABC[^]*?<bdi>&lt;Play&gt;<\/bdi>/);
    const [, href = ""] =
      /href="(\/events\/[0-9a-f]{32})"\s*><svg[^]*?Report/.exec(text) ?? [];
    const own = await ann.get(href);
    assert.match(own.text, /class="chip"[^]*?fill="#DC143C"[^]*?>Work<\/bdi/);
    const shown = await ann.get(at);
    assert.match(shown.text, /value="other"\s+checked/);
    assert.match(shown.text, /value="#DC143C"\s+checked/);
    const path = `${at}/${work?.id}/change`;
    await ann.post(path, { csrf_token, name: "Work", color: "" });
    const refused = await ann.post(path, { csrf_token, name: "W", color: "x" });
    assert.equal(refused.status, 422);
    const after = await kith.calendars.get(
      author.userId,
      work?.id ?? assert.fail(),
    );
    assert.deepEqual([after.name, after.color], ["Work", null]);
    const later = (await ann.get("/calendar?month=2027-08")).text;
    assert.doesNotMatch(later, /#DC143C/);
  });

  test("one goes to the months around, to today, and plans on a day", async () => {
    const ann = await meet();
    const { text } = await ann.get("/calendar?month=2026-12");
    assert.match(text, /href="\/calendar\?month=2026-11"\s+rel="prev"/);
    assert.match(text, /href="\/calendar\?month=2027-01"\s+rel="next"/);
    assert.match(text, /Nothing is planned/);
    const now = await ann.get("/calendar?month=nonsense");
    assert.match(now.text, /aria-current="date"/);
    const form = await ann.get("/events/new?start_day=2026-12-24");
    assert.match(form.text, /value="2026-12-24"/);
    const odd = await ann.get("/events/new?start_day=2026-99-99");
    assert.doesNotMatch(odd.text, /2026-99-99/);
    const nobody = await visitor(kith.baseUrl).get("/calendar");
    assert.match(nobody.headers.get("location") ?? "", /sign_in/);
  });
});
