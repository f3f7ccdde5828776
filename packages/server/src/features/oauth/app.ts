import type { Timestamp } from "../../lib/time/clock.ts";
import type { SignedIn } from "../accounts/index.ts";
import type { AccessId, AppId } from "../ids.ts";
import type { GrantedScopes, Scope } from "./scopes.ts";

/** A registered program. Its name and site are its own claims. */
export type App = {
  readonly id: AppId;
  readonly clientId: string;
  readonly name: string;
  /** An `http` or `https` URL. */
  readonly website: string | null;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly Scope[];
  readonly createdAt: Timestamp;
};

/** How an app is shown to others: by its own words. */
export type ShownApp = Pick<App, "name" | "website">;

/** The user, the scopes and the app of a token. */
export type Access = {
  readonly user: SignedIn;
  readonly scopes: GrantedScopes;
  /** null for a token that its user got for the password. */
  readonly app: ShownApp | null;
};

/** An app that a user has let in, as shown to that user. */
export type ListedAccess = ShownApp & {
  readonly id: AccessId;
  readonly scopes: readonly Scope[];
  readonly createdAt: Timestamp;
  /** Recorded once a day. */
  readonly lastUsedAt: Timestamp;
};

/** A new access with its token. */
export type IssuedAccess = {
  readonly token: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Timestamp;
};

const DAY_MS = 24 * 3_600_000;

/** A code is redeemed by the app at once. */
export const CODE_MS = 10 * 60_000;
/** Use is recorded once a day. */
export const USE_MS = DAY_MS;
/** An access that is unused for so long has ended. */
export const UNUSED_ACCESS_MS = 400 * DAY_MS;
/** An app's own access: it gets another at any time. */
export const UNUSED_OWN_ACCESS_MS = 30 * DAY_MS;
/** An app that somebody has let in; apps keep their registration for ever. */
export const UNUSED_APP_MS = 400 * DAY_MS;
/** An app that nobody has ever let in. */
export const UNKNOWN_APP_MS = 30 * DAY_MS;
/** Of one user; the one unused for the longest time ends for another. */
export const MAX_ACCESSES = 200;
/** Of one app without a user. */
export const MAX_OWN_ACCESSES = 50;
/** Codes of one user that wait. */
export const MAX_CODES = 50;
