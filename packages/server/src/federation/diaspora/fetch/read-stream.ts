import { parsePersonStream, personStreamUrl } from "@kith/diaspora";
import type { PersonId, UserId } from "../../../features/ids.ts";
import type { Person } from "../../../features/people/index.ts";
import {
  findProvenSeed,
  guidAtHome,
} from "../../remote-people/proven-origins.ts";
import { DONE, jobKind, type JobHandler } from "../../../jobs/job.ts";
import type { DiasporaDeps } from "../deps.ts";
import type { ReceiveContext } from "../authority/receive-context.ts";

type Found = { readonly personId: PersonId; readonly userId: UserId };

/**
 * The job that fetches the latest public posts of a person found by a search.
 */
export const READ_STREAM = jobKind<Found>("read-stream", { maxAttempts: 3 });

/** As many as a pod lists; a longer list is made up. */
const MAX_POSTS = 15;
const MAX_STREAM_BYTES = 2 * 1024 * 1024;
const TIMEOUT_MS = 25_000;

/**
 * Enqueues fetching a person's latest posts after the first successful search
 * (protocol section 11.3). People on ActivityPub are left out: their posts come
 * that way, and would be stored twice.
 */
export async function notePersonFound(
  { db, jobs, people }: Pick<DiasporaDeps, "db" | "jobs" | "people">,
  person: Person,
  foundBy: UserId,
): Promise<void> {
  const { id, userId, protocol } = person;
  if (userId !== null || protocol !== "diaspora") return;
  if (findProvenSeed(person) === undefined) return;
  await db.transaction(async (tx) => {
    if (!(await people.noteStreamRead(tx, id))) return;
    await jobs.enqueue(tx, READ_STREAM, { personId: id, userId: foundBy });
  });
}

export function createReadStream(context: ReceiveContext): JobHandler<Found> {
  return async ({ personId, userId }, { signal }) => {
    const person = await context.people.find({ id: personId });
    if (person?.state !== "active") return DONE;
    const cause = { userId, personId: null };
    const type = "post";
    for (const guid of await listGuids(context, person)) {
      if (signal.aborted) break;
      if (await context.posts.find({ guid })) continue;
      await context.fetchRemote({
        type,
        guid,
        from: person,
        depth: 0,
        author: person.handle,
        cause,
      });
    }
    return DONE;
  };
}

/**
 * The guids that the person's own server lists as public posts of the person.
 */
async function listGuids(
  { fetch }: ReceiveContext,
  person: Person,
): Promise<string[]> {
  const seed = findProvenSeed(person);
  const guid = guidAtHome(person);
  if (seed === undefined) return [];
  const answer = await fetch.request({
    method: "GET",
    url: personStreamUrl(seed, guid),
    headers: { accept: "application/json" },
    maxBytes: MAX_STREAM_BYTES,
    timeoutMs: TIMEOUT_MS,
    accept2xxOnly: true,
  });
  if (answer.status < 200 || answer.status >= 300) return [];
  const entries = parsePersonStream(new TextDecoder().decode(answer.body));
  const own = entries.filter((it) => it.public && it.authorGuid === guid);
  return [...new Set(own.map((it) => it.guid))].slice(0, MAX_POSTS);
}
