import { PUBLIC } from "./media-types.ts";

/** The audience of a document: the scope that peers show, and the other addresses in it. */
export type Audience = {
  scope: "public" | "unlisted" | "followers" | "direct";
  /** The addresses in `to` and `cc` other than the public collection and the author's followers, each once: mostly actor ids. */
  addressed: string[];
};

/** Whether an address is the public collection, in any of its three spellings (ActivityPub §5.6). */
export function isPublicAddress(address: string): boolean {
  return address === PUBLIC || address === "as:Public" || address === "Public";
}

/**
 * Reads `to` and `cc` as Mastodon does: the public collection in `to` means public, in `cc` unlisted; otherwise the
 * author's followers collection in either place means followers-only; otherwise direct.
 * @param followersUri `followers` of the author's actor document. Without it no address counts as followers, which is
 *   the narrower reading.
 */
export function readAudience(
  to: string[],
  cc: string[],
  followersUri?: string,
): Audience {
  const all = [...to, ...cc];
  const addressed = new Set(
    all.filter(
      (address) => !isPublicAddress(address) && address !== followersUri,
    ),
  );
  return { scope: scopeOf(to, cc, followersUri), addressed: [...addressed] };
}

function scopeOf(
  to: string[],
  cc: string[],
  followersUri: string | undefined,
): Audience["scope"] {
  if (to.some(isPublicAddress)) return "public";
  if (cc.some(isPublicAddress)) return "unlisted";
  if (followersUri === undefined) return "direct";
  return to.includes(followersUri) || cc.includes(followersUri)
    ? "followers"
    : "direct";
}

/**
 * Builds the addresses for a scope: the reverse of {@link readAudience}. Each recipient of a `direct` document, which is
 * also how a limited list travels, is in `to`: Friendica drops unknown people in `cc`. People mentioned in a wider scope
 * are in `cc`. The followers are in `to` unless the document is public, because GoToSocial looks for them only there.
 */
export function buildAudience(audience: {
  scope: Audience["scope"];
  /** `followers` of the author's actor document, byte for byte. */
  followersUri: string;
  /** Actor ids: the recipients, or the people mentioned or replied to. */
  addressed: string[];
}): { to: string[]; cc: string[] } {
  const { scope, followersUri } = audience;
  const addressed = [...new Set(audience.addressed)];
  switch (scope) {
    case "public":
      return { to: [PUBLIC], cc: [followersUri, ...addressed] };
    case "unlisted":
      return { to: [followersUri], cc: [PUBLIC, ...addressed] };
    case "followers":
      return { to: [followersUri], cc: addressed };
    case "direct":
      return { to: addressed, cc: [] };
  }
}
