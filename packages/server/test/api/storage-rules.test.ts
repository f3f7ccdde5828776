import assert from "node:assert/strict";
import { test } from "node:test";
import {
  KEEPING_COLUMNS,
  OWN_COLUMNS,
} from "../../src/features/storage/removable-people.ts";
import { listReferences, nameOf } from "../support/remote/references.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { DAY_MS } from "../support/server/test-clock.ts";
import { wholePerson } from "../support/scenes/whole-person.ts";
import { remotePost } from "../support/remote/remote-people.ts";
import {
  fillThread,
  receive,
  remoteThread,
} from "../support/storage/remote-thread.ts";
import { compareDumps, dumpTables } from "../support/storage/table-dump.ts";

/** Tables that lose rows with a post from elsewhere, or with a person elsewhere. */
const GOES = [
  ...["comments", "likes", "people", "person_keys", "person_words", "photos"],
  ...["poll_answers", "poll_votes", "polls", "post_links", "post_arrivals"],
  ...["post_subscribers", "post_tags", "posts", "profiles"],
  ...["proved_documents", "quotes", "reactions", "relayable_signatures"],
  ...["remote_actors", "remote_people", "text_mentions", "text_versions"],
  ...["thread_news", "unplaced_posts"],
  ...["comment_arrivals", "unplaced_comments"],
];
/** What is computed from other tables, or counts. */
const RECOMPUTED = [
  ...["post_search", "search_blocks", "search_fills", "sqlite_sequence"],
  ...["link_previews"],
];
/** Tables of people here, of the server, and of messages, which have an end of their own. */
const KEPT = [
  ...["access_tokens", "app_passwords", "aspect_memberships", "aspects"],
  ...["audit_log", "blocks", "bookmarks", "calendar_objects", "calendars"],
  ...["contacts", "conversation_readers", "creations", "delivery_receipts"],
  ...["draft_photos", "drafts", "event_recipients", "event_versions"],
  ...[
    "events",
    "featured_tags",
    "filter_keywords",
    "filter_statuses",
    "filters",
  ],
  ...["follow_requests", "followed_tags", "followers_checks"],
  ...["forwarded_activities", "gone_inboxes", "hidden_posts", "host_blocks"],
  ...["host_policies", "ignores", "inbound_messages", "invitations"],
  ...["job_documents", "jobs", "known_networks", "markers"],
  ...["move_documents", "muted_posts", "notification_choices"],
  ...["notifications", "oauth_accesses", "oauth_apps", "oauth_codes"],
  ...["participations", "passkey_challenges", "passkeys", "peers"],
  ...["pending_sign_ins", "person_decisions", "person_notes"],
  ...["post_recipients", "push_subscriptions", "recovery_codes", "relays"],
  ...["remote_events", "remote_hosts", "removed_objects", "report_notes"],
  ...["reports", "schema_migrations", "second_factors", "sent_activities"],
  ...["server_keys", "server_profile", "sessions", "submissions"],
  ...["tombstones", "unproven_messages", "unread_messages", "user_keys"],
  ...["user_streams", "users", "waiting_messages"],
  ...["announcements", "calendar_readers", "calendar_shares"],
  ...[
    "announcement_reactions",
    "dismissed_announcements",
    "mail_addresses",
    "password_resets",
  ],
  ...["last_comment_arrival"],
  ...["revoked_quotes", "event_reminders", "due_reminders"],
  ...[
    "bans",
    "strikes",
    "newcomer_acts",
    "imports",
    "spam_rules",
    "spam_hits",
    "held_texts",
    "host_list_imports",
    "subscribed_calendars",
    "subscribed_objects",
  ],
  ...["zone_data", "known_zones", "statistics", "host_deliveries"],
];

forEachDatabase((kind) => {
  const kith = useKith(kind, {
    env: { KITH_REMOTE_POST_DAYS: "90", KITH_FOLLOWED_POST_DAYS: "90" },
  });
  const clean = () => kith().server.storage.clean({ pauseMs: 0 });

  test("each table is named as removed, recomputed or kept", async () => {
    const tables = [...(await dumpTables(kith().db)).keys()];
    assert.deepEqual(
      tables.filter((name) => name !== "sqlite_sequence").sort(),
      [...GOES, ...RECOMPUTED, ...KEPT]
        .filter((name) => name !== "sqlite_sequence")
        .sort(),
    );
  });

  test("each column that names a person keeps that person, or goes with it", async () => {
    const references = await listReferences(kith());
    assert.deepEqual(
      references.filter(({ to }) => to === "people").map(nameOf),
      [...KEEPING_COLUMNS, ...OWN_COLUMNS].sort(),
    );
  });

  test("a thread from elsewhere goes without a trace, and nothing of people here", async () => {
    const { settle, clock, db, server } = kith();
    const whole = await wholePerson(kith());
    clock.advance(400 * DAY_MS);
    const old = await dumpTables(db);
    await clean();
    const first = compareDumps(old, await dumpTables(db));
    for (const name of RECOMPUTED) first.delete(name);
    for (const [name, { gone, added }] of first) {
      assert.deepEqual(added, [], name);
      assert.match(
        name,
        /^(people|profiles|person_keys|person_words|remote_people)$/,
        `${name}: ${gone.join("\n")}`,
      );
    }
    const empty = await dumpTables(db);
    const thread = await remoteThread(
      kith(),
      "hear hear #tea https://remote.example/page",
    );
    await fillThread(kith(), thread);
    await receive(
      kith(),
      remotePost(thread.reader, {
        ...{ type: "reshare", text: "" },
        ...{ rootGuid: thread.guid, rootPersonId: thread.author.id },
      }),
    );
    await server.features.homes.place();
    const placed = await receive(kith(), remotePost(thread.author));
    const full = await dumpTables(db);
    const filled = [...compareDumps(empty, full).keys()];
    for (const name of GOES)
      assert.ok(filled.includes(name), `there is nothing in ${name}`);
    clock.advance(89 * DAY_MS);
    await clean();
    assert.deepEqual(compareDumps(full, await dumpTables(db)).size, 0, "early");
    clock.advance(2 * DAY_MS);
    const preview = await server.storage.preview();
    assert.deepEqual(compareDumps(full, await dumpTables(db)).size, 0, "seen");
    const { freed } = await clean();
    assert.deepEqual(
      { ...freed["other-posts"], bytes: 0 },
      {
        ...{ notifications: 0, posts: 3, comments: 1, reactions: 2 },
        ...{ people: 0, bytes: 0 },
      },
    );
    assert.equal(preview["other-posts"].posts, 2, "the root follows");
    assert.deepEqual(freed.people.people, 2);
    const left = compareDumps(empty, await dumpTables(db));
    for (const name of RECOMPUTED) left.delete(name);
    // Facts of what came.
    left.delete("jobs");
    assert.deepEqual([...left], []);
    await settle();
    const { posts } = server.features;
    assert.ok(await posts.find({ guid: whole.theirs.Guid }));
    assert.equal(await posts.find({ id: placed.id }), undefined);
  });
});
