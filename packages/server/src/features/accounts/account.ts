import type { QuotablePeople } from "../../db/schema/columns/stored-names.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { DefaultAudience } from "../audiences/index.ts";
import type { PersonId, TokenId, UserId } from "../ids.ts";

export type Role = "user" | "moderator" | "admin";

/** A person who signs in here. */
export type Account = {
  readonly id: UserId;
  readonly username: string;
  readonly role: Role;
  /**
   * `pending`: waits for approval; `suspended`: sign-in is blocked until the suspension is
   * lifted; `closed`: deleted, its name is never reused.
   */
  readonly state: "active" | "pending" | "suspended" | "closed";
  /** BCP 47, such as `en`. */
  readonly locale: string;
  /** IANA name, such as `Europe/Berlin`. */
  readonly timeZone: string;
  readonly lastSeenAt: Timestamp | null;
  readonly createdAt: Timestamp;
};

/** The choices of a user for everything that the server does for them. */
export type Settings = Pick<Account, "locale" | "timeZone"> & {
  /** The audience of posts without one. */
  readonly audience: DefaultAudience;
  /** Does this server read the pages that the user's public posts link, to show previews? */
  readonly linkPreviews: boolean;
  /** The language of what the user writes without naming one: a BCP 47 tag, or null. */
  readonly postLanguage: string | null;
  /**
   * The languages that the user reads, as primary subtags of BCP 47: the home and public
   * lists leave out posts in others. All if there are none.
   */
  readonly readLanguages: readonly string[];
  /** The people who may quote posts that do not say it. */
  readonly quotableBy: QuotablePeople;
  /** Minutes before an event at which the user is reminded; null for never. */
  readonly eventReminder: number | null;
  /** Of an event that lasts all day: minutes before the day begins where the user is. */
  readonly dayReminder: number | null;
};

/** The authenticated user: an account together with its person. */
export type SignedIn = {
  readonly userId: UserId;
  readonly personId: PersonId;
  readonly username: string;
  /** Read anew on each request, so that a change takes effect at once. */
  readonly role: Role;
};

/** Does this role include the needed one? An admin may do everything that a moderator may. */
export function isAtLeast(role: Role, needed: Role): boolean {
  return RANKS.indexOf(role) >= RANKS.indexOf(needed);
}

const RANKS: readonly Role[] = ["user", "moderator", "admin"];

export type AccessToken = {
  readonly id: TokenId;
  readonly clientId: string;
  readonly createdAt: Timestamp;
  readonly lastUsedAt: Timestamp;
};

/** An access token with its secret: 64 hexadecimal characters. */
export type IssuedToken = AccessToken & { readonly token: string };

export type Session = {
  readonly user: SignedIn;
  /** The CSRF token that the session's forms must contain. */
  readonly csrfToken: string;
  readonly settings: Pick<Account, "locale" | "timeZone">;
};

/** An audience that may be chosen again. */
export type ChosenAudience = DefaultAudience | { readonly kind: "mentioned" };

/** A session as shown to its owner. */
export type ListedSession = {
  readonly name: string;
  /** For example `Firefox, Linux`; empty if unknown. */
  readonly device: string;
  readonly createdAt: Timestamp;
  readonly isCurrent: boolean;
};

export const MAX_USERNAME_LENGTH = 30;
const USERNAME = new RegExp(`^[a-z0-9_]{1,${MAX_USERNAME_LENGTH}}$`);

/** Names that a visitor could mistake for the server itself, or that are paths of ours. */
const RESERVED = new Set(
  `abuse admin administrator all anonymous api assets autoconfig autodiscover
   calendar contact everyone feed feeds ftp help here hostmaster imap info
   instance kith localhost mail mailer_daemon mod moderator news nobody noreply no_reply
   null official owner people person pop pop3 postmaster posts private public
   receive relay root security service smtp staff stream streams support sysadmin
   system undefined unknown user users webfinger webmaster www`.split(/\s+/),
);

/** Returns the form in which a username is stored. */
export function canonicalUsername(typed: string): string {
  return typed.trim().toLowerCase();
}

/** The username of a name that was typed to sign in: one's own full address will do. */
export function usernameToSignIn(typed: string, handleHost: string): string {
  const name = canonicalUsername(typed).replace(/^@/, "");
  // Calendar programs leave out the port.
  const host = handleHost.toLowerCase();
  const suffix = [host, host.replace(/:\d+$/, "")]
    .map((it) => `@${it}`)
    .find((it) => name.endsWith(it));
  return suffix === undefined ? name : name.slice(0, -suffix.length);
}

export function isUsername(name: string): boolean {
  return USERNAME.test(name);
}

export function isReservedName(name: string): boolean {
  return RESERVED.has(name);
}

export const MIN_PASSWORD_LENGTH = 6;
/** Long enough for any passphrase; prevents hashing megabytes. */
export const MAX_PASSWORD_LENGTH = 1024;
