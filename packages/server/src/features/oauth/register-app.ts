import { randomBytes } from "node:crypto";
import type { Db } from "../../db/db.ts";
import { KithError } from "../../lib/errors.ts";
import type { Limit } from "../../lib/limits/limits.ts";
import { plainLine } from "../../lib/lines.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { insertApp } from "./app-store.ts";
import type { App } from "./app.ts";
import {
  isRedirectUri,
  MAX_REDIRECT_URIS,
  splitRedirectUris,
} from "./redirect-uris.ts";
import { parseScopes, type Scope } from "./scopes.ts";

const MAX_NAME_LENGTH = 100;
const MAX_WEBSITE_LENGTH = 500;
/** Of all redirect URIs together: anybody can have them stored. */
const MAX_LIST_LENGTH = 4000;

/** The claims of an app about itself. */
export type AppRegistration = {
  readonly name: string;
  /** One text, or several; each may name several, separated by white space. */
  readonly redirectUris: string | readonly string[];
  /** Separated by blanks; `read` if absent. */
  readonly scopes?: string | undefined;
  readonly website?: string | undefined;
  /** The source network. */
  readonly from: string;
};

/** A new app with its secret, which is not shown again. */
export type RegisteredApp = App & { readonly secret: string };

export type RegisterDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly registrations: Limit;
};

/**
 * Registers an app. Anybody can, so nothing that it says of itself is believed.
 * @throws {KithError} `invalid` for a broken registration, `too_many_requests`
 */
export async function registerApp(
  { db, clock, registrations }: RegisterDeps,
  given: AppRegistration,
): Promise<RegisteredApp> {
  const app = {
    name: readName(given.name),
    website: readWebsite(given.website),
    redirectUris: readRedirectUris(given.redirectUris),
    scopes: readScopes(given.scopes),
    clientId: randomBytes(32).toString("base64url"),
    createdAt: timestamp(clock.now()),
  };
  if (!registrations.take(given.from)) throw registrations.refuse(given.from);
  const secret = randomBytes(32).toString("base64url");
  const id = await db.transaction((tx) => insertApp(tx, app, secret));
  return { ...app, id, secret };
}

function readName(name: string): string {
  const line = plainLine(name, MAX_NAME_LENGTH);
  if (line === "")
    throw new KithError("invalid", "The parameter client_name must be given.");
  return line;
}

function readWebsite(website = ""): string | null {
  const given = website.trim();
  if (given === "") return null;
  const url = given.length > MAX_WEBSITE_LENGTH ? null : URL.parse(given);
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== "" ||
    url.password !== ""
  )
    throw new KithError(
      "invalid",
      "The parameter website must be the http or https address of a page.",
    );
  return url.href;
}

function readRedirectUris(
  given: string | readonly string[],
): readonly string[] {
  const length = typeof given === "string" ? given.length : given.join().length;
  const uris = length > MAX_LIST_LENGTH ? [] : splitRedirectUris(given);
  if (uris.length === 0 || uris.length > MAX_REDIRECT_URIS)
    throw new KithError(
      "invalid",
      `The parameter redirect_uris must name 1 to ${MAX_REDIRECT_URIS} URIs, with at most ${MAX_LIST_LENGTH} characters in all.`,
    );
  if (!uris.every(isRedirectUri))
    throw new KithError(
      "invalid",
      "Each of redirect_uris must be an absolute URI without a fragment: https, http on the own machine, or a scheme of the app.",
    );
  return uris;
}

function readScopes(given = ""): readonly Scope[] {
  if (given.trim() === "") return ["read"];
  const scopes = parseScopes(given);
  if (scopes.length === 0)
    throw new KithError(
      "invalid",
      "The parameter scopes must name a scope of this server.",
    );
  return scopes;
}
