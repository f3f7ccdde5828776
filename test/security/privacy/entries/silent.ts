import { NO_CONTENT, OWN_CALENDARS, silent, type Entry } from "../probes.ts";

/** Routes that show nothing that people have written for others. */
export const SILENT_ENTRIES: Readonly<Record<string, Entry>> =
  Object.fromEntries(
    [
      "GET /api/docs",
      "GET /api/v0/openapi.json",
      "GET /api/v0/settings",
      "PUT /api/v0/settings",
      "GET /api/v0/notifications/choices",
      "PUT /api/v0/notifications/choices",
      "GET /api/v0/notifications/unread",
      "GET /api/v0/blocks",
      "GET /api/v0/blocks/hosts",
      "POST /api/v0/blocks/hosts",
      "DELETE /api/v0/blocks/hosts/:host",
      "GET /api/v0/ignores",
      "GET /api/v0/follow_requests",
      "POST /api/v0/follow_requests/accept",
      "POST /api/v0/follow_requests/:id/accept",
      "DELETE /api/v0/follow_requests/:id",
      "DELETE /api/v0/people/:id/follower",
      "GET /api/v0/people/:id/follow_choices",
      "PUT /api/v0/people/:id/follow_choices",
      "POST /api/v0/people/:id/block",
      "DELETE /api/v0/people/:id/block",
      "POST /api/v0/people/:id/ignore",
      "DELETE /api/v0/people/:id/ignore",
      "POST /api/v0/photos",
      "POST /api/v0/calendar",
      "POST /api/v0/calendar/:id/import",
      "POST /api/v0/audience",
      "POST /api/v0/calendar/events",
      "GET /api/v0/users/streams",
      "GET /api/v0/drafts",
      "GET /api/v0/drafts/:id",
      "POST /api/v0/drafts",
      "PUT /api/v0/drafts/:id",
      "POST /api/v0/drafts/:id/publish",
      "DELETE /api/v0/drafts/:id",
      "GET /api/v0/filters",
      "GET /api/v0/filters/:id",
      "POST /api/v0/filters",
      "PUT /api/v0/filters/:id",
      "DELETE /api/v0/filters/:id",
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
      "GET /api/v0/app_passwords",
      "POST /api/v0/app_passwords",
      "DELETE /api/v0/app_passwords/:id",
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
      "GET /offline",
      "GET /offline-worker.js",
      "GET /assets/kith.css",
      ...[
        ...["favicon.svg", "avatar.png", "missing-header.png"],
        ...["recording.png", "kith.js", "passkeys.js"],
        ...["offline.js", "push.js", "push-worker.js"],
        ...["icon-180.png", "icon-192.png", "icon-512.png"],
        "icon-maskable-512.png",
      ].map((name) => `GET /assets/${name}`),
      ...[
        ...["webfinger", "host-meta", "nodeinfo", "x-social-relay"],
        ...["change-password", "security.txt"],
      ].map((name) => `GET /.well-known/${name}`),
      "GET /nodeinfo/:version",
      ...["robots.txt", "healthz", "readyz"].map((name) => `GET /${name}`),
      ...["/hcard/users/:guid", "/settings/security"].map((it) => `GET ${it}`),
      ...["sign_up", "sign_in", "sign_in/second"].flatMap((path) => [
        `GET /users/${path}`,
        `POST /users/${path}`,
      ]),
      ...[
        ...["/settings/mail", "/users/password", "/users/password/new"],
        ...["/mail/confirm", "/mail/unsubscribe"],
      ].flatMap((path) => [`GET ${path}`, `POST ${path}`]),
      ...["address", "remove"].map((path) => `POST /settings/mail/${path}`),
      "POST /users/sign_in/passkey",
      "POST /users/sign_in/passkey/options",
      "POST /users/sign_out",
      ...`sessions tokens recovery_codes passkeys passkeys/options passkeys/remove
          second_factor second_factor/confirm second_factor/remove
          app_passwords app_passwords/remove`
        .split(/\s+/)
        .map((path) => `POST /settings/security/${path}`),
    ].map((route) => [route, silent(NO_CONTENT)]),
  );

/** Registering apps and letting them in shows nothing that people have written. */
export const APP_ENTRIES: Readonly<Record<string, Entry>> = Object.fromEntries(
  [
    "GET /settings/apps",
    "POST /settings/apps",
    "GET /oauth/authorize",
    "POST /oauth/authorize",
    "POST /oauth/token",
    "POST /oauth/revoke",
    "GET /oauth/userinfo",
    "POST /oauth/userinfo",
    "POST /api/v1/apps",
    "GET /api/v1/apps/verify_credentials",
    "GET /.well-known/oauth-authorization-server",
  ].map((route) => [route, silent("It shows the app, or the user's own name")]),
);

/** The routes of calendar programs. */
export const PROGRAM_ENTRIES: Readonly<Record<string, Entry>> =
  Object.fromEntries(
    [
      ...`COPY DELETE GET MKCALENDAR MKCOL MOVE OPTIONS PROPFIND PROPPATCH PUT REPORT`
        .split(" ")
        .map((method) => `${method} /dav`),
      ...["PROPFIND /", "GET /.well-known/caldav"],
      "PROPFIND /.well-known/caldav",
      // Not allowed, for anybody.
      ...["ACL /dav", "LOCK /dav", "PATCH /dav", "POST /dav", "UNLOCK /dav"],
    ].map((route) => [route, silent(OWN_CALENDARS)]),
  );
