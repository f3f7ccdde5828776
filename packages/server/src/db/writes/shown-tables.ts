/**
 * The columns that name an inserted row to caches: what is shown with it. An insert into these
 * tables concerns what it names and nothing else; every other write of them may concern
 * everything.
 */
export const NAMED_INSERTS: ReadonlyMap<string, readonly string[]> = new Map([
  // Reshares and quotes name a post by its Guid, and may have come before it.
  ["posts", ["guid", "person_id", "root_guid"]],
  ["post_tags", ["post_id", "tag"]],
  ["post_recipients", ["post_id"]],
  ["post_links", ["post_id"]],
  ["link_previews", ["url"]],
  ["photos", ["post_id"]],
  ["polls", ["post_id"]],
  ["comments", ["post_id"]],
  ["likes", ["post_id"]],
  ["reactions", ["post_id"]],
  ["bookmarks", ["user_id"]],
  ["muted_posts", ["user_id"]],
  ["hidden_posts", ["user_id"]],
  ["followed_tags", ["user_id"]],
  ["contacts", ["user_id"]],
  // Nothing can refer to a person or user before it is stored.
  ["users", []],
  ["people", []],
  ["profiles", []],
  ["remote_people", []],
]);

/**
 * Tables that no list of posts shows. `kept-answers.test.ts` finds them in none of the queries
 * of kept answers.
 */
export const UNSHOWN_TABLES: ReadonlySet<string> = new Set([
  ...["user_keys", "server_keys", "sessions", "access_tokens"],
  ...["app_passwords", "second_factors", "recovery_codes", "passkeys"],
  ...["pending_sign_ins", "passkey_challenges", "oauth_apps", "oauth_codes"],
  ...["oauth_accesses", "markers", "submissions", "person_notes"],
  ...["person_keys", "move_documents", "follow_requests", "drafts"],
  ...["draft_photos", "post_subscribers", "unread_messages", "text_mentions"],
  ...["tombstones", "notifications", "relayable_signatures"],
  ...["sent_activities", "inbound_messages", "creations", "followers_checks"],
  ...["remote_hosts", "unproven_messages", "waiting_messages"],
  ...["known_networks", "invitations", "audit_log", "host_policies"],
  ...["relays", "gone_inboxes", "peers", "delivery_receipts"],
  ...["forwarded_activities", "proved_documents", "thread_news"],
  ...["jobs", "job_documents", "text_versions", "removed_objects"],
  ...["calendar_objects", "event_versions", "reports", "report_notes"],
  ...["person_decisions", "server_profile", "remote_events"],
  ...["remote_actors", "push_subscriptions", "notification_choices"],
  ...["featured_tags", "announcements", "dismissed_announcements"],
  "announcement_reactions",
  ...["revoked_quotes", "event_reminders", "due_reminders"],
  ...[
    "bans",
    "strikes",
    "newcomer_acts",
    "spam_rules",
    "spam_hits",
    "held_texts",
    "host_list_imports",
    "subscribed_calendars",
    "subscribed_objects",
  ],
  ...["zone_data", "known_zones", "statistics", "host_deliveries"],
  ...["imports", "mail_addresses", "password_resets"],
  // Answers with replies as entries of their own are not kept.
  ...["comment_arrivals", "unplaced_comments", "last_comment_arrival"],
  // The index for searches, whose answers are not kept.
  ...["post_search", "person_words", "search_blocks", "search_fills"],
]);

/**
 * Where posts stand in homes. Each reading of a home gives all committed posts their places
 * first, so that placing a post changes no home that was read after the post was stored.
 */
export const PLACES: ReadonlySet<string> = new Set(["post_arrivals"]);

/** How a trigger notes a new post, and a place takes the note away. */
const NOTES = "unplaced_posts";

/** Columns that no cache shows: an update of them alone concerns nothing. */
export const UNSHOWN_COLUMNS: ReadonlyMap<string, readonly string[]> = new Map([
  ["post_links", ["due_at"]],
  ["people", ["stream_read_at"]],
  // With every sign-in.
  ["users", ["last_seen_at", "password_hash", "updated_at"]],
]);

export function isShown(table: string, statement: "delete" | "other"): boolean {
  if (table === NOTES) return statement !== "delete";
  return !UNSHOWN_TABLES.has(table) && !PLACES.has(table);
}
