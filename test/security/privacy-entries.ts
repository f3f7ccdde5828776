import { ADMIN_ENTRIES } from "./privacy-entries-admin.ts";
import { withConversations } from "./privacy-entries-conversations.ts";
import { KEEPING_ENTRIES } from "./privacy-entries-keeping.ts";
import { LIST_ENTRIES, PICTURE_ENTRIES } from "./privacy-entries-lists.ts";
import { EDIT_ENTRIES } from "./privacy-entries-edits.ts";
import {
  ACTIVITY,
  audience,
  both,
  calendar,
  HTML,
  IN_LISTS,
  inLists,
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
} from "./privacy-probes.ts";
import { ABSENT } from "./privacy-world.ts";

/** By method and path as registered. */
export const ENTRIES: Readonly<Record<string, Entry>> = withConversations({
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
  "GET /people/:guid": [
    listed(["post"], "session", () => ["/people/AUTHORGUID"], {
      accept: HTML,
      only: isHere,
    }),
  ],
  "GET /u/:username": [
    listed(["post"], "session", () => ["/u/author"], {
      accept: HTML,
      only: isHere,
    }),
  ],
  "GET /stream": [
    listed(["post"], "session", () => ["/stream"], {
      accept: HTML,
      only: (subject, viewer) =>
        ["author", "firstMember", "secondMember", "stranger"].includes(
          viewer,
        ) && inLists(subject, viewer),
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
      // The post has no poll: its readers are told so, in the same words.
      only: () => false,
    }),
  ],
  "GET /api/v0/photos/:id": [named("photo", "/photos")],

  "DELETE /api/v0/photos/:id": [
    named("photo", "/photos", "", { only: maker, shows: false }),
  ],
  ...PICTURE_ENTRIES,
  ...LIST_ENTRIES,
  ...KEEPING_ENTRIES,
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
  "POST /stream": silent("It publishes, and leads to the stream"),
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
  ...Object.fromEntries(
    [
      "GET /",
      "GET /api/docs",
      "GET /api/v0/openapi.json",
      "GET /api/v0/settings",
      "PUT /api/v0/settings",
      "GET /api/v0/blocks",
      "GET /api/v0/ignores",
      "POST /api/v0/people/:id/block",
      "DELETE /api/v0/people/:id/block",
      "POST /api/v0/people/:id/ignore",
      "DELETE /api/v0/people/:id/ignore",
      "POST /api/v0/photos",
      "POST /api/v0/calendar",
      "POST /api/v0/audience",
      "POST /api/v0/calendar/events",
      "GET /api/v0/users/streams",
      "GET /api/v0/drafts",
      "GET /api/v0/drafts/:id",
      "POST /api/v0/drafts",
      "PUT /api/v0/drafts/:id",
      "POST /api/v0/drafts/:id/publish",
      "DELETE /api/v0/drafts/:id",
      "POST /api/v0/users/streams",
      "DELETE /api/v0/users/streams/:id",
      "DELETE /api/v0/users",
      "PUT /api/v0/users/password",
      "POST /api/v0/users/self/move/signature",
      "POST /api/v0/users/self/move/away",
      "POST /api/v0/users/self/move/here",
      "GET /api/v0/users/self/aliases",
      "PUT /api/v0/users/self/aliases",
      "GET /api/v0/tags",
      "POST /api/v0/tags/:tag",
      "DELETE /api/v0/tags/:tag",
      "POST /api/v0/oauth/tokens",
      "GET /api/v0/oauth/tokens",
      "DELETE /api/v0/oauth/tokens/:id",
      "POST /api/v0/search",
      "GET /api/v0/people/:id",
      "GET /api/v0/people/:id/profile",
      "GET /api/v0/people/:id/aspects",
      "POST /api/v0/people/:id/aspects/:aspect_id",
      "DELETE /api/v0/people/:id/aspects/:aspect_id",
      "PUT /api/v0/profile",
      "GET /api/v0/aspects",
      "POST /api/v0/aspects",
      "PUT /api/v0/aspects/:id",
      "DELETE /api/v0/aspects/:id",
      "GET /api/v1/ap/instance",
      "GET /api/v1/ap/person/:username",
      "GET /api/v1/ap/person/:username/featured",
      "GET /api/v0/ap/user/:username/featured",
      "GET /assets/kith.css",
      ...["favicon.svg", "avatar.png", "passkeys.js"].map(
        (name) => `GET /assets/${name}`,
      ),
      ...["webfinger", "host-meta", "nodeinfo", "x-social-relay"].map(
        (name) => `GET /.well-known/${name}`,
      ),
      "GET /nodeinfo/:version",
      ...["robots.txt", "healthz", "readyz"].map((name) => `GET /${name}`),
      "GET /hcard/users/:guid",
      ...["sign_up", "sign_in", "sign_in/second"].flatMap((path) => [
        `GET /users/${path}`,
        `POST /users/${path}`,
      ]),
      "POST /users/sign_in/passkey",
      "POST /users/sign_in/passkey/options",
      "POST /users/sign_out",
      "GET /settings/security",
      ...`sessions tokens recovery_codes passkeys passkeys/options passkeys/remove
          second_factor second_factor/confirm second_factor/remove`
        .split(/\s+/)
        .map((path) => `POST /settings/security/${path}`),
    ].map((route) => [route, silent(NO_CONTENT)]),
  ),
  ...Object.fromEntries(
    [
      ...["api/v0/ap/inbox", "api/v1/ap/inbox"],
      ...["receive/public", "receive/users/:guid"],
    ].map((path) => [`POST /${path}`, silent(REFUSES)]),
  ),
  ...ADMIN_ENTRIES,
  ...EDIT_ENTRIES,
});
