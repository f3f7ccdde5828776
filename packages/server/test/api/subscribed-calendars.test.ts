import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { test } from "node:test";
import { createRefreshCalendars } from "../../src/features/subscribed-calendars/index.ts";
import type { LeasedJob } from "../../src/jobs/job.ts";
import {
  CLUB,
  feed,
  GAME,
  ical,
  MARCH,
  SUBSCRIBED,
  useSubscribers,
} from "../support/caldav/subscribing.ts";
import { newUser } from "../support/pages/visit.ts";
import { page } from "../support/pages/web-pages.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { DAY_MS, HOUR_MS } from "../support/server/test-clock.ts";
import type { SubscribedCalendarRecord } from "../support/server/wire.ts";

/** A zone with 500 changes. */
function longZone(): string {
  const changes = Array.from({ length: 500 }, (_, n) => [
    ...["BEGIN:STANDARD", `DTSTART:${1600 + n}0101T000000`],
    ...["TZOFFSETFROM:+0100", "TZOFFSETTO:+0100", "END:STANDARD"],
  ]);
  return [
    "BEGIN:VTIMEZONE",
    "TZID:Long",
    ...changes.flat(),
    "END:VTIMEZONE",
  ].join("\r\n");
}

forEachDatabase((kind) => {
  const {
    address,
    eventsIn,
    kith,
    list,
    only,
    refreshDue,
    site,
    somebody,
    subscribe,
    summaries,
    wait,
  } = useSubscribers(kind);

  test("a calendar of another server is read, and its events are listed", async () => {
    const { who, url, calendar } = await somebody();
    assert.deepEqual(
      [calendar.Name, calendar.Url, calendar.Fault],
      ["The club", url, undefined],
    );
    const [sent] = site.headers;
    assert.match(String(sent?.["user-agent"]), /Kith/);
    assert.ok(!JSON.stringify(site.headers).includes(who.username));
    const found = await eventsIn(who);
    assert.deepEqual(
      found.map(({ Summary, Start }) => [Summary, Start]),
      [
        ["Training", "2027-03-02T17:00:00.000Z"],
        ["Training", "2027-03-09T17:00:00.000Z"],
        ["Home game", "2027-03-10T09:00:00.000Z"],
        ["Training", "2027-03-16T17:00:00.000Z"],
        ["Holiday", "2027-03-26"],
      ],
    );
    assert.equal(found[2]?.Location, "Stadium");
    assert.equal(found[4]?.AllDay, true);
    // They are no events of this server.
    assert.deepEqual(await who.get("/calendar/events"), []);
    const stranger = await kith().person();
    assert.deepEqual(await list(stranger), []);
    assert.deepEqual(await eventsIn(stranger), []);
    const path = `${SUBSCRIBED}/${calendar.ID}`;
    await stranger.notFound("PUT", path, { form: { name: "mine" } });
    await stranger.notFound("POST", `${path}/refresh`);
    await stranger.notFound("DELETE", path);
    assert.equal((await only(who)).Name, "The club");
  });

  test("without a range, the events of the next 31 days are listed", async () => {
    const at = (days: number) =>
      new Date(kith().clock.now().getTime() + days * DAY_MS)
        .toISOString()
        .replaceAll(/[-:]|\.\d+/g, "");
    const event = (name: string, days: number) => [
      ...[name, `SUMMARY:${name}`, `DTSTART:${at(days)}`],
    ];
    const { who } = await somebody(
      feed([event("past", -2), event("soon", 20), event("late", 40)]),
    );
    const found = await eventsIn(who, {});
    assert.deepEqual(
      found.map(({ Summary }) => Summary),
      ["soon"],
    );
    const range = new URLSearchParams({ from: MARCH.to, to: MARCH.from });
    await who.badRequest("GET", `/subscribed_events?${range.toString()}`);
  });

  test("it is named anew, read again, and forgotten", async () => {
    const { who, calendar } = await somebody();
    const path = `${SUBSCRIBED}/${calendar.ID}`;
    const named = await who.put<SubscribedCalendarRecord>(path, {
      name: "Football",
    });
    assert.equal(named.Name, "Football");
    const back = await who.put<SubscribedCalendarRecord>(path, { name: "" });
    assert.equal(back.Name, "The club");
    site.respond = ical(feed([GAME]));
    const before = site.visits.length;
    await who.post(`${path}/refresh`);
    assert.equal(site.visits.length, before, "it was read a moment ago");
    kith().clock.advance(HOUR_MS);
    await who.post(`${path}/refresh`);
    assert.equal(site.visits.length, before + 1);
    assert.deepEqual(await summaries(who), ["Home game"]);
    await who.delete(path);
    assert.deepEqual(await list(who), []);
    assert.deepEqual(await eventsIn(who), []);
    const rows = await kith()
      .db.read.selectFrom("subscribed_objects")
      .selectAll()
      .where("subscription_id", "=", calendar.ID)
      .execute();
    assert.deepEqual(rows, []);
    await who.notFound("DELETE", path);
  });

  test("an address of no calendar is refused, and changes nothing", async () => {
    const who = await kith().person();
    const refused = async (url: string, pattern: RegExp) => {
      const answer = await who.call("POST", SUBSCRIBED, { form: { url } });
      assert.equal(answer.status, 400, `${url}: ${answer.text}`);
      assert.match(answer.text, pattern, url);
      assert.deepEqual(await list(who), []);
    };
    for (const url of [
      ...["", "nonsense", "ftp://example.org/a.ics", "javascript:alert(1)"],
      ...[
        "https://ann:secret@example.org/a.ics",
        `https://x.org/${"a".repeat(2100)}`,
      ],
    ])
      await refused(url, /must/);
    assert.deepEqual(site.visits, []);
    for (const [status, words] of [
      [404, /nothing is there/],
      [410, /nothing is there/],
      [401, /does not show it/],
      [403, /does not show it/],
      [500, /did not answer/],
      [304, /did not answer/],
    ] as const) {
      site.respond = (response) => void response.writeHead(status).end();
      await refused(address(), words);
    }
    for (const text of [
      ...["", "<html>no</html>", "HAHA:YES", "BEGIN:VCARD\r\nEND:VCARD\r\n"],
      "BEGIN:VCALENDAR\r\n".repeat(30),
    ]) {
      site.respond = ical(text);
      await refused(address(), /no calendar that can be understood/);
    }
    site.respond = page(Buffer.from([0xff, 0xfe, 0x41]), "text/calendar");
    await refused(address(), /no calendar/);
    site.respond = (response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      response.end(gzipSync(Buffer.alloc(3 * 1024 * 1024)));
    };
    await refused(address(), /more than 2 MB/);
    // Each event would have a copy of a long zone.
    const zone = longZone();
    const zoned = Array.from({ length: 400 }, (_, n) => [
      ...[`z${n}`, "DTSTART;TZID=Long:20270310T090000"],
    ]);
    site.respond = ical(feed(zoned, zone));
    await refused(address(), /more than 2 MB/);
    const many = Array.from({ length: 5001 }, (_, n) => [`u${n}`]);
    site.respond = ical(feed(many));
    await refused(address(), /5,000 events/);
  });

  test("nobody has the same one twice, or more than twenty", async () => {
    const { who, url, calendar } = await somebody();
    const again = (given: string) =>
      who.refused(
        "POST",
        SUBSCRIBED,
        { form: { url: given } },
        409,
        "Conflict",
      );
    await again(url);
    await again(` ${url}#part`);
    for (let n = 1; n < 20; n += 1) await subscribe(who, address());
    await again(address());
    assert.equal((await list(who)).length, 20);
    await who.delete(`${SUBSCRIBED}/${calendar.ID}`);
    const at = address();
    const both = await Promise.all(
      [1, 2].map(() => who.call("POST", SUBSCRIBED, { form: { url: at } })),
    );
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
  });

  test("it is read again when it is due, and conditionally", async () => {
    const { who, calendar } = await somebody();
    const tagged = (text: string) => {
      site.respond = (response) =>
        void response
          .writeHead(200, {
            ...{ "content-type": "text/calendar", etag: '"one"' },
            "last-modified": "Fri, 01 Jan 2027 00:00:00 GMT",
          })
          .end(text);
    };
    const due = Date.parse(calendar.DueAt) - kith().clock.now().getTime();
    assert.ok(due > 5 * HOUR_MS && due < 7 * HOUR_MS, calendar.DueAt);
    await wait(HOUR_MS);
    assert.equal(site.visits.length, 1);
    tagged(feed([GAME], "REFRESH-INTERVAL;VALUE=DURATION:PT2H"));
    await wait(6 * HOUR_MS);
    assert.equal(site.visits.length, 2);
    assert.deepEqual(await summaries(who), ["Home game"]);
    const next = Date.parse((await only(who)).DueAt);
    const inMs = next - kith().clock.now().getTime();
    assert.ok(inMs > HOUR_MS && inMs < 3 * HOUR_MS, String(inMs));
    site.respond = (response) => void response.writeHead(304).end();
    await wait(3 * HOUR_MS);
    const sent = site.headers.at(-1);
    assert.equal(sent?.["if-none-match"], '"one"');
    assert.match(String(sent["if-modified-since"]), /^Fri, 01 Jan 2027/);
    assert.deepEqual(await summaries(who), ["Home game"]);
    assert.equal((await only(who)).Fault, undefined);
  });

  test("a server that fails is tried less and less often, and what was read stays", async () => {
    const { who } = await somebody();
    const waits: number[] = [];
    site.respond = (response) => void response.writeHead(503).end();
    kith().clock.advance(DAY_MS);
    for (let n = 0; n < 9; n += 1) {
      await refreshDue();
      const { DueAt, Fault } = await only(who);
      assert.equal(Fault, "unreachable");
      const ms = Date.parse(DueAt) - kith().clock.now().getTime();
      waits.push(ms);
      kith().clock.advance(ms + 1000);
    }
    assert.ok((waits[0] ?? 0) < 0.3 * HOUR_MS, String(waits));
    assert.ok((waits[3] ?? 0) > (waits[0] ?? 0) * 5, String(waits));
    assert.ok(Math.max(...waits) < 27 * HOUR_MS, String(waits));
    assert.equal((await summaries(who)).length, 5);
    site.respond = (response) =>
      void response.writeHead(429, { "retry-after": "7200" }).end();
    await refreshDue();
    site.respond = ical(feed([GAME]));
    await wait(30 * HOUR_MS);
    assert.equal((await only(who)).Fault, undefined);
    assert.deepEqual(await summaries(who), ["Home game"]);
  });

  test("a calendar that fails in a way nobody foresaw does not stop the others", async () => {
    const { who, url } = await somebody();
    const other = await somebody();
    site.respond = ical(feed([GAME]));
    kith().clock.advance(DAY_MS);
    const { db, clock } = kith();
    const run = createRefreshCalendars({ db, clock }, async (at) => {
      if (at === url) throw new Error("Unforeseen");
      const bytes = Buffer.from(feed([GAME]));
      return { kind: "read", bytes, etag: null, lastModified: null };
    });
    const job = { attempts: 1 } as LeasedJob;
    const running = () => run({}, { job, signal: AbortSignal.any([]) });
    await assert.rejects(async () => running(), /Unforeseen/);
    assert.equal((await only(who)).Fault, "no_calendar");
    assert.deepEqual(await summaries(other.who), ["Home game"]);
    // It is not due again at once.
    assert.deepEqual(await running(), { kind: "again", afterMs: 60_000 });
  });

  test("events that cannot be understood leave the others", async () => {
    const hostile = ["hostile", "SUMMARY:No", "RRULE:FREQ=SECONDLY"];
    const early = ["early", "SUMMARY:No", "DTSTART:00010101T000000Z"];
    const { who } = await somebody(feed([hostile, GAME, early]));
    assert.deepEqual(await summaries(who), ["Home game"]);
  });

  test("floating times are those of the reader, also in another zone", async () => {
    const floating = ["f", "SUMMARY:Dawn", "DTSTART:20270310T060000"];
    const { who } = await somebody(feed([floating]));
    const startOf = async () => (await eventsIn(who))[0]?.Start;
    assert.equal(await startOf(), "2027-03-10T06:00:00.000Z");
    await who.put("/settings", { TimeZone: "Asia/Tokyo" });
    await wait(DAY_MS);
    assert.equal(await startOf(), "2027-03-09T21:00:00.000Z");
  });

  test("nothing is read for an account that is closed", async () => {
    const { who } = await somebody();
    const { db } = kith();
    const suspend = (state: "active" | "closed") =>
      db.transaction(async (tx) => {
        await tx
          .updateTable("users")
          .set({ state })
          .where("username", "=", who.username)
          .execute();
      });
    await suspend("closed");
    const before = site.visits.length;
    await wait(DAY_MS);
    assert.equal(site.visits.length, before);
    await suspend("active");
    await wait(DAY_MS);
    assert.equal(site.visits.length, before + 1);
  });

  test("it has its place in the month, a page, and forms", async () => {
    const visitor = await newUser(kith().baseUrl, `sub${kind}`);
    const { csrf_token, get, post } = visitor;
    site.respond = ical(CLUB);
    const url = address();
    const form = { csrf_token, url: url.replace("http:", "webcal:"), name: "" };
    const refused = await post("/settings/calendars/subscribe", form);
    assert.equal(refused.status, 422);
    assert.match(refused.text, /did not answer|no address/);
    const done = await post("/settings/calendars/subscribe", { ...form, url });
    assert.equal(done.status, 200, done.text);
    assert.match(done.text, /You now see the events of “The club”/);
    const again = await post("/settings/calendars/subscribe", { ...form, url });
    assert.equal(again.status, 422);
    assert.match(again.text, /You subscribe to this calendar already/);
    const month = await get("/calendar?month=2027-03");
    const links = [
      ...month.text.matchAll(/href="(\/calendar\/subscribed\/[^"]+)"/g),
    ].map(([, href = ""]) => href.replaceAll("&amp;", "&"));
    assert.equal(new Set(links).size, 5, month.text);
    assert.match(month.text, /\(The club\)/);
    const third = links.find((href) => href.endsWith("day=2027-03-16"));
    const shown = await get(third ?? "");
    assert.equal(shown.status, 200);
    assert.match(shown.text, /Training/);
    assert.match(shown.text, /March 16, 2027/);
    assert.match(shown.text, /From the calendar/);
    const other = await newUser(kith().baseUrl, `oth${kind}`);
    assert.equal((await other.get(third ?? "")).status, 404);
    const [, id] = /subscribed\/(\d+)\//.exec(third ?? "") ?? [];
    const act = (name: string, more = {}) =>
      post(`/settings/calendars/subscribed/${id}/${name}`, {
        csrf_token,
        ...more,
      });
    assert.equal(
      (await act("change", { name: "Kick", color: "#1e90ff" })).status,
      302,
    );
    assert.equal((await act("refresh")).status, 302);
    const listed = (await get("/settings/calendars")).text;
    assert.match(listed, /fill="#1E90FF"[^]*?<bdi>Kick<\/bdi>/);
    const coloured = (await get("/calendar?month=2027-03")).text;
    assert.match(coloured, /entry elsewhere"[^>]*><svg[^]*?fill="#1E90FF"/);
    const theirs = await other.post(
      `/settings/calendars/subscribed/${id}/change`,
      { csrf_token: other.csrf_token, name: "x" },
    );
    assert.equal(theirs.status, 404);
    assert.equal((await act("end")).status, 302);
    assert.equal((await act("end")).status, 302);
    assert.equal((await get(third ?? "")).status, 404);
  });
});
