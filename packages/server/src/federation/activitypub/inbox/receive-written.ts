import type { Activity, Note } from "@kith/activitypub";
import type { Person } from "../../../features/people/index.ts";
import type { Jobs } from "../../../jobs/jobs.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import { getObject, readWritten } from "../authority/vouched.ts";
import { receiveEdit } from "../notes/receive-edit.ts";
import { receiveNote, type ReceiveNoteDeps } from "../notes/receive-note.ts";
import { watchThread } from "./watch-thread.ts";
import { receiveVotes, type ReceiveVoteDeps } from "../notes/receive-vote.ts";

export type ReceiveWrittenDeps = ReceiveNoteDeps &
  ReceiveVoteDeps & {
    readonly jobs: Jobs;
    readonly refreshActor: (uri: string) => Promise<Person | undefined>;
  };

/** The Note that an activity contains, or names, and that its sender wrote. */
async function readObject(
  deps: ReceiveNoteDeps,
  { object: ref, raw }: Activity,
  sender: Person,
) {
  const object = ref && (await getObject(deps, ref, sender));
  return readWritten(raw, object, sender);
}

export async function receiveCreate(
  deps: ReceiveWrittenDeps,
  activity: Activity,
  sender: Person,
  recipient: Person | null,
  isWanted: boolean,
): Promise<InboundResult> {
  const votes = await receiveVotes(deps, activity, sender);
  if (votes) return votes;
  const read = await readObject(deps, activity, sender);
  if ("refusal" in read) return done(read.refusal);
  return receiveNote(deps, read.note, sender, recipient, isWanted);
}

/** An older object was either not wanted here or deleted: its edit is ignored (as by Mastodon). */
const OLD_MS = 24 * 3_600_000;

function isOld(
  { clock }: Pick<ReceiveNoteDeps, "clock">,
  { published }: Pick<Note, "published">,
): boolean {
  const ageMs = clock.now().getTime() - Date.parse(published ?? "");
  return ageMs > OLD_MS;
}

/**
 * An Update of the actor itself, whose document is fetched again, or of an object that it wrote.
 */
export async function receiveUpdate(
  deps: ReceiveWrittenDeps,
  activity: Activity,
  sender: Person,
  recipient: Person | null,
  isWanted: boolean,
): Promise<InboundResult> {
  const { object: ref, actor } = activity;
  if (ref?.id === actor) {
    await deps.refreshActor(sender.addresses.actorUri ?? actor);
    return done("profile");
  }
  const read = await readObject(deps, activity, sender);
  if ("refusal" in read) return done("an update of what is not the actor's");
  const { note } = read;
  if (await receiveEdit(deps, note, sender)) {
    await watchThread(deps, note, sender);
    return done("edit");
  }
  // It may overtake the Create of the same object, which is then not old.
  if (isOld(deps, note)) return done("an update of something old and unknown");
  const result = await receiveNote(deps, note, sender, recipient, isWanted);
  if (result.kind === "done") await watchThread(deps, note, sender);
  return result;
}
