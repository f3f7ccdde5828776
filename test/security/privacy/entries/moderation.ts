import {
  isHere,
  maker,
  own,
  RUNS_SERVER,
  silent,
  type Entry,
} from "../probes.ts";

const OWN_STRIKES =
  "The moderators' decisions about the caller, its appeals and its texts that wait, are for the caller alone: packages/server/test/api/strikes.test.ts, held-texts.test.ts";

const OWN_IMPORTS =
  "The caller's imports, with counts and names from its own files, are for the caller alone: packages/server/test/api/import-uploads.test.ts";

/** Reports, moderation, and decisions and imports of the caller. */
export const MODERATION_ENTRIES: Readonly<Record<string, Entry>> = {
  "POST /api/v0/reports": [
    {
      about: ["post"],
      by: "token",
      is: "one",
      paths: ({ id }) => [`/api/v0/reports?post_id=${id}`],
      only: (subject, viewer) => !(isHere(subject) && own(subject, viewer)),
      shows: false,
    },
    {
      about: ["comment"],
      by: "token",
      is: "one",
      paths: ({ id }) => [`/api/v0/reports?comment_id=${id}`],
      only: (subject, viewer) => !maker(subject, viewer),
      shows: false,
    },
  ],
  "GET /report": silent("It is a form, and looks up nothing that is named"),
  "POST /report": silent(
    "It needs the token of a form: packages/server/test/api/reports.test.ts",
  ),
  // Of the caller alone: packages/server/test/api/strikes.test.ts
  ...Object.fromEntries(
    [
      "POST /settings/strikes/appeal",
      "POST /settings/strikes/withdraw",
      "POST /users/appeal",
      "GET /api/v0/strikes",
      "GET /api/v0/strikes/:id",
      "POST /api/v0/strikes/:id/appeal",
    ].map((route) => [route, silent(OWN_STRIKES)]),
  ),
  ...Object.fromEntries(
    [
      "GET /settings/imports",
      "POST /settings/imports",
      "POST /settings/imports/:id/start",
      "POST /settings/imports/:id/stop",
      "POST /settings/imports/:id/delete",
      "GET /api/v0/imports",
      "POST /api/v0/imports",
      "GET /api/v0/imports/:id",
      "DELETE /api/v0/imports/:id",
      "POST /api/v0/imports/:id/start",
      "POST /api/v0/imports/:id/stop",
    ].map((route) => [route, silent(OWN_IMPORTS)]),
  ),
  // Moderators may read reported content: packages/server/test/api/reports.test.ts
  ...Object.fromEntries(
    [
      "GET /admin/people",
      "POST /admin/people/suspend",
      "POST /admin/people/unsuspend",
      "POST /admin/people/silence",
      "POST /admin/people/unsilence",
      "POST /admin/people/warn",
      "POST /admin/held/release",
      "POST /admin/held/refuse",
      "GET /admin/appeals",
      "POST /admin/appeals/accept",
      "POST /admin/appeals/reject",
      "GET /admin/reports",
      "POST /admin/reports/take",
      "POST /admin/reports/leave",
      "POST /admin/reports/note",
      "POST /admin/reports/resolve",
      "POST /admin/reports/reopen",
      "POST /admin/reports/remove",
      "GET /api/v0/admin/people",
      "GET /api/v0/admin/people/:id",
      "PUT /api/v0/admin/people/:id/suspension",
      "DELETE /api/v0/admin/people/:id/suspension",
      "PUT /api/v0/admin/people/:id/silence",
      "DELETE /api/v0/admin/people/:id/silence",
      "POST /api/v0/admin/people/:id/warnings",
      "GET /api/v0/admin/people/:id/strikes",
      "GET /api/v0/admin/appeals",
      "GET /api/v0/admin/appeals/:id",
      "POST /api/v0/admin/appeals/:id/accept",
      "POST /api/v0/admin/appeals/:id/reject",
      "GET /api/v0/admin/reports",
      "GET /api/v0/admin/reports/:id",
      "PUT /api/v0/admin/reports/:id/assignment",
      "DELETE /api/v0/admin/reports/:id/assignment",
      "POST /api/v0/admin/reports/:id/notes",
      "PUT /api/v0/admin/reports/:id/resolution",
      "DELETE /api/v0/admin/reports/:id/resolution",
      "DELETE /api/v0/admin/reports/:id/target",
    ].map((route) => [route, silent(RUNS_SERVER)]),
  ),
};
