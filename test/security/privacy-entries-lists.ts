import {
  HTML,
  silent,
  IN_LISTS,
  inLists,
  listed,
  SEARCHES,
  type Entry,
  audience,
  calendar,
  own,
} from "./privacy-probes.ts";
import { ABSENT, TAG } from "./privacy-world.ts";

const calendarPart = (after: string) =>
  calendar({
    paths: ({ id }) => [`/api/v0/calendar/${id}${after}`],
    only: own,
    shows: false,
  });

/** Events and calendars as files. In the tested world, all events are in one calendar. */
const CALENDAR_FILES: Readonly<Record<string, Entry>> = {
  "GET /api/v0/calendar/:id/addresses": [calendarPart("/addresses")],
  "POST /api/v0/calendar/:id/addresses/secret": [
    calendarPart("/addresses/secret"),
  ],
  "DELETE /api/v0/calendar/:id/addresses/secret": [
    calendarPart("/addresses/secret"),
  ],
  "GET /events/:guid": [
    {
      about: ["event"],
      by: "session",
      is: "one",
      accept: HTML,
      paths: ({ guid }) => [`/events/${guid}`],
    },
  ],
  "POST /events/:guid/answer": silent(
    "It needs the token of a form: test/e2e/pages-events.test.ts",
  ),
  "GET /events/:guid.ics": [
    {
      about: ["event"],
      by: "file",
      is: "one",
      paths: ({ guid }) => [`/events/${guid}.ics`],
    },
  ],
  "GET /calendars/:guid.ics": [
    listed(["event"], "nobody", () => ["/calendars/CALENDARGUID.ics"], {
      only: audience("public"),
    }),
  ],
  // Anyone with the secret can open it; guessed secrets open nothing.
  "GET /calendars/:guid/:secret.ics": [
    listed(
      ["event"],
      "nobody",
      () => [
        `/calendars/CALENDARGUID/${"A".repeat(43)}.ics`,
        "/calendars/CALENDARGUID/.ics",
      ],
      { only: () => false },
    ),
  ],
};

/** Lists of posts by tags, people and words. */
export const LIST_ENTRIES: Readonly<Record<string, Entry>> = {
  "GET /api/v0/search": SEARCHES,
  "GET /api/v0/users/streams/:id/posts": [
    listed(
      ["post"],
      "token",
      () => ["/api/v0/users/streams/STREAM/posts?limit=100"],
      IN_LISTS,
    ),
  ],
  "GET /api/v0/tags/posts": [
    listed(["post"], "token", () => ["/api/v0/tags/posts?limit=100"], IN_LISTS),
  ],
  "GET /api/v0/tags/:tag/posts": [
    listed(
      ["post"],
      "token",
      () => [`/api/v0/tags/${TAG}/posts?limit=100`],
      IN_LISTS,
    ),
  ],
  "GET /tags/:tag": [
    listed(["post"], "session", () => [`/tags/${TAG}`], {
      accept: HTML,
      only: inLists,
    }),
  ],
  ...CALENDAR_FILES,
};

/** The files of pictures. */
export const PICTURE_ENTRIES: Readonly<Record<string, Entry>> = {
  "GET /media/:name": [
    {
      about: ["photo"],
      by: "file",
      is: "one",
      paths: ({ guid, url = "", thumbnailUrl = "" }) =>
        [url, thumbnailUrl].map((address) => {
          const { pathname } = new URL(address);
          return guid === ABSENT.guid
            ? pathname.replace(/[0-9a-f]{32}/, guid)
            : pathname;
        }),
      shows: false,
    },
  ],
  // Anyone with its address can open it; guessed addresses open nothing.
  "GET /uploads/:secret/:name": [
    {
      about: ["photo"],
      by: "nobody",
      is: "one",
      paths: ({ guid }) =>
        ["A".repeat(32), guid].map((guess) => `/uploads/${guess}/${guid}.png`),
      only: () => false,
      shows: false,
    },
  ],
  // Pictures of other servers, by addresses that this server has signed.
  "GET /proxy/:signature/:url": [
    {
      about: ["photo"],
      by: "nobody",
      is: "one",
      paths: ({ guid, url = "" }) => {
        const encoded = Buffer.from(url).toString("base64url");
        return ["A".repeat(32), guid].map((it) => `/proxy/${it}/${encoded}`);
      },
      only: () => false,
      shows: false,
    },
  ],
};
