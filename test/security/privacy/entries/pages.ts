import { SUBSCRIBED_ALONE } from "./lists.ts";
import {
  hasSession,
  HTML,
  inHomeWithReplies,
  inHomes,
  inLists,
  isHere,
  isPublic,
  listed,
  own,
  silent,
  type Entry,
  type Probe,
} from "../probes.ts";
import { TAG, type Kind, type Subject, type Viewer } from "../subjects.ts";

const inHome = (path: string, isIn = inHomes) =>
  listed(["post"], "session", () => [path], {
    accept: HTML,
    only: (subject, viewer) => hasSession(viewer) && isIn(subject, viewer),
  });

/** The month of an event in the world: its year counts down as its number counts up. */
const monthOf = ({ marker }: { readonly marker: string }) =>
  `${9000 - Number(/\d+/.exec(marker)?.[0])}-05`;

/** The pages with lists of posts, and with what a reader has chosen. */
export const PAGE_ENTRIES: Readonly<Record<string, Entry>> = {
  "GET /home": [
    inHome("/home"),
    inHome("/home?replies=all"),
    ...["/home?show=tags", "/home?show=all"].map((path) =>
      inHome(path, inLists),
    ),
    listed(["comment"], "session", () => ["/home?replies=all"], {
      accept: HTML,
      only: inHomeWithReplies,
    }),
    listed(["post"], "session", () => ["/home?show=here"], {
      accept: HTML,
      only: ({ audience }, viewer) =>
        hasSession(viewer) && audience === "public",
    }),
  ],
  "GET /calendar": [
    listed(
      ["event"],
      "session",
      (event) => [`/calendar?month=${monthOf(event)}`],
      {
        accept: HTML,
        // As in the list of events that concern the reader.
        only: ({ audience }, viewer) =>
          hasSession(viewer) &&
          (audience !== "public" ||
            ["author", "secondMember", "asking"].includes(viewer)),
      },
    ),
  ],
  ...Object.fromEntries(
    [
      ...["GET /setup", "POST /setup", "GET /welcome", "GET /about"],
      ...["GET /about/privacy", "GET /about/terms"],
      ...["GET /api/v0/server", "PUT /api/v0/admin/server"],
      ...["GET /admin/server", "POST /admin/server/save"],
      ...[
        "POST /admin/server/look",
        "POST /admin/server/newcomers",
        "POST /admin/server/picture",
      ],
      "POST /admin/server/remove_picture",
      ...["POST", "DELETE"].map((it) => `${it} /api/v0/admin/server/picture`),
      ...["GET /about/picture/:name", "GET /about/style/:name"],
    ].map((route) => [route, silent("It has nothing that anybody made")]),
  ),
  "GET /": silent(
    "It shows the newest posts of the public list alone: test/e2e/pages-about.test.ts",
  ),
  "GET /photos": [
    listed(["photo"], "session", () => ["/photos"], {
      accept: HTML,
      only: (_, viewer) => viewer === "author",
    }),
  ],
  "GET /photos/:guid": [
    {
      about: ["photo"],
      by: "session",
      is: "one",
      accept: HTML,
      paths: ({ guid }) => [`/photos/${guid}`],
      only: (_, viewer) => viewer === "author",
    },
  ],
  "POST /photos/:guid": silent("It is for the owner alone, with a token"),
  "POST /photos/:guid/delete": silent("It leads to the list"),
  ...Object.fromEntries(
    ["feed.atom", "feed.rss", "feed.json"].map((name) => [
      `GET /u/:username/${name}`,
      [
        listed(
          ["post", "conversation"],
          "nobody",
          () => [`/u/author/${name}`],
          {
            only: (subject) => subject.kind === "post" && isHere(subject),
          },
        ),
      ],
    ]),
  ),
  "GET /public/:username.atom": silent(
    "It is GET /u/:username/feed.atom by another name",
  ),
  ...Object.fromEntries(
    ["share", "bookmarklet", "manifest.webmanifest"].map((name) => [
      `GET /${name}`,
      silent("It has nothing that anybody made"),
    ]),
  ),
  "GET /stream": silent("It leads to the home"),
  "POST /home": silent("It publishes, and leads to the home"),
  "POST /stream": silent("It publishes, and leads to the home"),
  "POST /tags/:tag/follow": silent("It leads to the page of the tag"),
  "POST /tags/:tag/unfollow": silent("It leads to the page of the tag"),
  "GET /settings/servers": silent("It shows names of servers alone"),
  "POST /settings/servers/block": silent("It leads to the list"),
  "POST /settings/servers/unblock": silent("It leads to the list"),
  "POST /people/:guid/remove_follower": silent("It leads to the person"),
  "POST /people/:guid/choices": silent("It leads to the person"),
  ...Object.fromEntries(
    ["GET", "POST"].flatMap((method) =>
      ["new", ":id"].map((part) => [
        `${method} /settings/filters/${part}`,
        silent("It shows the words of the user alone"),
      ]),
    ),
  ),
  "GET /settings/filters": silent("It shows the words of the user alone"),
  "POST /settings/filters/:id/delete": silent("It leads to the list"),
};

/** A part is for sessions alone, by the rules of the page that holds it. */
const part = (kinds: readonly Kind[], name: string): Probe => ({
  ...{ about: kinds, by: "session", is: "one", accept: HTML },
  paths: ({ guid }) => [`/parts/${name}/${guid}?to=%2Fhome`],
  only: (_: Subject, viewer: Viewer) => hasSession(viewer),
});

/** The parts of pages that their script reads, and what other sites read of posts. */
export const PART_ENTRIES: Readonly<Record<string, Entry>> = {
  "GET /parts/posts/:guid": [part(["post", "conversation"], "posts")],
  "GET /parts/comments/:guid": [part(["comment"], "comments")],
  "GET /parts/threads/:guid": [
    {
      ...{ about: ["comment"], by: "session", is: "one", accept: HTML },
      paths: ({ post }) => [`/parts/threads/${post.guid}?to=%2Fhome`],
      only: (_: Subject, viewer: Viewer) => hasSession(viewer),
    },
  ],
  "GET /parts/events/:guid": [part(["event"], "events")],
  "GET /parts/unread": silent("It counts one's own notifications"),
  "GET /parts/news": silent(
    "It counts the posts of the list of GET /home: test/e2e/pages-completed.test.ts",
  ),
  "GET /parts/dialogs": silent("It has nothing that anybody made"),
  "POST /parts/reach": silent("It shows people in one's own aspects alone"),
  "GET /parts/completions": silent(
    "It shows what GET /api/v0/search finds: people, and tags of visible posts",
  ),
  "GET /live": silent(
    "It never ends, and tells the Guids of the changes of GET /api/v0/changes",
  ),
  "GET /embed/:guid": [
    {
      ...{ about: ["post", "conversation"], by: "nobody", is: "one" },
      accept: HTML,
      paths: ({ guid }) => [`/embed/${guid}`],
      only: (subject) =>
        subject.kind === "post" && isPublic(subject) && isHere(subject),
    },
  ],
  "GET /posts/:guid/card.png": [
    {
      ...{ about: ["post", "conversation"], by: "nobody", is: "one" },
      paths: ({ guid }) => [`/posts/${guid}/card.png`],
      only: (subject) =>
        subject.kind === "post" && isPublic(subject) && isHere(subject),
      shows: false,
    },
  ],
  "GET /events/:guid/card.png": [
    {
      ...{ about: ["event"], by: "nobody", is: "one" },
      paths: ({ guid }) => [`/events/${guid}/card.png`],
      only: (subject) => isPublic(subject) && isHere(subject),
      shows: false,
    },
  ],
  "GET /oembed": silent(
    "It describes what GET /embed/:guid shows: test/e2e/pages-embeds.test.ts",
  ),
  "GET /api/oembed": silent(
    "It describes what GET /embed/:guid shows: test/e2e/pages-embeds.test.ts",
  ),
  ...Object.fromEntries(
    ["atom", "rss", "json"].map((format) => [
      `GET /tags/:tag/feed.${format}`,
      [
        listed(
          ["post", "conversation"],
          "nobody",
          () => [`/tags/${TAG}/feed.${format}`],
          {
            only: (subject, viewer) =>
              subject.kind === "post" && inLists(subject, viewer),
          },
        ),
      ],
    ]),
  ),
  "GET /sitemap.xml": silent("It names months alone"),
  "GET /sitemap/people.xml": silent("It names people who want to be found"),
  "GET /sitemap/posts/:month.xml": silent(
    "It names listed public posts: test/e2e/pages-embeds.test.ts",
  ),
  ...Object.fromEntries(
    [
      "GET /calendar/subscribed/:id/:name",
      "POST /settings/calendars/subscribe",
      ...["change", "refresh", "end"].map(
        (name) => `POST /settings/calendars/subscribed/:id/${name}`,
      ),
    ].map((route) => [route, silent(SUBSCRIBED_ALONE)]),
  ),
  "GET /settings/calendars": silent("It shows names of one's own calendars"),
  ...Object.fromEntries(
    [
      "GET /settings/calendars/:id/delete",
      "POST /settings/calendars/create",
      ...["change", "delete", "import", "secret", "secret/end"].map(
        (name) => `POST /settings/calendars/:id/${name}`,
      ),
      ...["share", "share/end", "leave", "color"].map(
        (name) => `POST /settings/calendars/:id/${name}`,
      ),
    ].map((route) => [
      route,
      silent("It shows one's own calendars: test/e2e/pages-completed.test.ts"),
    ]),
  ),
};

/** The page of what happened to a thing: for people with an account who may see the thing. */
const detail = (
  kinds: readonly Kind[],
  path: string,
  name: string,
  more: Partial<Probe> = {},
): readonly Probe[] => [
  {
    ...{ about: kinds, by: "session", is: "one", accept: HTML, shows: false },
    paths: ({ guid }) => [`/${path}/${guid}/${name}`],
    only: (_, viewer) => hasSession(viewer),
    ...more,
  },
];

/** The pages about posts, comments and events, the user's streams, and the account. */
export const DETAIL_ENTRIES: Readonly<Record<string, Entry>> = {
  "GET /posts/:guid/likes": detail(["post", "conversation"], "posts", "likes"),
  "GET /posts/:guid/history": detail(
    ["post", "conversation"],
    "posts",
    "history",
  ),
  "GET /posts/:guid/deliveries": detail(["post"], "posts", "deliveries", {
    only: own,
  }),
  "GET /comments/:guid/likes": detail(["comment"], "comments", "likes"),
  "GET /comments/:guid/history": detail(["comment"], "comments", "history"),
  "GET /events/:guid/history": detail(["event"], "events", "history"),
  "POST /posts/:guid/mute": silent(
    "It needs the token of a form: test/e2e/pages-details.test.ts",
  ),
  "POST /posts/:guid/unmute": silent(
    "It needs the token of a form: test/e2e/pages-details.test.ts",
  ),
  ...Object.fromEntries(
    [
      "GET /api/v0/announcements",
      "POST /api/v0/announcements/:id/dismiss",
      "POST /api/v1/announcements/:id/dismiss",
      ...["GET /admin/announcements", "POST /announcements/:id/dismiss"],
      ...["publish", "withdraw"].map((it) => `POST /admin/announcements/${it}`),
      ...["GET", "POST"].map((it) => `${it} /api/v0/admin/announcements`),
      "DELETE /api/v0/admin/announcements/:id",
    ].map((route) => [route, silent("It is for everybody on the server")]),
  ),
  "GET /streams": silent("It shows the words of the user alone"),
  "POST /streams": silent("It leads to the stream"),
  "GET /streams/:id": silent(
    "It shows the list of GET /api/v0/users/streams/:id/posts, to its owner alone: test/e2e/pages-details.test.ts",
  ),
  "POST /streams/:id/delete": silent("It leads to the list"),
  ...Object.fromEntries(
    [
      ...["GET /settings/account", "POST /settings/account/password"],
      ...["GET /settings/account/delete", "POST /settings/account/delete"],
      ...["GET /settings/moving", "POST /settings/moving/aliases"],
      ...["sign", "away", "here"].map((act) => `POST /settings/moving/${act}`),
    ].map((route) => [
      route,
      silent("It is about one's own account: test/e2e/pages-account.test.ts"),
    ]),
  ),
  "POST /settings/account/export": silent(
    "It sends what GET /api/v0/export does: test/e2e/pages-account.test.ts",
  ),
};
