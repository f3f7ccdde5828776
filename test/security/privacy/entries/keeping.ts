import {
  hasSession,
  HTML,
  isHere,
  listed,
  maker,
  named,
  ofPost,
  own,
  silent,
  type Entry,
  type Probe,
} from "../probes.ts";

/** The page on which people edit or delete their own. */
function ownPage(kind: "post" | "comment", act: "edit" | "delete"): Probe {
  return {
    ...{ about: [kind], by: "session", is: "list", accept: HTML },
    only: (subject, viewer) =>
      maker(subject, viewer) && (kind === "comment" || isHere(subject)),
    paths: ({ guid }) => [`/${kind}s/${guid}/${act}`],
  };
}

/** The posts that people keep. In the tested world, everybody has bookmarked everything. */
export const KEEPING_ENTRIES: Readonly<Record<string, Entry>> = {
  "PUT /api/v0/posts/:id/bookmark": [named("post", "/posts", "/bookmark")],
  "POST /api/v0/posts/:id/bookmark": [named("post", "/posts", "/bookmark")],
  "DELETE /api/v0/posts/:id/bookmark": [ofPost("/bookmark")],
  "POST /api/v0/posts/:id/pin": [
    { ...named("post", "/posts", "/pin"), only: own },
  ],
  "DELETE /api/v0/posts/:id/pin": [{ ...ofPost("/pin"), only: own }],
  ...Object.fromEntries(
    [
      "POST /posts/:guid/comments",
      "POST /posts/:guid/like",
      "POST /posts/:guid/unlike",
      "POST /posts/:guid/reshare",
      "POST /comments/:guid/like",
      "POST /comments/:guid/unlike",
    ].map((route) => [
      route,
      silent("It needs the token of a form: test/e2e/pages-answers.test.ts"),
    ]),
  ),
  ...Object.fromEntries(
    [
      "POST /posts/:guid/bookmark",
      "POST /posts/:guid/unbookmark",
      "POST /posts/:guid/pin",
      "POST /posts/:guid/unpin",
      "POST /posts/:guid/unreshare",
      "POST /posts/:guid/vote",
      "POST /posts/:guid/revoke_quote",
      "POST /people/:guid/ignore",
      "POST /people/:guid/unignore",
      "POST /people/:guid/block",
      "POST /people/:guid/unblock",
    ].map((route) => [
      route,
      silent("It needs the token of a form: test/e2e/pages-keeping.test.ts"),
    ]),
  ),
  ...Object.fromEntries(
    [
      "POST /posts/:guid/edit",
      "POST /posts/:guid/delete",
      "POST /comments/:guid/edit",
      "POST /comments/:guid/delete",
    ].map((route) => [
      route,
      silent("It needs the token of a form: test/e2e/pages-writing.test.ts"),
    ]),
  ),
  "GET /posts/:guid/edit": [ownPage("post", "edit")],
  "GET /posts/:guid/delete": [ownPage("post", "delete")],
  "GET /comments/:guid/edit": [ownPage("comment", "edit")],
  "GET /comments/:guid/delete": silent(
    "It is for the authors of the comment and of its post: test/e2e/pages-writing.test.ts",
  ),
  "GET /comments/:guid": silent(
    "It leads to the page of the post: test/e2e/pages-notifications.test.ts",
  ),
  "GET /notifications": silent(
    "It shows the list of GET /api/v0/notifications: test/e2e/pages-notifications.test.ts",
  ),
  "GET /notifications/open": silent("It leads to the address that it is given"),
  "POST /notifications/read": silent(
    "It needs the token of a form: test/e2e/pages-notifications.test.ts",
  ),
  "GET /write": silent("It shows an empty form, or a draft of one's own"),
  "GET /drafts": silent(
    "It shows one's own drafts: test/e2e/pages-drafts.test.ts",
  ),
  ...Object.fromEntries(
    ["POST /write", "POST /drafts/:id/publish", "POST /drafts/:id/delete"].map(
      (route) => [
        route,
        silent("It needs the token of a form: test/e2e/pages-drafts.test.ts"),
      ],
    ),
  ),
  "GET /settings": silent("It shows one's own settings alone"),
  "POST /settings": silent(
    "It needs the token of a form: test/e2e/pages-languages.test.ts",
  ),
  ...Object.fromEntries(
    ["", "/end"].map((path) => [
      `POST /settings/push${path}`,
      silent("It leads to one's own settings"),
    ]),
  ),
  "GET /settings/notifications": silent("It shows one's own choices alone"),
  "POST /settings/notifications": silent("It shows one's own choices alone"),
  "GET /settings/privacy": silent("It shows one's own choices alone"),
  "POST /settings/privacy": silent("It shows one's own choices alone"),
  "GET /settings/profile": silent("It shows one's own profile alone"),
  "POST /settings/profile": silent(
    "It needs the token of a form: test/e2e/pages-profile.test.ts",
  ),
  "GET /settings/blocks": silent("It shows people alone"),
  "GET /settings/ignores": silent("It shows people alone"),
  "GET /messages/:guid": [
    {
      ...{ about: ["conversation"], by: "session", is: "one", accept: HTML },
      paths: ({ guid }) => [`/messages/${guid}`],
    },
  ],
  ...Object.fromEntries(
    [
      "POST /messages",
      "POST /messages/:guid",
      "POST /messages/:guid/hide",
      "POST /messages/:guid/leave",
    ].map((route) => [
      route,
      silent("It needs the token of a form: test/e2e/pages-messages.test.ts"),
    ]),
  ),
  "GET /messages": silent(
    "It shows the list of GET /api/v0/conversations: test/e2e/pages-messages.test.ts",
  ),
  "GET /messages/new": silent("It shows an empty form"),
  "GET /bookmarks": [
    listed(["post"], "session", () => ["/bookmarks"], {
      accept: HTML,
      only: (_, viewer) => hasSession(viewer),
    }),
  ],
  ...Object.fromEntries(
    [
      "POST /aspects",
      "POST /aspects/:id/rename",
      "POST /aspects/:id/home",
      "POST /aspects/:id/delete",
      "POST /aspects/:id/members",
      "POST /aspects/:id/earlier",
      "POST /aspects/:id/later",
      "POST /people/requests/accept",
      "POST /people/requests/accept-all",
      "POST /people/requests/refuse",
      "POST /people/:guid/follow",
      "POST /people/:guid/unfollow",
      "POST /people/:guid/aspects",
    ].map((route) => [
      route,
      silent("It needs the token of a form: test/e2e/pages-contacts.test.ts"),
    ]),
  ),
  "GET /contacts": silent("It leads to the page of people"),
  ...Object.fromEntries(
    ["/people", "/aspects", "/aspects/:id", "/aspects/:id/delete"].map(
      (path) => [
        `GET ${path}`,
        silent(
          "It shows people, and one's own aspects alone: test/e2e/pages-aspects.test.ts",
        ),
      ],
    ),
  ),
  "GET /people/requests": silent(
    "It shows people alone: test/e2e/pages-contacts.test.ts",
  ),
  "GET /people/find": silent(
    "It shows people alone: test/e2e/pages-contacts.test.ts",
  ),
  "GET /api/v0/changes": silent(
    "It never ends; privacy-changes.test.ts reads it for each audience",
  ),
  "GET /api/v0/bookmarks": [
    listed(["post"], "token", () => ["/api/v0/bookmarks?limit=100"]),
  ],
};
