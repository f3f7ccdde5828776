import type { Note } from "@kith/activitypub";
import type { Db } from "../../../db/db.ts";
import type { PostId } from "../../../features/ids.ts";
import type { Person } from "../../../features/people/index.ts";
import { jobKind } from "../../../jobs/job.ts";
import type { Jobs } from "../../../jobs/jobs.ts";
import { isOfServer } from "../authority/origins.ts";
import { findKnown } from "../records/objects.ts";
import type { ReceiveNoteDeps } from "../notes/receive-note.ts";

export type ThreadToRead = {
  readonly postId: PostId;
  /**
   * The collections that its server names: the replies, and the whole
   * conversation.
   */
  readonly uris: readonly string[];
};

/** The job that reads the thread of a remote post. */
export const READ_THREAD = jobKind<ThreadToRead>("read-thread");

/** Enqueues reading the thread of a post, if its author's server offers one. */
export async function watchThread(
  deps: ReceiveNoteDeps & { readonly db: Db; readonly jobs: Jobs },
  note: Note,
  author: Person,
): Promise<void> {
  const known = await findKnown(deps, note.id);
  if (known?.kind !== "post" || known.post.personId !== author.id) return;
  const uris = [note.replies, note.context].filter(
    (uri): uri is string => uri !== undefined && isOfServer(uri, note.id),
  );
  if (uris.length === 0) return;
  const { id: postId } = known.post;
  const lane = `read-thread:${postId}`;
  await deps.db.transaction((tx) =>
    deps.jobs.enqueueUnlessWaiting(tx, READ_THREAD, { postId, uris }, { lane }),
  );
}
