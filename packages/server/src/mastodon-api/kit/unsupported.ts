/**
 * The resources of this API, by the version of their paths. A path below one of them that is
 * not served answers 404, upon which programs do without; other unknown paths get 501.
 */
const RESOURCES: Readonly<Record<string, ReadonlySet<string>>> = {
  v1: new Set([
    ...["accounts", "admin", "annual_reports", "announcements", "apps"],
    ...["async_refreshes", "blocks", "bookmarks", "collections"],
    ...["conversations", "crypto", "custom_emojis", "directory"],
    ...["domain_blocks", "donation_campaigns", "emails", "endorsements"],
    ...["favourites", "featured_tags", "filters", "follow_requests"],
    ...["followed_tags", "follows", "instance", "invites", "lists", "markers"],
    ...["media", "mutes", "notifications", "peers", "pleroma", "polls"],
    ...["preferences", "profile", "push", "reports", "scheduled_statuses"],
    ...["search", "statuses", "streaming", "suggestions", "tags"],
    ...["timelines", "trends"],
  ]),
  v2: new Set([
    ...["admin", "filters", "instance", "media", "notifications", "search"],
    "suggestions",
  ]),
  v2_alpha: new Set(["notifications"]),
};

/** @param path of a request, without its query */
export function isMastodonPath(path: string): boolean {
  const [, version = "", resource = ""] =
    /^\/api\/(v1|v2|v2_alpha)\/([^/]+)/.exec(path) ?? [];
  return path === "/api/oembed" || (RESOURCES[version]?.has(resource) ?? false);
}
