import { PUBLIC } from "./media-types.ts";

/** Who a document is for: the scope that peers show, and everybody else who is named. */
export type Audience = {
  scope: "public" | "unlisted" | "followers" | "direct";
  /** What stands in `to` and `cc` besides everybody and the author's followers, each once: actor ids, mostly. */
  addressed: string[];
};

/** Whether an address stands for everybody, in any of its three spellings (ActivityPub §5.6). */
export function isPublicAddress(address: string): boolean {
  return address === PUBLIC || address === "as:Public" || address === "Public";
}

/**
 * Reads `to` and `cc` the way Mastodon does: everybody in `to` is public, in `cc` unlisted; else the author's
 * followers, in either place; else direct.
 * @param followersUri `followers` of the author's actor document. Without it no address counts as followers,
 *   so that the narrower reading is taken.
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
 * The addresses of a document of a scope: the reverse of {@link readAudience}. Each recipient of a `direct` one, which
 * is how a limited list travels too, stands in `to`: Friendica drops what a stranger's `cc` names. Mentioned people of a
 * wider scope stand in `cc`, and the followers in `to` unless all are meant, as GoToSocial looks for them there alone.
 */
export function buildAudience(audience: {
  scope: Audience["scope"];
  /** `followers` of the author's actor document, to the byte. */
  followersUri: string;
  /** Actor ids: the recipients, or who is mentioned or replied to. */
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
