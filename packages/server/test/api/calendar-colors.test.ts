import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CalendarProgram,
  NAMESPACES,
  responsesIn,
} from "../support/caldav/calendar-program.ts";
import {
  CLUB,
  ical,
  SUBSCRIBED,
  useSubscribers,
} from "../support/caldav/subscribing.ts";
import { plan, sharedCalendar } from "../support/scenes/planning.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import type { TestPerson } from "../support/server/kith-server.ts";
import type {
  CalendarRecord,
  SharedCalendarRecord,
  SubscribedCalendarRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const { kith, site, somebody } = useSubscribers(kind);

  const programOf = ({ username }: TestPerson) =>
    new CalendarProgram(kith(), username);
  /** The name and colour of each calendar in programs. */
  const looksIn = async (person: TestPerson) => {
    const program = programOf(person);
    const props = "<d:displayname/><a:calendar-color/><cs:getctag/>";
    const { text } = await program.propfind(program.home, props, "1");
    return responsesIn(text).map(({ href, xml }) => ({
      href,
      name: /displayname[^>]*>([^<]*)</.exec(xml)?.[1],
      color: /calendar-color[^>]*>([^<]+)</.exec(xml)?.[1],
      ctag: /getctag[^>]*>([^<]*)</.exec(xml)?.[1],
    }));
  };
  const lookOf = async (person: TestPerson, name: string) =>
    (await looksIn(person)).find((look) => look.name === name) ??
    assert.fail(`no calendar ${name}`);
  const paint = (person: TestPerson, href: string, color: string) =>
    programOf(person).send("PROPPATCH", href, {
      body: `<d:propertyupdate ${NAMESPACES}><d:set><d:prop>
        <a:calendar-color>${color}</a:calendar-color></d:prop></d:set></d:propertyupdate>`,
    });

  test("a calendar has the same colour in the API and in programs", async () => {
    const ann = await kith().person();
    const form = { name: "Work", color: " #1e90ff " };
    const made = await ann.post<CalendarRecord>("/calendar", form);
    assert.equal(made.Color, "#1E90FF");
    const first = await lookOf(ann, "Work");
    assert.equal(first.color, "#1E90FF");
    const path = `/calendar/${made.ID}`;
    const changed = await ann.put<CalendarRecord>(path, { color: "#DC143C" });
    assert.deepEqual([changed.Name, changed.Color], ["Work", "#DC143C"]);
    const second = await lookOf(ann, "Work");
    assert.equal(second.color, "#DC143C");
    assert.notEqual(second.ctag, first.ctag);
    // Apple's programs write an alpha value; it comes back to them as it was.
    await paint(ann, first.href, "#00aa55FF");
    assert.equal((await lookOf(ann, "Work")).color, "#00aa55FF");
    assert.equal((await ann.get<CalendarRecord>(path)).Color, "#00AA55");
    await paint(ann, first.href, "something else");
    assert.equal((await ann.get<CalendarRecord>(path)).Color, undefined);
    await ann.put(path, { name: "Play", color: "#DC143C" });
    await ann.put(path, { color: "" });
    assert.equal((await lookOf(ann, "Play")).color, undefined);
    const [listed] = await ann.get<CalendarRecord[]>("/calendar");
    assert.ok(listed && !("Color" in listed));
  });

  test("a name from here takes the place of a program's", async () => {
    const ann = await kith().person();
    const { ID } = await ann.post<CalendarRecord>("/calendar", { name: "One" });
    const { href } = await lookOf(ann, "One");
    await programOf(ann).send("PROPPATCH", href, {
      body: `<d:propertyupdate ${NAMESPACES}><d:set><d:prop>
        <d:displayname> Two </d:displayname></d:prop></d:set></d:propertyupdate>`,
    });
    assert.equal((await lookOf(ann, " Two ")).href, href);
    await ann.put(`/calendar/${ID}`, { name: "Three" });
    assert.equal((await lookOf(ann, "Three")).href, href);
  });

  test("a text that is no colour is refused, and changes nothing", async () => {
    const { who: ann, calendar } = await somebody();
    const bob = await kith().person();
    const { ID } = await sharedCalendar(ann, bob);
    const places = [
      [ann, `/calendar/${ID}`],
      [bob, `/shared_calendars/${ID}`],
      [ann, `${SUBSCRIBED}/${calendar.ID}`],
    ] as const;
    for (const [who, path] of places) {
      await who.put(path, { color: "#708090" });
      for (const color of ["red", "#12345", "#1234567", "#GGGGGG", "url(#x)"])
        await who.badRequest("PUT", path, { form: { color } });
      await who.badRequest("PUT", path, { json: { color: 1 } });
    }
    const form = { name: "New", color: '"><script>' };
    await ann.badRequest("POST", "/calendar", { form });
    const own = await ann.get<CalendarRecord[]>("/calendar");
    assert.deepEqual(
      own.map((it) => [it.Name, it.Color]),
      [["Ours", "#708090"]],
    );
    await bob.badRequest("PUT", `/shared_calendars/${ID}`);
  });

  test("each reader of a shared calendar has a colour of their own", async () => {
    const [ann, bob, cid] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const { ID } = await sharedCalendar(ann, bob);
    await ann.put(`/calendar/${ID}`, { color: "#DC143C" });
    const path = `/shared_calendars/${ID}`;
    const seen = async () =>
      (await bob.get<SharedCalendarRecord[]>("/shared_calendars")).map(
        ({ Color }) => Color,
      );
    assert.deepEqual(await seen(), [undefined]);
    const form = { color: "#228B22" };
    const changed = await bob.put<SharedCalendarRecord>(path, form);
    assert.equal(changed.Color, "#228B22");
    assert.deepEqual(await seen(), ["#228B22"]);
    assert.equal((await lookOf(bob, "Ours")).color, "#228B22");
    assert.equal((await lookOf(ann, "Ours")).color, "#DC143C");
    for (const other of [ann, cid]) await other.notFound("PUT", path, { form });
    await bob.delete(path);
    await bob.notFound("PUT", path, { form });
  });

  test("a subscribed calendar has a colour, which its own changes leave", async () => {
    const { who, calendar } = await somebody();
    const path = `${SUBSCRIBED}/${calendar.ID}`;
    const form = { color: "#9932CC" };
    const changed = await who.put<SubscribedCalendarRecord>(path, form);
    assert.deepEqual([changed.Name, changed.Color], ["The club", "#9932CC"]);
    site.respond = ical(CLUB.replace("The club", "The clubs"));
    kith().clock.advance(3_600_000);
    await who.post(`${path}/refresh`);
    const [listed] = await who.get<SubscribedCalendarRecord[]>(SUBSCRIBED);
    assert.deepEqual([listed?.Name, listed?.Color], ["The clubs", "#9932CC"]);
    assert.equal((await lookOf(who, "The clubs")).color, "#9932CC");
  });

  test("a feed says its colour, by a name if it has one", async () => {
    const ann = await kith().person();
    const { ID } = await ann.post<CalendarRecord>("/calendar", { name: "F" });
    await plan(ann, { calendarID: ID });
    const { PublicURL } = await ann.get<{ PublicURL: string }>(
      `/calendar/${ID}/addresses`,
    );
    const linesOf = async () =>
      (await (await fetch(PublicURL)).text())
        .split("\r\n")
        .filter((line) => /COLOR/.test(line));
    assert.deepEqual(await linesOf(), []);
    await ann.put(`/calendar/${ID}`, { color: "#1E90FF" });
    assert.deepEqual(await linesOf(), [
      "COLOR:dodgerblue",
      "X-APPLE-CALENDAR-COLOR:#1E90FF",
    ]);
    await ann.put(`/calendar/${ID}`, { color: "#123456" });
    assert.deepEqual(await linesOf(), ["X-APPLE-CALENDAR-COLOR:#123456"]);
  });

  test("of changes at the same time, none takes another one back", async () => {
    const ann = await kith().person();
    const { ID } = await ann.post<CalendarRecord>("/calendar", { name: "One" });
    const { href } = await lookOf(ann, "One");
    const order = programOf(ann).send("PROPPATCH", href, {
      body: `<d:propertyupdate ${NAMESPACES}><d:set><d:prop>
        <a:calendar-order>7</a:calendar-order></d:prop></d:set></d:propertyupdate>`,
    });
    const path = `/calendar/${ID}`;
    await Promise.all([
      order,
      ann.put(path, { color: "#FFD700" }),
      ann.put(path, { name: "Both" }),
    ]);
    const look = await lookOf(ann, "Both");
    assert.equal(look.color, "#FFD700");
    const { text } = await programOf(ann).propfind(href, "<a:calendar-order/>");
    assert.match(text, />7</);
  });
});
