import type { Viewer } from "../visibility/index.ts";
import { KithError } from "../../lib/errors.ts";
import { parseTag } from "../../lib/markdown/tags.ts";
import type { UserId, UserStreamId } from "../ids.ts";
import type { Page } from "../page.ts";
import type { Author, Post } from "../posts/index.ts";
import { compileExpression } from "./expression.ts";
import {
  followTag,
  getTag,
  MAX_FOLLOWED_TAGS,
  unfollowTag,
} from "./follow-tag.ts";
import {
  deleteSomeFollowedTagsOf,
  findFollowedTag,
  listFollowedTags,
} from "./followed-tag-store.ts";
import { listNamedPeople } from "./people-queries.ts";
import { saveStream, type SaveStreamDeps } from "./save-stream.ts";
import { searchTexts, type SearchDeps } from "./search-texts.ts";
import {
  deleteSomeStreamsOf,
  deleteStream,
  findStream,
  listStreams,
} from "./stream-store.ts";
import {
  splitList,
  type NewUserStream,
  type UserStream,
} from "./user-stream.ts";

export { MAX_FOLLOWED_TAGS } from "./follow-tag.ts";
export { MAX_STREAMS } from "./save-stream.ts";
export type { FollowedTag } from "./followed-tag-store.ts";
export type { NewUserStream, UserStream } from "./user-stream.ts";

type StreamsDeps = SaveStreamDeps & SearchDeps;

/** Streams defined by users, and the tags they follow. */
export type Streams = ReturnType<typeof createStreams>;

export function createStreams(deps: StreamsDeps) {
  const { db, posts } = deps;
  return {
    save: (userId: UserId, stream: NewUserStream) =>
      saveStream(deps, userId, stream),
    list: (userId: UserId, page: Page) => listStreams(db.read, userId, page),
    /** @throws {KithError} `not_found`, also for another user's */
    get: (userId: UserId, id: UserStreamId) => getStream(deps, userId, id),
    /** @throws {KithError} `not_found`, also for another user's */
    remove: (userId: UserId, id: UserStreamId) =>
      db.transaction(async (tx) => {
        if (!(await deleteStream(tx, userId, id)))
          throw new KithError("not_found", "No such stream.");
      }),
    listPosts: (user: Author, id: UserStreamId, page: Page) =>
      listStreamPosts(deps, user, id, page),
    followTag: (userId: UserId, tag: string) => followTag(deps, userId, tag),
    unfollowTag: (userId: UserId, tag: string) =>
      unfollowTag(deps, userId, tag),
    isFollowingTag: async (userId: UserId, tag: string) =>
      (await findFollowedTag(db.read, userId, tag)) !== undefined,
    listFollowedTags: (userId: UserId, page: Page) =>
      listFollowedTags(db.read, userId, page),
    /** Posts with any tag that the user follows. */
    listFollowedPosts: async (user: Author, page: Page) => {
      const whole = { offset: 0, limit: MAX_FOLLOWED_TAGS };
      const followed = await listFollowedTags(db.read, user.userId, whole);
      const tags = followed.map(({ tag }) => tag);
      return posts.listSelected(user, { tags }, page, "home");
    },
    /** Posts with a tag. @throws {KithError} `not_found` for an invalid tag */
    listTagged: (tag: string, viewer: Viewer, page: Page) =>
      posts.listSelected(viewer, { tags: [getTag(tag)] }, page, "public"),
    /**
     * Deletes streams and followed tags of a deleted account.
     * @returns true if more are left
     */
    removeSomeOf: (userId: UserId, limit: number) =>
      db.transaction(async (tx) => {
        const streams = await deleteSomeStreamsOf(tx, userId, limit);
        const tags = await deleteSomeFollowedTagsOf(tx, userId, limit);
        return streams + tags > 0;
      }),
  };
}

async function getStream(
  { db }: StreamsDeps,
  userId: UserId,
  id: UserStreamId,
): Promise<UserStream> {
  const stream = await findStream(db.read, userId, id);
  if (!stream) throw new KithError("not_found", "No such stream.");
  return stream;
}

/**
 * The posts of a stream: with any of its tags, by any of its people, or with a text that
 * the expression matches. The expression searches the newest posts only (see
 * `SEARCH_LIMITS`).
 * @throws {KithError} `not_found`, also for another user's stream
 */
async function listStreamPosts(
  deps: StreamsDeps,
  user: Author,
  id: UserStreamId,
  page: Page,
): Promise<{ readonly posts: Post[]; readonly isCut: boolean }> {
  const { db, posts } = deps;
  const stream = await getStream(deps, user.userId, id);
  const tags = splitList(stream.tags).flatMap((tag) => parseTag(tag) ?? []);
  const people = await listNamedPeople(db.read, splitList(stream.people));
  const { ids, isCut } =
    stream.expression === ""
      ? { ids: [], isCut: false }
      : await searchTexts(
          deps,
          user,
          await compileExpression(stream.expression),
        );
  const selection = { tags: [...new Set(tags)], people, ids };
  return {
    posts: await posts.listSelected(user, selection, page, "home"),
    isCut,
  };
}
