import {
  hasSession,
  HTML,
  silent,
  IN_HOMES,
  IN_LISTS,
  inHomeWithReplies,
  inLists,
  listed,
  SEARCH_PAGES,
  SEARCHES,
  type Entry,
  audience,
  calendar,
  own,
} from "../probes.ts";
import { ABSENT, TAG } from "../subjects.ts";

const calendarPart = (after: string) =>
  calendar({
    paths: ({ id }) => [`/api/v0/calendar/${id}${after}`],
    only: own,
    shows: false,
  });

/** Why nothing of the tested world is shown. */
export const SUBSCRIBED_ALONE =
  "It shows calendars of other servers, to those alone who subscribe: subscribed-calendars.test.ts";

/** Events and calendars as files. In the tested world, all events are in one calendar. */
const CALENDAR_FILES: Readonly<Record<string, Entry>> = {
  "GET /api/v0/calendar/:id/addresses": [calendarPart("/addresses")],
  "POST /api/v0/calendar/:id/addresses/secret": [
    calendarPart("/addresses/secret"),
  ],
  "DELETE /api/v0/calendar/:id/addresses/secret": [
    calendarPart("/addresses/secret"),
  ],
  "GET /api/v0/calendar/:id/shares": [calendarPart("/shares")],
  ...Object.fromEntries(
    [
      "POST /api/v0/calendar/:id/shares",
      "DELETE /api/v0/calendar/:id/shares/:share",
      "GET /api/v0/shared_calendars",
      "PUT /api/v0/shared_calendars/:id",
      "DELETE /api/v0/shared_calendars/:id",
    ].map((route) => [
      route,
      silent(
        "Nothing is shared in the tested world: calendar-shares.test.ts asks for those of others",
      ),
    ]),
  ),
  ...Object.fromEntries(
    [
      "GET /api/v0/subscribed_calendars",
      "POST /api/v0/subscribed_calendars",
      "PUT /api/v0/subscribed_calendars/:id",
      "DELETE /api/v0/subscribed_calendars/:id",
      "POST /api/v0/subscribed_calendars/:id/refresh",
      "GET /api/v0/subscribed_events",
    ].map((route) => [route, silent(SUBSCRIBED_ALONE)]),
  ),
  "GET /events": [
    listed(["event"], "session", () => ["/events?known=true"], {
      accept: HTML,
      only: (_, viewer) => hasSession(viewer),
    }),
    listed(["event"], "session", () => ["/events"], {
      accept: HTML,
      // The second member follows the author, as does somebody who waits to be accepted.
      only: ({ audience: which }, viewer) =>
        hasSession(viewer) &&
        (which !== "public" ||
          ["author", "secondMember", "asking"].includes(viewer)),
    }),
    listed(["event"], "session", () => ["/events?past=true&known=true"], {
      accept: HTML,
      only: () => false,
    }),
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
  "GET /events/new": silent("It shows an empty form"),
  "GET /events/:guid/edit": [
    {
      ...{ about: ["event"], by: "session", is: "list", accept: HTML },
      paths: ({ guid }) => [`/events/${guid}/edit`],
      only: own,
    },
  ],
  "GET /events/:guid/delete": [
    {
      ...{ about: ["event"], by: "session", is: "list", accept: HTML },
      paths: ({ guid }) => [`/events/${guid}/delete`],
      only: own,
    },
  ],
  ...Object.fromEntries(
    [
      "POST /events/new",
      "POST /events/:guid/edit",
      "POST /events/:guid/delete",
    ].map((route) => [
      route,
      silent("It needs the token of a form: test/e2e/pages-event-form.test.ts"),
    ]),
  ),
  "POST /events/:guid/answer": silent(
    "It needs the token of a form: test/e2e/pages-events.test.ts",
  ),
  "POST /events/:guid/guests/:id": silent(
    "It needs the token of a form: packages/server/test/api/event-approval.test.ts",
  ),
  "POST /events/:guid/reminder": silent(
    "It needs the token of a form: test/e2e/pages-reminders.test.ts",
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

const HOME_WITH_REPLIES = "/api/v0/home?limit=100&replies=all";

/** Lists of posts by tags, people and words. */
export const LIST_ENTRIES: Readonly<Record<string, Entry>> = {
  "GET /api/v0/search": SEARCHES,
  "GET /search": SEARCH_PAGES,
  "GET /api/v0/users/streams/:id/posts": [
    listed(
      ["post"],
      "token",
      () => ["/api/v0/users/streams/STREAM/posts?limit=100"],
      IN_LISTS,
    ),
  ],
  // Everyone there follows the tag of every post.
  "GET /api/v0/home": [
    listed(["post"], "token", () => ["/api/v0/home?limit=100"], IN_HOMES),
    listed(["post"], "token", () => [HOME_WITH_REPLIES], IN_HOMES),
    listed(["comment"], "token", () => [HOME_WITH_REPLIES], {
      only: inHomeWithReplies,
      // Below a post, all who see it find the comment.
      sign: ({ id }) => `"Reply":{"ID":${id},`,
    }),
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

const isBelowMedia = (address: string): boolean =>
  new URL(address).pathname.startsWith("/media/");

/** The files of pictures, sounds and videos. */
export const PICTURE_ENTRIES: Readonly<Record<string, Entry>> = {
  "GET /media/:name": [
    {
      about: ["photo", "recording"],
      by: "file",
      is: "one",
      paths: ({ guid, url = "", thumbnailUrl = "" }) =>
        // A recording has a sign that everybody may see instead of a thumbnail.
        [url, thumbnailUrl].filter(isBelowMedia).map((address) => {
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
  // The same for sounds and videos, which are sent in parts.
  "GET /proxy/stream/:signature/:url": [
    {
      about: ["recording"],
      by: "nobody",
      is: "one",
      paths: ({ guid, url = "" }) => {
        const encoded = Buffer.from(url).toString("base64url");
        return ["A".repeat(32), guid].map(
          (it) => `/proxy/stream/${it}/${encoded}`,
        );
      },
      only: () => false,
      shows: false,
    },
  ],
};
