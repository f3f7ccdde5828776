import {
  idOf,
  type Activity,
  type JsonObject,
  type Note,
} from "@kith/activitypub";
import type { Person } from "../../../features/people/index.ts";
import type { Jobs } from "../../../jobs/jobs.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import { learnActor, type LearnActorDeps } from "../actors/learn-actor.ts";
import { isOfServer } from "../authority/origins.ts";
import { getObject, readWritten } from "../authority/vouched.ts";
import { receiveEdit } from "../notes/receive-edit.ts";
import { receiveNote, type ReceiveNoteDeps } from "../notes/receive-note.ts";
import { watchThread } from "./watch-thread.ts";
import { receiveVotes, type ReceiveVoteDeps } from "../notes/receive-vote.ts";

export type ReceiveWrittenDeps = ReceiveNoteDeps &
  LearnActorDeps &
  ReceiveVoteDeps & {
    readonly jobs: Jobs;
    readonly refreshActor: (uri: string) => Promise<Person | undefined>;
  };

type Authored =
  | { readonly note: Note; readonly author: Person }
  | { readonly refusal: string };

/** The Note that an activity contains, or names, and that its sender wrote, also for a group. */
async function readObject(
  deps: ReceiveWrittenDeps,
  { object: ref, raw }: Activity,
  sender: Person,
): Promise<Authored> {
  const object = ref && (await getObject(deps, ref, sender));
  const read = readWritten(raw, object, sender);
  if ("note" in read) return { note: read.note, author: sender };
  const group = object && (await findGroup(deps, object, sender));
  const ofGroup = group && readWritten(raw, object, group);
  return ofGroup && "note" in ofGroup
    ? { note: ofGroup.note, author: group }
    : read;
}

/**
 * Finds the group that an object belongs to, where its server says that the sender wrote it there:
 * Mobilizon sends the events of a group so.
 * @param object fetched from its own id, since its author is not the sender
 */
async function findGroup(
  deps: ReceiveWrittenDeps,
  object: JsonObject,
  sender: Person,
): Promise<Person | undefined> {
  const actorUri = sender.addresses.actorUri ?? "";
  const groupUri = idOf(object["attributedTo"]);
  if (groupUri === undefined || idOf(object["actor"]) !== actorUri)
    return undefined;
  if (!isOfServer(groupUri, actorUri)) return undefined;
  const group = await deps.discoverActor(groupUri);
  if (group?.state !== "active") return undefined;
  return (await learnActor(deps, group))?.type === "Group" ? group : undefined;
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
  const { note, author } = read;
  return receiveNote(deps, note, author, recipient, isWanted);
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
  const { note, author } = read;
  if (await receiveEdit(deps, note, author)) {
    await watchThread(deps, note, author);
    return done("edit");
  }
  // It may overtake the Create of the same object, which is then not old.
  if (isOld(deps, note)) return done("an update of something old and unknown");
  const result = await receiveNote(deps, note, author, recipient, isWanted);
  if (result.kind === "done") await watchThread(deps, note, author);
  return result;
}
