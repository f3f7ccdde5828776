import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CalendarProgram,
  icalOf,
  NAMESPACES,
  responsesIn,
} from "../support/caldav/calendar-program.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

const OPEN = '<c:time-range start="20270101T000000Z"/>';

forEachDatabase((kind) => {
  const kith = useKith(kind);

  test("series that nobody can compute cost a query a bounded time, however many there are", async () => {
    const { username } = await kith().person();
    const program = new CalendarProgram(kith(), username);
    const path = await program.makeCalendar("own");
    // Each names no day for ever, and another one than the others.
    for (let n = 0; n < 12; n += 1) {
      const rule =
        "RRULE:FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=366;BYMONTH=1,2";
      const ical = icalOf(
        `endless-${n}`,
        `DTSTART:20200101T0${n % 10}00${String(n + 10)}Z`,
        rule,
      );
      const { status, text } = await program.put(`${path}${n}.ics`, ical);
      assert.equal(status, 201, text);
    }
    const query = (range: string, data = "<d:getetag/>") =>
      program.report(
        path,
        `<c:calendar-query ${NAMESPACES}><d:prop>${data}</d:prop><c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT">${range}</c:comp-filter></c:comp-filter></c:filter></c:calendar-query>`,
      );
    const month = await query(
      '<c:time-range start="20270301T000000Z" end="20270401T000000Z"/>',
    );
    assert.equal(month.status, 207, month.text);
    const beforeMs = process.cpuUsage().user / 1000;
    const reports = [
      await query(OPEN),
      await query(
        "",
        '<c:calendar-data><c:expand start="16010101T000000Z" end="99990101T000000Z"/></c:calendar-data>',
      ),
      await program.report(
        path,
        `<c:free-busy-query ${NAMESPACES}>${OPEN}</c:free-busy-query>`,
      ),
    ];
    const tookMs = process.cpuUsage().user / 1000 - beforeMs;
    assert.ok(tookMs < 8000, `${tookMs} ms`);
    for (const { status, text } of reports) {
      assert.ok([200, 207, 403].includes(status), text);
      if (status === 403)
        assert.match(text, /d:number-of-matches-within-limits/);
    }
    // Nothing is lost by that.
    const { changes } = await program.sync(path);
    assert.equal(changes.length, 12);
  });

  test("a calendar says what its bounds are", async () => {
    const { username } = await kith().person();
    const program = new CalendarProgram(kith(), username);
    const path = await program.makeCalendar("own");
    const { text } = await program.propfind(
      path,
      "<c:max-instances/><c:min-date-time/><c:max-date-time/>",
    );
    assert.match(text, /<c:max-instances>2000</);
    assert.match(text, /<c:min-date-time>16010101T000000Z</);
    assert.match(text, /<c:max-date-time>99901231T235959Z</);
    const put = (name: string, ...lines: string[]) =>
      program.put(`${path}${name}.ics`, icalOf(name, ...lines));
    const last = ["DTSTART:99901231T000000Z", "RRULE:FREQ=DAILY;COUNT=2000"];
    assert.equal((await put("last", ...last)).status, 201);
    const late = await put("late", "DTSTART:99910101T000000Z");
    assert.match(late.text, /c:max-date-time/);
    assert.equal(late.status, 403);
    const list = await program.propfind(path, "<d:getetag/>", "1");
    assert.deepEqual(
      responsesIn(list.text).map(({ href }) => href),
      [path, `${path}last.ics`],
    );
  });
});
