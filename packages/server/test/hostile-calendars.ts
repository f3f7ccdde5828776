import {
  repeat,
  type HostileReading,
} from "../../../scripts/work/hostile-reading.ts";
import { DavError } from "../src/caldav/dav-error.ts";
import { readXml } from "../src/caldav/xml/read-xml.ts";
import {
  CalendarDataError,
  MAX_OBJECT_BYTES,
} from "../src/lib/icalendar/calendar-data.ts";
import { parseObject } from "../src/lib/icalendar/objects/parse-object.ts";
import {
  MAX_FILE_BYTES,
  splitCalendar,
} from "../src/lib/icalendar/objects/split-calendar.ts";

const MAX_XML_BYTES = 1024 * 1024;

/** What a program sends: as many of one unit as fit, between a beginning and an end. */
const around = (begin: string, unit: string, end: string) => (bytes: number) =>
  Buffer.from(
    begin + repeat(unit, bytes - Buffer.byteLength(begin + end)) + end,
  );

const xml = (unit: string) =>
  around('<d:propfind xmlns:d="DAV:"><d:prop>', unit, "</d:prop></d:propfind>");

const BEGIN =
  "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTART:20270310T090000Z\r\n";
const END = "END:VEVENT\r\nEND:VCALENDAR\r\n";
const event = (unit: string) => around(BEGIN, unit, END);
const next = (lines: string) =>
  `END:VEVENT\r\nBEGIN:VEVENT\r\n${lines}DTSTART:20270310T090000Z\r\n`;

/** Shapes of objects and of files. */
const CALENDARS = {
  "a long line": event("x"),
  "long lines": event(`X-A:${"x".repeat(500)}\r\n`),
  "folded lines": event("\r\n x"),
  parameters: event("X-A;B=c:d\r\n"),
  "many parameters": around(`${BEGIN}X-A`, ";B=c", `:d\r\n${END}`),
  quotes: around(`${BEGIN}X-A;B=`, '"a",', `:d\r\n${END}`),
  "open quotes": around(`${BEGIN}X-A`, ';B="', `\r\n${END}`),
  escapes: around(`${BEGIN}DESCRIPTION:`, "\\,\\n", `\r\n${END}`),
  categories: around(`${BEGIN}CATEGORIES:`, "a,", `a\r\n${END}`),
  "dates removed": event("EXDATE:20270310T090000Z\r\n"),
  "dates of one property": around(
    `${BEGIN}EXDATE:20270310T090000Z`,
    ",20270311T090000Z",
    `\r\n${END}`,
  ),
  rules: event("RRULE:FREQ=DAILY\r\n"),
  "a long rule": around(`${BEGIN}RRULE:FREQ=DAILY;BYDAY=`, "MO,", `\r\n${END}`),
  alarms: event("BEGIN:VALARM\r\nEND:VALARM\r\n"),
  overrides: event(next("UID:a\r\nRECURRENCE-ID:20270310T090000Z\r\n")),
  "events without a name": event(next("")),
  "nested components": event("BEGIN:X\r\n"),
  ends: event("END:X\r\n"),
  "empty lines": event("\r\n"),
  "carriage returns": event("\r"),
  zones: around(
    "BEGIN:VCALENDAR\r\n",
    "BEGIN:VTIMEZONE\r\nTZID:A\r\nEND:VTIMEZONE\r\n",
    `${BEGIN.replace("BEGIN:VCALENDAR\r\n", "")}${END}`,
  ),
} satisfies HostileReading["shapes"];

/** What calendar programs send, which a stranger can write as well. */
export const hostileCalendars: readonly HostileReading[] = [
  {
    name: "WebDAV request",
    maxBytes: MAX_XML_BYTES,
    shapes: {
      text: xml("x"),
      elements: xml("<d:a/>"),
      "open elements": xml("<d:a>"),
      namespaces: xml('<a xmlns="b"/>'),
      attributes: around('<d:propfind xmlns:d="DAV:"', " a='b'", "/>"),
      references: xml("&amp;"),
      "unknown references": xml("&a;"),
      "sections of text": xml("<![CDATA[a]]>"),
      comments: xml("<!--a-->"),
      instructions: xml("<?a b?>"),
      entities: around("<!DOCTYPE a [", '<!ENTITY a "aa">', "]><a>&a;</a>"),
    },
    run: (input) => refusing(() => readXml(Buffer.from(input))),
  },
  {
    name: "iCalendar object",
    maxBytes: MAX_OBJECT_BYTES,
    shapes: CALENDARS,
    run: (input) => refusing(() => parseObject(textOf(input), "Europe/Berlin")),
  },
  {
    name: "iCalendar file",
    maxBytes: MAX_FILE_BYTES,
    shapes: CALENDARS,
    run: (input) =>
      refusing(() => splitCalendar(textOf(input), "2027-01-01T00:00:00.000Z")),
  },
];

const textOf = (input: Uint8Array) => Buffer.from(input).toString();

function refusing(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof DavError || error instanceof CalendarDataError))
      throw error;
  }
}
