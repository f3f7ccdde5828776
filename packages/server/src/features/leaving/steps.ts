import type { Db } from "../../db/db.ts";
import type { Aspects } from "../aspects/index.ts";
import type { Blocks } from "../blocks/index.ts";
import type { Comments } from "../comments/index.ts";
import type { Contacts } from "../contacts/index.ts";
import type { Likes } from "../likes/index.ts";
import type { Notifications } from "../notifications/index.ts";
import type { Posts } from "../posts/index.ts";
import type { LeavingStep } from "./leave-job.ts";

export type LeavingStepsDeps = {
  readonly db: Db;
  readonly aspects: Aspects;
  readonly blocks: Blocks;
  readonly comments: Comments;
  readonly contacts: Contacts;
  readonly likes: Likes;
  readonly notifications: Notifications;
  readonly posts: Posts;
};

/**
 * Everything that a person made here goes, whether it is from here or from
 * elsewhere. Other servers are told once of the whole, not of each thing.
 */
export function createLeavingSteps(deps: LeavingStepsDeps): LeavingStep[] {
  const { db, aspects, blocks, comments, contacts, likes } = deps;
  const { notifications, posts } = deps;
  return [
    {
      name: "notifications",
      run: (leaver, limit) => notifications.removeSomeOf(leaver, limit),
    },
    {
      name: "likes",
      run: ({ personId }, limit) => likes.removeSomeOf(personId, limit),
    },
    {
      name: "comments",
      run: ({ personId }, limit) => comments.removeSomeOf(personId, limit),
    },
    {
      name: "posts",
      run: ({ personId }, limit) =>
        db.transaction(async (tx) => {
          const ids = await posts.listSomeIdsOf(tx, personId, limit);
          await notifications.forgetBelow(tx, ids);
          await posts.removeByIds(tx, ids);
          return ids.length > 0;
        }),
    },
    {
      name: "received",
      run: (leaver, limit) => posts.removeSomeReceivedBy(leaver, limit),
    },
    {
      name: "aspects",
      run: (leaver, limit) => aspects.removeSomeOf(leaver, limit),
    },
    {
      name: "contacts",
      run: (leaver, limit) => contacts.removeSomeOf(leaver, limit),
    },
    {
      name: "distance",
      run: async ({ personId }) => {
        await db.transaction((tx) => blocks.removeAllOf(tx, personId));
        return false;
      },
    },
  ];
}
