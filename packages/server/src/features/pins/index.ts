import type { Db } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { KithError } from "../../lib/errors.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import type { Facts } from "../facts.ts";
import type { PersonId, PostId } from "../ids.ts";
import type { Author, Post, Posts } from "../posts/index.ts";
import type { Viewer } from "../visibility/index.ts";
import { countPinned, listPinnedIds } from "./pin-queries.ts";

/** As many as Mastodon shows of a person. */
export const MAX_PINS = 5;

export type PinsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly facts: Facts;
  readonly posts: Pick<Posts, "find" | "listById" | "setPin">;
};

/** The posts that people show above all others of theirs. */
export type Pins = ReturnType<typeof createPins>;

export function createPins(deps: PinsDeps) {
  const { db, posts } = deps;
  return {
    /**
     * Pins a post of the author. Doing so again changes nothing.
     * @throws {KithError} `not_found` for another person's post; `bad_request` for a reshare, a
     *   conversation or one post too many
     */
    add: (author: Author, id: PostId) => changePin(deps, author, id, true),
    /** @throws {KithError} `not_found` for another person's post */
    remove: (author: Author, id: PostId) => changePin(deps, author, id, false),
    /** Lists a person's pinned posts that the viewer may see, newest pin first, 20 at most. */
    listOf: async (personId: PersonId, viewer: Viewer): Promise<Post[]> => {
      const ids = await listPinnedIds(db.read, personId, viewer);
      const found = await posts.listById(ids, viewer);
      const byId = new Map(found.map((post) => [post.id, post]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
  };
}

function changePin(
  { db, clock, facts, posts }: PinsDeps,
  { personId }: Author,
  id: PostId,
  isPinned: boolean,
): Promise<Post> {
  return db.transaction(async (tx) => {
    await lockKey(tx, db.dialect, `pins:${personId}`);
    const post = await posts.find({ id }, tx);
    if (post?.personId !== personId)
      throw new KithError("not_found", "No such post.");
    if ((post.pinnedAt !== null) === isPinned) return post;
    if (isPinned) {
      if (post.type !== "post")
        throw new KithError("bad_request", "A reshare cannot be pinned.");
      if (post.participants !== null)
        throw new KithError("bad_request", "A conversation cannot be pinned.");
      if ((await countPinned(tx, personId)) >= MAX_PINS)
        throw new KithError(
          "bad_request",
          `You have as many pinned posts as you can have: ${MAX_PINS}.`,
        );
    }
    const at = timestamp(clock.now());
    await posts.setPin(tx, id, isPinned ? at : null);
    await facts.record(tx, {
      type: "pin.changed",
      ...{ postId: id, isPinned, at, by: personId },
    });
    return { ...post, pinnedAt: isPinned ? at : null };
  });
}
