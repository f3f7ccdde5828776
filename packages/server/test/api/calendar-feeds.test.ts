import assert from "node:assert/strict";
import { before, test } from "node:test";
import { readCalendar } from "../../src/lib/icalendar/icalendar.fixture.ts";
import { visitor } from "../support/pages/visit.ts";
import { aspectOf, keepAway, plan } from "../support/scenes/planning.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../support/server/kith-server.ts";
import { DAY_MS } from "../support/server/test-clock.ts";
import type {
  CalendarAddressesRecord,
  CalendarRecord,
  EventRecord,
} from "../support/server/wire.ts";

type Headers_ = Readonly<Record<string, string>>;

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let ann: TestPerson;
  let bob: TestPerson;
  let carl: TestPerson;
  let calendarID: number;

  before(async () => {
    [ann, bob, carl] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const form = { name: "Träume; & more\r\nX-EVIL:1" };
    calendarID = (await ann.post<CalendarRecord>("/calendar", form)).ID;
  });

  const fetchFile = (url: string, headers: Headers_ = {}, method = "GET") =>
    fetch(url, { method, headers, redirect: "manual" });
  const readFile = async (url: string, headers: Headers_ = {}) => {
    const response = await fetchFile(url, headers);
    assert.equal(response.status, 200, url);
    return readCalendar(await response.text());
  };
  const names = async (url: string) =>
    (await readFile(url)).events.map(({ summary }) => summary).sort();
  const urlOf = ({ Guid }: EventRecord) =>
    `${kith().baseUrl}/events/${Guid}.ics`;
  const soon = (days: number) =>
    new Date(kith().clock.now().getTime() + days * DAY_MS).toISOString();
  const planSoon = (by: TestPerson, form: Record<string, string | number>) =>
    plan(by, { start: soon(1), end: soon(2), ...form });
  const addresses = (by = ann, id = calendarID) =>
    by.get<CalendarAddressesRecord>(`/calendar/${id}/addresses`);
  const renew = async (by = ann, id = calendarID) => {
    const path = `/calendar/${id}/addresses/secret`;
    const { SecretURL } = await by.post<CalendarAddressesRecord>(path);
    assert.ok(SecretURL);
    return SecretURL;
  };
  const answer = (by: TestPerson, { ID }: EventRecord) =>
    by.put(`/calendar/events/${ID}/participation`, { status: "accepted" });
  const isAbsent = async (url: string, headers: Headers_ = {}) => {
    const response = await fetchFile(url, headers);
    assert.equal(response.status, 404, url);
    assert.doesNotMatch(await response.text(), /VCALENDAR/);
  };

  test("an event is a file, as local time in its zone", async () => {
    const event = await plan(ann, {
      start: "2027-07-04T18:30",
      end: "2027-07-04T21:00",
      timezone: "America/New_York",
      summary: "Picnic, with cake",
      description: "**Bring**\nplates",
      location: "Park",
    });
    const response = await fetchFile(urlOf(event));
    const text = await response.text();
    const { events, zones } = readCalendar(text);
    assert.deepEqual(zones, ["America/New_York"]);
    const [read] = events;
    assert.ok(read);
    assert.deepEqual(
      [read.uid, read.summary, read.description, read.location],
      [event.Uid, event.Summary, "**Bring**\nplates", "Park"],
    );
    assert.deepEqual([read.start, read.end], [event.Start, event.End]);
    assert.match(text, /DTSTART;TZID=America\/New_York:20270704T183000/);
    const [organizer = ""] = read.properties.get("organizer") ?? [];
    assert.ok(
      organizer.endsWith(`${kith().baseUrl}/people/${ann.record.Guid}`),
      organizer,
    );
    const { headers } = response;
    assert.equal(headers.get("content-type"), "text/calendar; charset=utf-8");
    assert.equal(
      headers.get("content-disposition"),
      `inline; filename="calendar.ics"; filename*=UTF-8''Picnic%2C%20with%20cake.ics`,
    );
    assert.match(headers.get("vary") ?? "", /Cookie.*access_token/);
  });

  test("a change keeps the UID and raises the sequence", async () => {
    const event = await planSoon(ann, {});
    kith().clock.advance(5000);
    await ann.put(`/calendar/events/${event.ID}`, { summary: "Later" });
    const [read] = (await readFile(urlOf(event))).events;
    assert.equal(read?.uid, event.Uid);
    assert.equal(read?.summary, "Later");
    assert.deepEqual(read?.properties.get("sequence"), ["SEQUENCE:1"]);
    const stamps = ["dtstamp", "last-modified"].map(
      (name) => read?.properties.get(name)?.[0]?.split(":")[1],
    );
    assert.equal(stamps[0], stamps[1]);
    assert.notEqual(
      stamps[0],
      read?.properties.get("created")?.[0]?.split(":")[1],
    );
  });

  test("a limited event is a file for its recipients, by token or session", async () => {
    const aspectID = await aspectOf(ann, bob);
    const event = await planSoon(ann, { aspectID });
    await answer(bob, event);
    const url = urlOf(event);
    const bearer = { authorization: `Bearer ${bob.token}` };
    const response = await fetchFile(url, bearer);
    const [read] = readCalendar(await response.text()).events;
    assert.deepEqual(read?.properties.get("class"), ["CLASS:PRIVATE"]);
    assert.match(
      String(read?.properties.get("attendee")),
      new RegExp(`PARTSTAT=ACCEPTED:.*/people/${bob.record.Guid}$`),
    );
    assert.match(response.headers.get("cache-control") ?? "", /^private/);
    assert.equal(response.headers.get("access-control-allow-origin"), null);
    const session = visitor(kith().baseUrl);
    const { username } = bob;
    await session.post("/users/sign_in", { username, password: PASSWORD });
    assert.equal((await session.get(new URL(url).pathname)).status, 200);
    await isAbsent(url);
    await isAbsent(url, { access_token: carl.token });
    assert.equal((await fetchFile(url, { access_token: "x" })).status, 401);
  });

  test("a public event shows strangers nothing of its participants", async () => {
    const event = await planSoon(ann, {});
    await answer(bob, event);
    const attendees = async (headers: Headers_) =>
      (await readFile(urlOf(event), headers)).events[0]?.properties.has(
        "attendee",
      );
    assert.equal(await attendees({}), false);
    assert.equal(await attendees({ access_token: carl.token }), true);
    await keepAway(kith(), "block", ann, carl);
    await isAbsent(urlOf(event), { access_token: carl.token });
  });

  test("a public feed has the public events of its calendar, and no attendees", async () => {
    const open = await planSoon(ann, { calendarID, summary: "open" });
    await answer(bob, open);
    const aspectID = await aspectOf(ann, bob);
    await planSoon(ann, { calendarID, summary: "limited", aspectID });
    await planSoon(ann, { calendarID, summary: "own", announce: "false" });
    await planSoon(ann, { summary: "elsewhere" });
    await planSoon(ann, {
      calendarID,
      summary: "long over",
      start: soon(-800),
      end: soon(-799),
    });
    const { PublicURL, ...rest } = await addresses();
    assert.deepEqual(rest, {});
    const response = await fetchFile(PublicURL, { access_token: ann.token });
    const text = await response.text();
    const { events, properties } = readCalendar(text);
    assert.deepEqual(
      events.map(({ summary }) => summary),
      ["open"],
    );
    assert.doesNotMatch(text, /ATTENDEE/);
    assert.ok(!text.includes(bob.record.Guid));
    assert.deepEqual(properties.get("x-evil"), undefined);
    assert.match(text, /\r\nREFRESH-INTERVAL;VALUE=DURATION:PT1H\r\n/);
    assert.match(text, /\r\nX-PUBLISHED-TTL:PT1H\r\n/);
    const { headers } = response;
    assert.equal(headers.get("cache-control"), "public, max-age=900");
    assert.equal(headers.get("access-control-allow-origin"), "*");
    assert.ok(headers.get("last-modified"));
  });

  test("the secret address shows what the owner sees, until it is renewed or ended", async () => {
    const dora = await kith().person();
    const form = { name: "Private" };
    const { ID } = await dora.post<CalendarRecord>("/calendar", form);
    const more = { calendarID: ID, summary: "own", announce: "false" };
    await planSoon(dora, more);
    const public_ = await planSoon(dora, { calendarID: ID, summary: "open" });
    await answer(bob, public_);
    const first = await renew(dora, ID);
    assert.match(first, /\/calendars\/\w{32}\/[\w-]{43}\.ics$/);
    assert.deepEqual(await names(first), ["open", "own"]);
    const response = await fetchFile(first);
    assert.match(await response.text(), /ATTENDEE/);
    for (const [name, value] of [
      ["cache-control", "private, max-age=900"],
      ["referrer-policy", "no-referrer"],
      ["x-robots-tag", "noindex, nofollow, noarchive"],
      ["access-control-allow-origin", null],
    ] as const)
      assert.equal(response.headers.get(name), value, name);
    assert.equal((await addresses(dora, ID)).SecretURL, first);
    assert.ok((await addresses(dora, ID)).SecretSince);
    const second = await renew(dora, ID);
    assert.notEqual(second, first);
    await isAbsent(first);
    assert.deepEqual(await names(second), ["open", "own"]);
    await dora.delete(`/calendar/${ID}/addresses/secret`);
    await isAbsent(second);
    assert.equal((await addresses(dora, ID)).SecretURL, undefined);
    assert.notEqual(await renew(dora, ID), second);
  });

  test("the database does not hold the secret", async () => {
    const url = await renew();
    const [, secret = assert.fail(url)] = /\/([\w-]{43})\.ics$/.exec(url) ?? [];
    const rows = await kith()
      .db.read.selectFrom("calendars")
      .selectAll()
      .execute();
    assert.ok(rows.some(({ address_salt }) => address_salt !== null));
    assert.ok(!JSON.stringify(rows).includes(secret));
  });

  test("guessed, shortened and foreign secrets open nothing", async () => {
    const url = await renew();
    const emil = await kith().person();
    const other = await emil.post<CalendarRecord>("/calendar", { name: "e" });
    const foreign = await renew(emil, other.ID);
    const [, base = "", secret = ""] = /^(.*\/)([\w-]+)\.ics$/.exec(url) ?? [];
    const [, theirs = ""] = /([\w-]+)\.ics$/.exec(foreign) ?? [];
    for (const guess of [
      theirs,
      "A".repeat(43),
      secret.slice(0, -1),
      `${secret}A`,
      secret.toUpperCase(),
      "..",
      "undefined",
      "ä".repeat(43),
    ]) {
      const response = await fetchFile(`${base}${guess}.ics`);
      assert.equal(response.status, 404, guess);
      assert.equal(response.headers.get("cache-control"), "no-store", guess);
    }
    for (const end of ["%0d%0a", "%00"])
      await isAbsent(`${base}${secret}${end}.ics`);
    assert.equal((await fetchFile(url)).status, 200);
  });

  test("addresses are for the owner alone, and no one else's calendar has any", async () => {
    for (const id of [calendarID, 0, -1, 999_999, "abc"]) {
      const path = `/calendar/${id}/addresses`;
      await bob.notFound("GET", path);
      await bob.notFound("POST", `${path}/secret`);
      await bob.notFound("DELETE", `${path}/secret`);
    }
    await kith().anonymous.unauthorized(
      "POST",
      `/calendar/${calendarID}/addresses/secret`,
    );
    for (const guid of ["0".repeat(32), "x", "a.b", "%2e%2e", "%0d%0a"])
      await isAbsent(`${kith().baseUrl}/calendars/${guid}.ics`);
  });

  test("a client with a current feed gets 304, until anything changes", async () => {
    const frida = await kith().person();
    const form = { name: "f" };
    const { ID } = await frida.post<CalendarRecord>("/calendar", form);
    const event = await planSoon(frida, { calendarID: ID });
    const url = await renew(frida, ID);
    const etagOf = async () =>
      (await fetchFile(url)).headers.get("etag") ?? assert.fail();
    const first = await etagOf();
    assert.equal(await etagOf(), first);
    const asked = (etag: string, method?: string) =>
      fetchFile(url, { "if-none-match": etag }, method);
    for (const etag of [first, `W/${first}`, `"x", ${first}`, "*"]) {
      const same = await asked(etag);
      assert.equal(same.status, 304, etag);
      assert.equal(await same.text(), "");
      assert.equal(same.headers.get("etag"), first);
      assert.equal(same.headers.get("cache-control"), "private, max-age=900");
    }
    const head = await asked('"x"', "HEAD");
    assert.equal(head.status, 200);
    assert.equal(head.headers.get("etag"), first);
    await answer(bob, event);
    const second = await etagOf();
    assert.notEqual(second, first);
    await frida.put(`/calendar/${ID}`, { name: "renamed" });
    const third = await etagOf();
    assert.notEqual(third, second);
    // A removed event is no later than the rest, so the date alone is not asked.
    const dated = { "if-modified-since": new Date(2090, 1).toUTCString() };
    await frida.delete(`/calendar/events/${event.ID}`);
    const after = await fetchFile(url, dated);
    assert.equal(after.status, 200);
    assert.deepEqual(readCalendar(await after.text()).events, []);
  });

  test("nothing in an event begins another property, however long", async () => {
    const evil = "x\r\nATTENDEE:mailto:victim@example.org\u2028END:VEVENT\r";
    const event = await planSoon(ann, {
      calendarID,
      summary: evil,
      location: evil,
      description: `${evil}${"ä\n🦌".repeat(16_000)}`,
    });
    const [read] = (await readFile(urlOf(event))).events;
    assert.ok(read);
    assert.equal(read.properties.has("attendee"), false);
    assert.ok(read.description.endsWith("ä\n🦌"));
    const { headers } = await fetchFile(urlOf(event));
    assert.match(
      headers.get("content-disposition") ?? "",
      /^inline; filename="calendar\.ics"; filename\*=UTF-8''[\w%.-]+\.ics$/,
    );
    await ann.delete(`/calendar/events/${event.ID}`);
  });

  test("all of a large calendar is in its feed, part by part", async () => {
    const gail = await kith().person();
    const form = { name: "g" };
    const { ID } = await gail.post<CalendarRecord>("/calendar", form);
    const made = await planSoon(gail, { calendarID: ID, announce: "false" });
    await kith().db.transaction(async (tx) => {
      const row = await tx
        .selectFrom("events")
        .selectAll()
        .where("id", "=", made.ID)
        .executeTakeFirstOrThrow();
      const copies = Array.from({ length: 1200 }, (_, n) => ({
        ...row,
        categories: null,
        all_day: false,
        needs_approval: false,
        public: false,
        id: (row.id - n - 1) as typeof row.id,
        // No hexadecimal digit, so that none is the Guid of the original.
        guid: `${row.guid.slice(0, -5)}g${String(n).padStart(4, "0")}`,
        uid: `${n}@many`,
      }));
      for (let from = 0; from < copies.length; from += 400)
        await tx
          .insertInto("events")
          .values(copies.slice(from, from + 400))
          .execute();
    });
    const { events } = await readFile(await renew(gail, ID));
    assert.equal(events.length, 1201);
    assert.equal(new Set(events.map(({ uid }) => uid)).size, 1201);
  });

  test("the feeds of a suspended owner, and of a deleted calendar, are gone", async () => {
    const hal = await kith().person();
    const form = { name: "h" };
    const { ID } = await hal.post<CalendarRecord>("/calendar", form);
    const secret = await renew(hal, ID);
    const { PublicURL } = await addresses(hal, ID);
    const keeper = await kith().person({ role: "moderator" });
    const suspension = `/admin/people/${hal.record.Guid}/suspension`;
    await keeper.put(suspension, { reason: "threats" });
    for (const url of [secret, PublicURL]) await isAbsent(url);
    await keeper.delete(suspension);
    for (const url of [secret, PublicURL])
      assert.equal((await fetchFile(url)).status, 200);
    const { token } = await kith().token(hal.username, "after");
    const deleted = await hal.with(token).call("DELETE", `/calendar/${ID}`);
    assert.equal(deleted.status, 200);
    for (const url of [secret, PublicURL]) await isAbsent(url);
  });

  test("feeds end when their owner leaves", async () => {
    const ida = await kith().person();
    const form = { name: "i" };
    const { ID } = await ida.post<CalendarRecord>("/calendar", form);
    const event = await planSoon(ida, { calendarID: ID });
    const secret = await renew(ida, ID);
    await ida.call("DELETE", "/users", { form: { password: PASSWORD } });
    await isAbsent(secret);
    await kith().settle();
    await isAbsent(secret);
    await isAbsent(urlOf(event));
  });
});
