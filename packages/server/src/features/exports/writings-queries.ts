import type { Reader } from "../../db/db.ts";
import type { SignedIn } from "../accounts/index.ts";
import type { CommentId, PostId } from "../ids.ts";
import { loadList } from "../stored-list.ts";
import type { Keyed } from "./export-file.ts";
import { pageAfter } from "./page-after.ts";

/** Posts with the handles of a limited post's recipients, and with their polls. */
export async function listExportedPosts(
  reader: Reader,
  { personId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("posts")
    .leftJoin("people as root", "root.id", "posts.root_person_id")
    .leftJoin("events", "events.id", "posts.event_id")
    .leftJoin("quotes", "quotes.post_id", "posts.id")
    .selectAll("posts")
    .select([
      "root.handle as root_author",
      "events.guid as event_guid",
      "quotes.quoted_guid",
      "quotes.state as quote_state",
    ])
    .where("posts.person_id", "=", personId)
    .$call(pageAfter("posts.id", afterId, limit))
    .execute();
  const recipients = await listRecipients(
    reader,
    rows.filter((row) => !Boolean(row.public)).map(({ id }) => id),
  );
  const polls = await listPolls(
    reader,
    rows.map(({ id }) => id),
  );
  const earlier = await listEarlierTexts(
    reader,
    "post_id",
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    key: row.id,
    record: {
      guid: row.guid,
      type: row.type,
      text: row.text,
      earlierTexts: earlier.get(row.id) ?? [],
      public: Boolean(row.public),
      listed: Boolean(row.listed),
      limitedTo: row.limited_to,
      aspects: loadList(row.audience_aspects).map(({ name }) => name),
      nsfw: Boolean(row.nsfw),
      warning: row.warning,
      language: row.language,
      location:
        row.location_lat === null
          ? null
          : {
              address: row.location_address,
              lat: row.location_lat,
              lng: row.location_lng,
            },
      recipients: recipients.get(row.id) ?? [],
      rootGuid: row.root_guid,
      rootAuthor: row.root_author,
      ...(row.quote_state !== null && {
        quotedGuid: row.quoted_guid,
        quoteState: row.quote_state,
      }),
      eventGuid: row.event_guid,
      poll: polls.get(row.id) ?? null,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    },
  }));
}

/** The versions of posts or comments before they were edited, oldest first. */
async function listEarlierTexts(
  reader: Reader,
  column: "post_id" | "comment_id",
  ids: readonly (PostId | CommentId)[],
): Promise<Map<number, object[]>> {
  if (ids.length === 0) return new Map();
  const query = reader
    .selectFrom("text_versions")
    .select([`${column} as of`, "text", "warning", "photos", "written_at"])
    .where(column, "in", ids)
    .orderBy("id");
  const rows = await (
    column === "post_id" ? query.where("comment_id", "is", null) : query
  ).execute();
  const found = new Map<number, object[]>();
  for (const [id, group] of Map.groupBy(rows, (row) => row.of))
    if (id !== null)
      found.set(
        id,
        group.map(({ text, warning, photos, written_at: writtenAt }) => ({
          ...{ text, warning, photos: loadList(photos), writtenAt },
        })),
      );
  return found;
}

async function listRecipients(
  reader: Reader,
  postIds: readonly PostId[],
): Promise<Map<number, string[]>> {
  const found = new Map<number, string[]>();
  if (postIds.length === 0) return found;
  const rows = await reader
    .selectFrom("post_recipients")
    .innerJoin("people", "people.id", "post_recipients.person_id")
    .select(["post_recipients.post_id", "people.handle"])
    .where("post_recipients.post_id", "in", postIds)
    .orderBy("people.id")
    .execute();
  for (const [id, group] of Map.groupBy(rows, (row) => row.post_id))
    found.set(
      id,
      group.map(({ handle }) => handle),
    );
  return found;
}

/** The polls of posts with the votes for each answer; the voters stay private. */
async function listPolls(
  reader: Reader,
  postIds: readonly PostId[],
): Promise<Map<number, object>> {
  if (postIds.length === 0) return new Map();
  const rows = await reader
    .selectFrom("polls")
    .innerJoin("poll_answers", "poll_answers.poll_id", "polls.id")
    .leftJoin("poll_votes", "poll_votes.answer_id", "poll_answers.id")
    .select([
      "polls.post_id",
      "polls.guid",
      "polls.question",
      "polls.multiple",
      "polls.ends_at",
      "polls.hides_totals",
      "poll_answers.id as answer_id",
      "poll_answers.guid as answer_guid",
      "poll_answers.text",
      (eb) => eb.fn.count<number>("poll_votes.id").as("votes"),
    ])
    .where("polls.post_id", "in", postIds)
    .groupBy(["polls.id", "poll_answers.id"])
    .orderBy("poll_answers.id")
    .execute();
  const byPost = Map.groupBy(rows, (row) => row.post_id);
  return new Map(
    [...byPost].flatMap(([postId, answers]) =>
      answers.slice(0, 1).map(({ guid, question, multiple, ...row }) => [
        postId,
        {
          guid,
          question,
          multiple: Boolean(multiple),
          endsAt: row.ends_at,
          hidesTotals: Boolean(row.hides_totals),
          answers: answers.map(({ answer_guid, text, votes }) => ({
            guid: answer_guid,
            text,
            votes: Number(votes),
          })),
        },
      ]),
    ),
  );
}

/** The post of a comment is identified, without its content. */
export async function listExportedComments(
  reader: Reader,
  { personId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("comments")
    .innerJoin("posts", "posts.id", "comments.post_id")
    .innerJoin("people as author", "author.id", "posts.person_id")
    .selectAll("comments")
    .select(["posts.guid as post_guid", "author.handle as post_author"])
    .where("comments.person_id", "=", personId)
    .$call(pageAfter("comments.id", afterId, limit))
    .execute();
  const earlier = await listEarlierTexts(
    reader,
    "comment_id",
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    key: row.id,
    record: {
      guid: row.guid,
      text: row.text,
      warning: row.warning,
      language: row.language,
      earlierTexts: earlier.get(row.id) ?? [],
      postGuid: row.post_guid,
      postAuthor: row.post_author,
      parentGuid: row.parent_guid,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    },
  }));
}

export async function listExportedLikes(
  reader: Reader,
  { personId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("likes")
    .innerJoin("posts", "posts.id", "likes.post_id")
    .innerJoin("people as author", "author.id", "posts.person_id")
    .leftJoin("comments", "comments.id", "likes.comment_id")
    .selectAll("likes")
    .select([
      "posts.guid as post_guid",
      "author.handle as post_author",
      "comments.guid as comment_guid",
    ])
    .where("likes.person_id", "=", personId)
    .$call(pageAfter("likes.id", afterId, limit))
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: {
      guid: row.guid,
      positive: Boolean(row.positive),
      postGuid: row.post_guid,
      postAuthor: row.post_author,
      commentGuid: row.comment_guid,
      createdAt: row.created_at,
    },
  }));
}

/** Reactions that the user gave before moving to this server. */
export async function listExportedReactions(
  reader: Reader,
  { personId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("reactions")
    .innerJoin("posts", "posts.id", "reactions.post_id")
    .leftJoin("comments", "comments.id", "reactions.comment_id")
    .selectAll("reactions")
    .select(["posts.guid as post_guid", "comments.guid as comment_guid"])
    .where("reactions.person_id", "=", personId)
    .$call(pageAfter("reactions.id", afterId, limit))
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: {
      emoji: row.emoji,
      postGuid: row.post_guid,
      commentGuid: row.comment_guid,
      createdAt: row.created_at,
    },
  }));
}

/** The poll is identified, without its content. */
export async function listExportedVotes(
  reader: Reader,
  { personId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("poll_votes")
    .innerJoin("polls", "polls.id", "poll_votes.poll_id")
    .innerJoin("poll_answers", "poll_answers.id", "poll_votes.answer_id")
    .innerJoin("posts", "posts.id", "polls.post_id")
    .innerJoin("people as author", "author.id", "posts.person_id")
    .selectAll("poll_votes")
    .select([
      "polls.guid as poll_guid",
      "poll_answers.guid as answer_guid",
      "posts.guid as post_guid",
      "author.handle as post_author",
    ])
    .where("poll_votes.person_id", "=", personId)
    .$call(pageAfter("poll_votes.id", afterId, limit))
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: {
      guid: row.guid,
      pollGuid: row.poll_guid,
      answerGuid: row.answer_guid,
      postGuid: row.post_guid,
      postAuthor: row.post_author,
      createdAt: row.created_at,
    },
  }));
}
