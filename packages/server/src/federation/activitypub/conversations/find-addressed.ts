import type { Db } from "../../../db/db.ts";
import type { PostId } from "../../../features/ids.ts";
import type { People, Person } from "../../../features/people/index.ts";
import type { Post, Posts } from "../../../features/posts/index.ts";
import { DONE, jobKind, type JobHandler } from "../../../jobs/job.ts";
import type { Jobs } from "../../../jobs/jobs.ts";
import type { Uris } from "../records/uris.ts";

/** The job that looks up the unknown participants of a conversation. */
export const FIND_ADDRESSED = jobKind<{ readonly postId: PostId }>(
  "find-addressed",
);

/** When participants who could not be found are looked up again. */
const WAITS_MS = [60_000, 600_000, 3_600_000, 6 * 3_600_000];

type Deps = {
  readonly people: People;
  readonly posts: Posts;
  readonly uris: Uris;
};

/** So that answers reach participants on other servers, too. */
export async function addAddressed(
  deps: Deps & { readonly db: Db; readonly jobs: Pick<Jobs, "enqueue"> },
  post: Post,
): Promise<void> {
  const { db, jobs, people } = deps;
  const isComplete = await addAll(deps, post, (uri) => people.find({ uri }));
  if (isComplete) return;
  await db.transaction((tx) =>
    jobs.enqueue(tx, FIND_ADDRESSED, { postId: post.id }),
  );
}

export function createFindAddressed(
  deps: Deps & {
    readonly discoverActor: (uri: string) => Promise<Person | undefined>;
  },
): JobHandler<{ readonly postId: PostId }> {
  const { people, posts } = deps;
  return async ({ postId }, { job }) => {
    const post = await posts.find({ id: postId });
    if (!post) return DONE;
    const isComplete = await addAll(
      deps,
      post,
      async (uri) => (await people.find({ uri })) ?? deps.discoverActor(uri),
    );
    const afterMs = WAITS_MS[job.attempts - 1];
    return isComplete || afterMs === undefined
      ? DONE
      : { kind: "retry", afterMs, reason: "A participant cannot be found" };
  };
}

/** @returns false if a participant is not found */
async function addAll(
  { posts, uris }: Deps,
  { id, personId, participants }: Post,
  find: (uri: string) => Promise<Person | undefined>,
): Promise<boolean> {
  const present = new Set([personId, ...(await posts.listRecipientIds(id))]);
  let isComplete = true;
  for (const uri of participants ?? []) {
    if (uris.isLocal(uri)) continue;
    const person = await find(uri);
    if (!person) isComplete = false;
    else if (person.userId === null && !present.has(person.id))
      await posts.addRecipient(id, person.id);
  }
  return isComplete;
}
