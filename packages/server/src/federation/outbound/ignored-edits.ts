import type { Comment } from "../../features/comments/index.ts";
import type { Post } from "../../features/posts/index.ts";
import type { Protocol } from "../../db/schema/remote-person.ts";
import { listOutgoingRecipients, type AudienceDeps } from "./audience.ts";
import { chooseDeliveryProtocol } from "./choose-delivery-protocol.ts";
import { findThread } from "./load/find-thread.ts";
import { NO_CONTENT } from "./load/load-post.ts";
import type { LoadDeps } from "./load/deps.ts";
import type { Outgoing } from "./outgoing.ts";

type IgnoredEditsDeps = AudienceDeps &
  Pick<LoadDeps, "comments"> & {
    /** The enabled protocols. */
    readonly protocols: Readonly<Record<Protocol, boolean>>;
  };

/**
 * Tells whether an edit is sent to anyone over diaspora*, where servers keep the first
 * version of posts and comments.
 */
export type IgnoredEdits = ReturnType<typeof createIgnoredEdits>;

export function createIgnoredEdits(deps: IgnoredEditsDeps) {
  const { people, protocols } = deps;
  const isIgnored = async (outgoing: Outgoing): Promise<boolean> => {
    const recipients = await listOutgoingRecipients(deps, outgoing);
    return recipients.some(
      (person) =>
        chooseDeliveryProtocol(protocols, outgoing, person) === "diaspora",
    );
  };
  return {
    ofPost: async (post: Post): Promise<boolean> => {
      const by = await people.find({ id: post.personId });
      const rest = { post, content: NO_CONTENT, photos: [] };
      return by ? isIgnored({ kind: "post_change", by, ...rest }) : false;
    },
    ofComment: async (comment: Comment): Promise<boolean> => {
      const by = await people.find({ id: comment.personId });
      const thread = await findThread(deps, comment.postId);
      if (!by || !thread) return false;
      const below = { parent: null, parentAuthor: null, mentioned: [] };
      const content = { linked: new Map(), photos: [] };
      const about = { comment, isEdit: true, ...content, ...below };
      const quotableBy = "everyone";
      return isIgnored({
        kind: "comment",
        ...{ by, quotableBy, ...about, ...thread },
      });
    },
  };
}
