import { sql, type RawBuilder, type SqlBool } from "kysely";

type Condition = RawBuilder<SqlBool>;

/** Of the person whose id is in this column. */
const isHere = (personId: string): Condition =>
  sql`exists (select 1 from people as here
    where here.id = ${sql.ref(personId)} and here.user_id is not null)`;

const hasRow = (table: string): Condition =>
  sql`exists (select 1 from ${sql.table(table)} as row_of
    where row_of.post_id = posts.id)`;

const hasRowOfOneHere = (table: string): Condition =>
  sql`exists (select 1 from ${sql.table(table)} as row_of
    where row_of.post_id = posts.id and ${isHere("row_of.person_id")})`;

const hasNotification = (table: string): Condition =>
  sql`exists (select 1 from ${sql.table(table)} as below
    join notifications on notifications.shareable_guid = below.guid
    where below.post_id = posts.id)`;

/**
 * The ties between a remote post, as `posts`, and people here, or what they read. One of
 * them keeps it. Followed tags and authors are none: they decide which rule holds.
 * @param since the first comment id of the time in which a thread counts as going on
 */
export function listTies(since: number): Readonly<Record<string, Condition>> {
  return {
    limited: sql`not posts.public`,
    addressed: hasRowOfOneHere("post_recipients"),
    pinned: sql`posts.pinned_at is not null`,
    withEvent: sql`posts.event_id is not null`,
    subscribed: hasRowOfOneHere("post_subscribers"),
    commented: hasRowOfOneHere("comments"),
    goingOn: sql`exists (select 1 from comments as recent
      where recent.post_id = posts.id and recent.id >= ${since})`,
    liked: hasRowOfOneHere("likes"),
    reactedTo: hasRowOfOneHere("reactions"),
    voted: sql`exists (select 1 from polls
      join poll_votes on poll_votes.poll_id = polls.id
      where polls.post_id = posts.id and ${isHere("poll_votes.person_id")})`,
    mentions: hasRowOfOneHere("text_mentions"),
    // Of anybody: the reshares that nobody needs go first.
    reshared: sql`exists (select 1 from posts as reshare
      where reshare.root_guid = posts.guid)`,
    resharesOneHere: sql`(posts.root_person_id is not null
      and ${isHere("posts.root_person_id")})`,
    quoted: sql`exists (select 1 from quotes
      where quotes.quoted_guid = posts.guid)`,
    quotesOneHere: sql`exists (select 1 from quotes
      join posts as quoted on quoted.guid = quotes.quoted_guid
      where quotes.post_id = posts.id and ${isHere("quoted.person_id")})`,
    bookmarked: hasRow("bookmarks"),
    hidden: hasRow("hidden_posts"),
    muted: hasRow("muted_posts"),
    conversation: hasRow("conversation_readers"),
    unread: hasRow("unread_messages"),
    deliveredFromHere: hasRow("delivery_receipts"),
    pictureHere: sql`exists (select 1 from photos
      where photos.post_id = posts.id and photos.storage_key is not null)`,
    notified: sql`exists (select 1 from notifications
      where notifications.shareable_guid = posts.guid)`,
    notifiedOfComment: hasNotification("comments"),
    notifiedOfLike: hasNotification("likes"),
    reported: sql`exists (select 1 from reports
      where reports.target_guid = posts.guid)`,
    commentReported: sql`exists (select 1 from comments as below
      join reports on reports.target_guid = below.guid
      where below.post_id = posts.id)`,
  };
}

/** Is it in somebody's home: by an author with a contact here, or with a followed tag? */
export function isFollowed(): Condition {
  return sql`(exists (select 1 from contacts
      where contacts.person_id = posts.person_id)
    or exists (select 1 from post_tags
      where post_tags.post_id = posts.id
        and post_tags.tag in (select tag from followed_tags)))`;
}
