import { httpOriginOf } from "@kith/activitypub";
import type { Db } from "../../../db/db.ts";
import type { PostId } from "../../../features/ids.ts";
import type { People, Person } from "../../../features/people/index.ts";
import type { Post, Posts } from "../../../features/posts/index.ts";
import { DONE, jobKind, type JobHandler } from "../../../jobs/job.ts";
import type { Jobs } from "../../../jobs/jobs.ts";
import { KithError } from "../../../lib/errors.ts";
import { createRateLimit } from "../../../lib/limits/rate-limit.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import type { Uris } from "../records/uris.ts";

/** The job that looks up the unknown participants of a conversation. */
export const FIND_ADDRESSED = jobKind<{ readonly postId: PostId }>(
  "find-addressed",
);

/** When participants whose server did not answer are looked up again. */
const WAITS_MS = [60_000, 600_000, 3_600_000, 6 * 3_600_000];
/** Look-ups of unknown people for one author: as many as a conversation has participants. */
const OF_AUTHOR = { max: 50, windowMs: 600_000 };
/** Those of one server, for all authors together. */
const OF_SERVER = { max: 100, windowMs: 600_000 };

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
    readonly clock: Clock;
    /** @throws {KithError} `unavailable` if its server does not answer */
    readonly askForPerson: (uri: string) => Promise<Person | undefined>;
  },
): JobHandler<{ readonly postId: PostId }> {
  const { people, posts } = deps;
  const ofAuthor = createRateLimit({ ...deps, ...OF_AUTHOR });
  const ofServer = createRateLimit({ ...deps, ...OF_SERVER });
  return async ({ postId }, { job }) => {
    const post = await posts.find({ id: postId });
    if (!post) return DONE;
    const mayAsk = (server: string) =>
      ofServer.take(server) && ofAuthor.take(String(post.personId));
    const isComplete = await addAll(deps, post, async (uri) => {
      const known = await people.find({ uri });
      if (known) return known;
      const server = httpOriginOf(uri);
      if (server === undefined) return null;
      return mayAsk(server) ? ask(deps, uri) : undefined;
    });
    const afterMs = WAITS_MS[job.attempts - 1];
    return isComplete || afterMs === undefined
      ? DONE
      : { kind: "retry", afterMs, reason: "A participant cannot be found" };
  };
}

/** @returns null for a person who does not exist; undefined if the server does not answer */
async function ask(
  { askForPerson }: Parameters<typeof createFindAddressed>[0],
  uri: string,
): Promise<Person | null | undefined> {
  try {
    return (await askForPerson(uri)) ?? null;
  } catch (error) {
    if (error instanceof KithError) return undefined;
    throw error;
  }
}

/**
 * @param find returns undefined for a participant who may be found later
 * @returns false if there is one
 */
async function addAll(
  { posts, uris }: Deps,
  { id, personId, participants }: Post,
  find: (uri: string) => Promise<Person | null | undefined>,
): Promise<boolean> {
  const present = new Set([personId, ...(await posts.listRecipientIds(id))]);
  let isComplete = true;
  for (const uri of participants ?? []) {
    if (uris.isLocal(uri)) continue;
    const person = await find(uri);
    if (person === undefined) isComplete = false;
    else if (person?.userId === null && !present.has(person.id))
      await posts.addRecipient(id, person.id);
  }
  return isComplete;
}
