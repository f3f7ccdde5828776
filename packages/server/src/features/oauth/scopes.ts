const READ = [
  ...(["accounts", "blocks", "bookmarks", "collections"] as const),
  ...(["favourites", "filters", "follows", "lists", "mutes"] as const),
  ...(["notifications", "search", "statuses"] as const),
];

const WRITE = [
  ...(["accounts", "blocks", "bookmarks", "collections"] as const),
  ...(["conversations", "favourites", "filters", "follows"] as const),
  ...(["lists", "media", "mutes", "notifications"] as const),
  ...(["reports", "statuses"] as const),
];

const ADMIN = [
  ...(["accounts", "reports", "domain_allows", "domain_blocks"] as const),
  ...(["ip_blocks", "email_domain_blocks"] as const),
  "canonical_email_blocks" as const,
];

/** A coarse scope, and its parts, which may also be granted alone. */
function withParts<C extends string, P extends string>(
  coarse: C,
  parts: readonly P[],
) {
  const fine = parts.map((part): `${C}:${P}` => `${coarse}:${part}`);
  return [coarse, ...fine];
}

/** Every scope, in the order in which they are listed. */
export const SCOPES = [
  "profile" as const,
  ...withParts("read", READ),
  ...withParts("write", WRITE),
  ...(["follow", "push"] as const),
  ...withParts("admin:read", ADMIN),
  ...withParts("admin:write", ADMIN),
];

/** A permission of an app, in the words of Mastodon's client API. */
export type Scope = (typeof SCOPES)[number];

/**
 * The scope that a call of an app needs. `undelegated`: no scope is enough, because the call
 * can take the account away, or give an access that the user cannot end.
 */
export type NeededScope = Scope | "undelegated";

/** The parts of `follow`. */
const FOLLOW = ["follows", "blocks", "mutes"].flatMap((part) => [
  `read:${part}`,
  `write:${part}`,
]);

const KNOWN: ReadonlySet<string> = new Set(SCOPES);

/** The scopes of a token; a token that its user got for the password has all. */
export type GrantedScopes = readonly string[] | "all";

/**
 * Do these scopes allow what needs this one? A coarse scope implies its parts, and nothing
 * implies a coarse scope but itself.
 */
export function isGranted(scopes: GrantedScopes, needed: string): boolean {
  if (scopes === "all") return true;
  if (!KNOWN.has(needed)) return false;
  const coarse = needed.slice(0, needed.lastIndexOf(":"));
  return (
    scopes.includes(needed) ||
    (KNOWN.has(coarse) && scopes.includes(coarse)) ||
    (scopes.includes("follow") && FOLLOW.includes(needed))
  );
}

/** Those of these scopes that no other one of them implies. */
export function withoutImplied(scopes: readonly Scope[]): readonly Scope[] {
  return scopes.filter(
    (scope) =>
      !isGranted(
        scopes.filter((other) => other !== scope),
        scope,
      ),
  );
}

/** Is it of an administration? */
export function isAdminScope(scope: Scope): boolean {
  return scope.startsWith("admin:");
}

/**
 * Reads a list of scopes, separated by blanks. Unknown ones are dropped: apps ask for those
 * of other servers, too.
 * @returns each once, in a fixed order
 */
export function parseScopes(text: string): readonly Scope[] {
  const given = new Set(text.split(/[\s+]+/));
  return SCOPES.filter((scope) => given.has(scope));
}
