import { ADMIN_ENTRIES } from "./entries/admin.ts";
import {
  APP_ENTRIES,
  PROGRAM_ENTRIES,
  SILENT_ENTRIES,
} from "./entries/silent.ts";
import { withConversations } from "./entries/conversations.ts";
import { withHeldTexts } from "./entries/held.ts";
import { KEEPING_ENTRIES } from "./entries/keeping.ts";
import { LIST_ENTRIES, PICTURE_ENTRIES } from "./entries/lists.ts";
import { DETAIL_ENTRIES, PAGE_ENTRIES, PART_ENTRIES } from "./entries/pages.ts";
import { MASTODON_ENTRIES } from "./entries/mastodon.ts";
import { EDIT_ENTRIES } from "./entries/edits.ts";
import {
  ACTIVITY,
  audience,
  both,
  calendar,
  HTML,
  IN_LISTS,
  isHere,
  isPublic,
  listed,
  maker,
  named,
  NO_CONTENT,
  ofPost,
  own,
  PUBLISHING,
  QUOTED,
  QUOTED_PAGE,
  REFUSES,
  silent,
  type Entry,
} from "./probes.ts";
import { ABSENT } from "./subjects.ts";

const OF_ROUTES: Readonly<Record<string, Entry>> = withConversations({
  "GET /api/v0/posts": [
    listed(
      ["post", "quote"],
      "token",
      () => ["/api/v0/posts?limit=100"],
      IN_LISTS,
    ),
    // By the announcing post.
    listed(["event"], "token", () => ["/api/v0/posts?limit=100"], {
      only: (subject) => subject.audience !== "personal",
    }),
    listed(["post"], "token", () => ["/api/v0/posts?visibility=1&limit=100"], {
      only: audience("public"),
    }),
    listed(["post"], "token", () => ["/api/v0/posts?visibility=2&limit=100"], {
      only: (subject) => !isPublic(subject),
    }),
  ],
  "POST /api/v0/posts": PUBLISHING,
  "GET /api/v0/posts/:id": [named("post", "/posts"), QUOTED],
  "POST /api/v0/posts/:id": [named("post", "/posts"), QUOTED],
  "DELETE /api/v0/posts/:id": [ofPost("")],
  "POST /api/v0/posts/:id/reshare": [ofPost("/reshare", { only: isPublic })],
  "GET /api/v0/posts/:id/reshares": [ofPost("/reshares")],
  "GET /api/v0/posts/:id/history": [ofPost("/history")],
  "GET /api/v0/posts/:id/deliveries": [ofPost("/deliveries", { only: own })],
  "GET /api/v0/posts/:id/comments": [
    ofPost("/comments"),
    {
      ...named("comment", "/posts", "/comments"),
      paths: ({ post }) => both("/api/v0/posts", "/comments")(post),
    },
  ],
  "POST /api/v0/posts/:id/comments": [
    ofPost("/comments", { form: () => ({ comment: "x" }) }),
  ],
  "GET /api/v0/posts/:id/likes": [
    ofPost("/likes"),
    {
      ...named("like", "/posts", "/likes"),
      paths: ({ post }) => both("/api/v0/posts", "/likes")(post),
    },
  ],
  "GET /api/v0/posts/:id/reactions": [ofPost("/reactions")],
  "DELETE /api/v0/posts/:id/quotes/:quoting_id": silent(
    "It finds posts as GET /api/v0/posts/:id does: packages/server/test/api/quote-policies.test.ts",
  ),
  "POST /api/v0/posts/:id/likes": [ofPost("/likes")],
  "POST /api/v0/posts/:id/likes/:positive": [ofPost("/likes/false")],
  "DELETE /api/v0/posts/:id/likes": [
    {
      ...named("like", "/posts", "/likes"),
      paths: ({ post }) => both("/api/v0/posts", "/likes")(post),
      only: maker,
      shows: false,
    },
  ],
  "GET /api/v0/comments/:id": [named("comment", "/comments")],
  "DELETE /api/v0/comments/:id": [
    named("comment", "/comments", "", { only: maker, shows: false }),
  ],
  "GET /api/v0/comments/:id/history": [
    named("comment", "/comments", "/history", { shows: false }),
  ],
  "GET /api/v0/comments/:id/likes": [
    named("comment", "/comments", "/likes", { shows: false }),
  ],
  "GET /api/v0/comments/:id/reactions": [
    named("comment", "/comments", "/reactions", { shows: false }),
  ],
  "POST /api/v0/comments/:id/likes": [
    named("comment", "/comments", "/likes", { shows: false }),
  ],
  "POST /api/v0/comments/:id/likes/:positive": [
    named("comment", "/comments", "/likes/true", { shows: false }),
  ],
  "DELETE /api/v0/comments/:id/likes": [
    named("comment", "/comments", "/likes", {
      // There is none to retract.
      only: () => false,
      shows: false,
    }),
  ],
  "DELETE /api/v0/likes/:guid": [
    {
      ...named("like", "/likes"),
      paths: ({ guid }) => [`/api/v0/likes/${guid}`],
      only: maker,
      shows: false,
    },
  ],
  "GET /api/v0/people/:id/stream": [
    listed(
      ["post"],
      "token",
      () => [
        "/api/v0/people/AUTHOR/stream?limit=100",
        "/api/v0/people/AUTHOR/stream?limit=100&format=diaspora",
      ],
      { only: isHere },
    ),
  ],
  "GET /api/v0/people/:id/pinned": [
    listed(["post"], "token", () => ["/api/v0/people/AUTHOR/pinned"], {
      only: isHere,
    }),
  ],
  "GET /api/v0/notifications": [
    listed(
      ["notification"],
      "token",
      () => [
        "/api/v0/notifications?limit=100",
        "/api/v0/notifications?limit=100&unread=true",
      ],
      { only: own },
    ),
  ],
  "GET /api/v0/notifications/groups": [
    listed(
      ["notification"],
      "token",
      () => [
        "/api/v0/notifications/groups?limit=100",
        "/api/v0/notifications/groups?limit=100&unread=true",
      ],
      { only: own, sign: ({ id }) => `"NewestID":${id}` },
    ),
  ],
  "PUT /api/v0/notifications/groups/:key": [
    {
      ...named("notification", "/notifications"),
      paths: ({ id }) => [`/api/v0/notifications/groups/single-${id}`],
    },
  ],
  "GET /api/v0/notifications/:id": [
    {
      ...named("notification", "/notifications"),
      paths: ({ id }) => [`/api/v0/notifications/${id}`],
    },
  ],
  "PUT /api/v0/notifications/:id": [
    {
      ...named("notification", "/notifications"),
      paths: ({ id }) => [`/api/v0/notifications/${id}`],
    },
  ],
  "PUT /api/v0/notifications": silent(NO_CONTENT),
  "GET /api/v1/ap/object/:guid": [
    {
      about: ["post", "comment", "conversation"],
      by: "document",
      is: "one",
      paths: ({ guid }) => [`/api/v1/ap/object/${guid}`],
      only: (subject) => subject.kind === "comment" || isHere(subject),
    },
  ],
  "GET /api/v1/ap/object/:guid/replies": [
    {
      about: ["post", "comment"],
      by: "document",
      is: "one",
      paths: ({ guid }) => [`/api/v1/ap/object/${guid}/replies?page=1`],
      sign: ({ guid }) => `/object/${guid}/`,
      only: (subject) => subject.kind === "comment" || isHere(subject),
    },
    {
      about: ["comment"],
      by: "document",
      is: "one",
      paths: ({ post }) => [`/api/v1/ap/object/${post.guid}/replies?page=1`],
      sign: ({ guid }) => `${guid}"`,
      only: isHere,
    },
  ],
  "GET /api/v1/ap/object/:guid/likes": [
    {
      about: ["post", "comment"],
      by: "document",
      is: "one",
      paths: ({ guid }) => [`/api/v1/ap/object/${guid}/likes`],
      sign: ({ guid }) => `/object/${guid}/`,
      only: (subject) => subject.kind === "comment" || isHere(subject),
    },
  ],
  "GET /api/v1/ap/object/:guid/shares": [
    {
      about: ["post", "comment"],
      by: "document",
      is: "one",
      paths: ({ guid }) => [`/api/v1/ap/object/${guid}/shares`],
      sign: ({ guid }) => `/object/${guid}/`,
      only: (subject) => subject.kind === "comment" || isHere(subject),
    },
  ],
  "GET /api/v1/ap/activity/:guid": [
    {
      about: ["post", "comment", "like"],
      by: "document",
      is: "one",
      paths: ({ guid }) => [`/api/v1/ap/activity/${guid}`],
      only: (subject) => subject.kind !== "post" || isHere(subject),
    },
  ],
  "GET /posts/:guid": [
    {
      about: ["post", "conversation"],
      by: "session",
      is: "one",
      accept: HTML,
      paths: ({ guid }) => [`/posts/${guid}`],
    },
    QUOTED_PAGE,
    {
      about: ["comment"],
      by: "session",
      is: "one",
      accept: HTML,
      paths: ({ post }) => [`/posts/${post.guid}`],
    },
    {
      about: ["post"],
      by: "document",
      is: "one",
      accept: ACTIVITY,
      only: isHere,
      paths: ({ guid }) => [`/posts/${guid}`],
    },
  ],
  "GET /link": silent(
    "It answers with the address of a page, and only where that page would be shown: packages/server/test/api/diaspora-links.test.ts",
  ),
  "GET /authorize_interaction": silent("It leads to the search."),
  "GET /interact": silent("It leads to the search."),
  "GET /people/:guid": [
    listed(["post"], "session", () => ["/people/AUTHORGUID"], {
      accept: HTML,
      only: isHere,
    }),
    listed(["photo"], "session", () => ["/people/AUTHORGUID?show=pictures"], {
      accept: HTML,
      // An upload is no picture of a post.
      only: ({ audience }) => audience !== "personal",
    }),
    listed(["event"], "session", () => ["/people/AUTHORGUID?show=events"], {
      accept: HTML,
    }),
  ],
  "GET /u/:username": [
    ...["/u/author", "/u/author?show=replies"].map((path) =>
      listed(["post"], "session", () => [path], {
        ...{ accept: HTML, only: isHere },
      }),
    ),
    listed(["comment"], "session", () => ["/u/author?show=replies"], {
      ...{ accept: HTML, only: isHere },
    }),
  ],
  "GET /people/:guid/stream": [
    listed(["post"], "nobody", () => ["/people/AUTHORGUID/stream"], {
      only: isHere,
    }),
  ],
  "GET /fetch/:type/:guid": [
    {
      about: ["post", "comment", "conversation"],
      by: "nobody",
      is: "one",
      paths: ({ kind, guid }) => [
        `/fetch/${kind}/${guid}`,
        ...(kind === "post" ? [`/fetch/status_message/${guid}`] : []),
      ],
      shows: false,
    },
  ],
  "POST /api/v0/posts/:id/poll/votes": [
    ofPost("/poll/votes", {
      form: () => ({ answer: ABSENT.guid }),
      // The post has no poll: its readers get the same error.
      only: () => false,
    }),
  ],
  "GET /api/v0/photos/:id": [
    named("photo", "/photos"),
    named("recording", "/photos"),
  ],

  "DELETE /api/v0/photos/:id": [
    named("photo", "/photos", "", { only: maker, shows: false }),
  ],
  ...PICTURE_ENTRIES,
  ...LIST_ENTRIES,
  ...KEEPING_ENTRIES,
  ...PAGE_ENTRIES,
  ...DETAIL_ENTRIES,
  ...PART_ENTRIES,
  "GET /api/v0/calendar": [
    listed(["calendar"], "token", () => ["/api/v0/calendar?limit=100"]),
  ],
  "GET /api/v0/calendar/:id": [calendar()],
  "PUT /api/v0/calendar/:id": [
    calendar({ form: () => ({ name: "renamed" }), shows: false }),
  ],
  "DELETE /api/v0/calendar/:id": [calendar({ shows: false })],
  "GET /api/v0/calendar/events": [
    listed(["event"], "token", () => ["/api/v0/calendar/events?limit=100"]),
    listed(
      ["event"],
      "token",
      () => ["/api/v0/calendar/events?limit=100&visibility=1"],
      { only: audience("public") },
    ),
  ],
  "GET /api/v0/calendar/events/:id": [named("event", "/calendar/events")],

  "PUT /api/v0/calendar/events/:id": [
    named("event", "/calendar/events", "", {
      form: () => ({ summary: "changed" }),
      only: maker,
      shows: false,
    }),
  ],
  "DELETE /api/v0/calendar/events/:id": [
    named("event", "/calendar/events", "", { only: maker, shows: false }),
  ],
  "PUT /api/v0/calendar/events/:id/participation": [
    named("event", "/calendar/events", "/participation", {
      form: () => ({ status: "accepted" }),
      shows: false,
    }),
  ],
  "GET /api/v0/calendar/events/:id/participations": [
    named("event", "/calendar/events", "/participations", { shows: false }),
  ],
  "PUT /api/v0/calendar/events/:id/participations/:guest": silent(
    "Only answers to one's own event exist: packages/server/test/api/event-approval.test.ts",
  ),
  "GET /api/v0/calendar/events/:id/reminders": [
    named("event", "/calendar/events", "/reminders", { shows: false }),
  ],
  "PUT /api/v0/calendar/events/:id/reminders": [
    named("event", "/calendar/events", "/reminders", {
      form: () => ({ minutes: "10" }),
      shows: false,
    }),
  ],
  "DELETE /api/v0/calendar/events/:id/reminders": [
    named("event", "/calendar/events", "/reminders", { shows: false }),
  ],
  "GET /api/v0/export": [
    listed(
      ["post", "comment", "like", "event", "photo", "calendar"],
      "token",
      () => ["/api/v0/export"],
      {
        only: (subject, viewer) =>
          maker(subject, viewer) &&
          (subject.kind !== "post" || isHere(subject)),
      },
    ),
  ],
  "GET /api/v1/ap/person/:username/inbox": [
    listed(
      ["post"],
      "document",
      () => ["/api/v1/ap/person/first/inbox?page=1"],
      {
        only: (subject, viewer) =>
          viewer === "firstMember" &&
          ["first", "all_aspects", "elsewhere"].includes(subject.audience),
      },
    ),
  ],
  "GET /api/v1/ap/context/:guid": [
    {
      about: ["post", "comment"],
      by: "document",
      is: "one",
      paths: ({ post }) => [`/api/v1/ap/context/${post.guid}?page=1`],
      sign: ({ guid }) => `${guid}"`,
    },
  ],
  ...Object.fromEntries(
    ["user", "person"].flatMap((word) => {
      const version = word === "user" ? "v0" : "v1";
      const at = `/api/${version}/ap/${word}`;
      return [
        [
          `GET ${at}/:username/outbox`,
          [
            listed(["post"], "document", () => [`${at}/author/outbox?page=1`], {
              only: (subject, viewer) =>
                isHere(subject) &&
                (viewer === "author" ||
                  (isPublic(subject) &&
                    ["anonymous", "remoteMember", "remoteStranger"].includes(
                      viewer,
                    ))),
            }),
          ],
        ],
        [
          `GET ${at}/:username/featured`,
          [
            listed(["post"], "document", () => [`${at}/author/featured`], {
              sign: ({ guid }) => `${guid}"`,
              only: (subject) => isHere(subject) && isPublic(subject),
            }),
          ],
        ],
        [`POST ${at}/:username/inbox`, silent(REFUSES)],
        [`POST ${at}/:username/outbox`, silent("It answers with an address")],
        [`GET ${at}/:username/followers`, silent(NO_CONTENT)],
        ...(at.endsWith("/person")
          ? [
              [
                `GET ${at}/:username/followers_synchronization`,
                silent(NO_CONTENT),
              ],
            ]
          : []),
        [`GET ${at}/:username/following`, silent(NO_CONTENT)],
        [`GET ${at}/:username/actor`, silent(NO_CONTENT)],
      ] as [string, Entry][];
    }),
  ),
  ...SILENT_ENTRIES,
  ...Object.fromEntries(
    [
      ...["api/v0/ap/inbox", "api/v1/ap/inbox", "receive/public"],
      "receive/users/:guid",
    ].map((path) => [`POST /${path}`, silent(REFUSES)]),
  ),
  ...PROGRAM_ENTRIES,
  ...ADMIN_ENTRIES,
  ...APP_ENTRIES,
  ...EDIT_ENTRIES,
  ...MASTODON_ENTRIES,
});

/** By method and path as registered. */
export const ENTRIES = withHeldTexts(OF_ROUTES);
