import { silent, type Entry } from "./probes.ts";

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
