import assert from "node:assert/strict";
import { test } from "node:test";
import { icalOf } from "../support/caldav/calendar-program.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type { EventRecord } from "../support/server/wire.ts";

type Report = {
  readonly Created: number;
  readonly Updated: number;
  readonly Unchanged: number;
  readonly Ignored: number;
  readonly Refused: readonly { readonly Uid: string }[];
};

const event = (...lines: string[]) =>
  icalOf("", ...lines)
    .replace("UID:\r\n", "")
    .replace(/^.*?(?=BEGIN:VEVENT)/s, "")
    .replace("END:VCALENDAR\r\n", "");

const fileOf = (...parts: string[]) =>
  `\uFEFFBEGIN:VCALENDAR\nVERSION:2.0\nMETHOD:PUBLISH\n${parts.join("").replaceAll("\r", "")}END:VCALENDAR\n`;

forEachDatabase((kind) => {
  const kith = useKith(kind);

  const send = async (who: TestPerson, calendar: number, text: string) => {
    const multipart = new FormData();
    multipart.append("file", new Blob([text]), "events.ics");
    return who.call("POST", `/calendar/${calendar}/import`, { multipart });
  };
  const calendarOf = async (who: TestPerson) =>
    (await who.post<{ ID: number }>("/calendar", { name: "Own" })).ID;
  const imported = async (who: TestPerson, calendar: number, text: string) => {
    const answer = await send(who, calendar, text);
    assert.equal(answer.status, 200, answer.text);
    const { Created, Updated, Unchanged, Ignored, Refused } = JSON.parse(
      answer.text,
    ) as Report;
    return [Created, Updated, Unchanged, Ignored, Refused.length];
  };

  test("a file makes events, which a newer file updates and the same one leaves", async () => {
    const ann = await kith().person();
    const calendar = await calendarOf(ann);
    const todo = event("SUMMARY:Do it").replaceAll("VEVENT", "VTODO");
    const file = fileOf(
      event("UID:a", "SUMMARY:A"),
      event("SUMMARY:Nameless"),
      event("UID:b", "RRULE:FREQ=SECONDLY"),
      todo,
    );
    assert.deepEqual(await imported(ann, calendar, file), [2, 0, 0, 1, 1]);
    assert.deepEqual(await imported(ann, calendar, file), [0, 0, 2, 1, 1]);
    const newer = fileOf(event("UID:a", "SUMMARY:Anew", "SEQUENCE:1"));
    assert.deepEqual(await imported(ann, calendar, newer), [0, 1, 0, 0, 0]);
    const older = fileOf(event("UID:a", "SUMMARY:Old"));
    assert.deepEqual(await imported(ann, calendar, older), [0, 0, 1, 0, 0]);
    const events = await ann.get<EventRecord[]>("/calendar/events");
    assert.deepEqual(events.map(({ Summary }) => Summary).sort(), [
      "Anew",
      "Nameless",
    ]);
    assert.ok(events.every((it) => !it.Public));
    assert.equal((await ann.get<unknown[]>("/posts")).length, 0);
  });

  test("a file of several calendars makes the events of all", async () => {
    const ann = await kith().person();
    const calendar = await calendarOf(ann);
    const zone = (offset: string) =>
      `BEGIN:VTIMEZONE\nTZID:Own\nBEGIN:STANDARD\nDTSTART:16010101T000000\nTZOFFSETFROM:${offset}\nTZOFFSETTO:${offset}\nEND:STANDARD\nEND:VTIMEZONE\n`;
    const file = [
      fileOf(zone("+0300"), event("UID:a", "SUMMARY:A")),
      fileOf(zone("+0300"), event("UID:b", "SUMMARY:B")).slice(1),
    ].join("");
    assert.deepEqual(await imported(ann, calendar, file), [2, 0, 0, 0, 0]);
    const events = await ann.get<EventRecord[]>("/calendar/events");
    assert.deepEqual(events.map(({ Summary }) => Summary).sort(), ["A", "B"]);
  });

  test("a file that is no calendar, and a calendar of another user, are refused", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const calendar = await calendarOf(ann);
    const file = fileOf(event("UID:a"));
    assert.equal((await send(bob, calendar, file)).status, 404);
    for (const text of [
      "",
      "BEGIN:VCARD\nEND:VCARD\n",
      "\0",
      "x".repeat(6_000_000),
    ])
      assert.equal((await send(ann, calendar, text)).status, 400);
    const many = Array.from({ length: 1001 }, (_, n) => event(`UID:${n}`));
    assert.equal((await send(ann, calendar, fileOf(...many))).status, 400);
    assert.deepEqual(await ann.get("/calendar/events"), []);
  });
});
