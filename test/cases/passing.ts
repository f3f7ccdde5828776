export const PASSING: readonly string[] = ["mastodon-like"];
