import { PUBLIC, serialize, withContext } from "@kith/activitypub";
import type { Fact } from "../../../features/facts.ts";
import type { Person } from "../../../features/people/index.ts";
import { timestamp } from "../../../lib/time/clock.ts";
import { loadOutgoing } from "../../outbound/load/load-outgoing.ts";
import type { Outgoing } from "../../outbound/outgoing.ts";
import { contextOf } from "../documents/show-post.ts";
import { renderOutgoingActivity } from "../render/render-outgoing.ts";
import { insertSentActivity } from "../records/sent-activity-store.ts";
import { findAnswersTaken } from "../sending/find-answers-taken.ts";
import type { ClientDeps, Owner } from "./deps.ts";

/**
 * Stores the activity of a fact, so that its id resolves immediately and also
 * without remote recipients. The sent version replaces it later.
 * @param guid of the activity, as derived when it is sent
 * @returns the id of the activity
 */
export async function keepOwn(
  deps: ClientDeps,
  owner: Owner,
  fact: Fact,
  guid: string,
): Promise<string> {
  return keepOutgoing(deps, owner, await loadOutgoing(deps, fact), guid);
}

/** The same for one that is loaded. */
export async function keepOutgoing(
  deps: ClientDeps,
  owner: Owner,
  outgoing: Outgoing | undefined,
  guid: string,
): Promise<string> {
  const { db, clock, uris } = deps;
  const addressees = outgoing ? await listConcerned(deps, outgoing) : [];
  const activity =
    outgoing &&
    renderOutgoingActivity(contextOf(deps), outgoing, {
      author: outgoing.by,
      readers: addressees,
      answersTaken: await findAnswersTaken(deps, outgoing),
    });
  const id = activity?.["id"] ?? uris.activity(guid);
  // Its object may be deleted by now, and then there is nothing to show.
  if (!activity || typeof id !== "string") return uris.activity(guid);
  const { to } = activity;
  const sent = {
    guid,
    personId: owner.personId,
    public: Array.isArray(to) && to.includes(PUBLIC),
    addressees,
    document: serialize(withContext(activity)),
  };
  await db.transaction((tx) =>
    insertSentActivity(tx, sent, timestamp(clock.now())),
  );
  return id;
}

/** The people concerned, or the former audience. */
async function listConcerned(
  { people, uris }: ClientDeps,
  outgoing: Outgoing,
): Promise<string[]> {
  const concerned: Person[] = [];
  if (outgoing.kind === "contact") concerned.push(outgoing.recipient);
  if (outgoing.kind === "post_retraction") {
    const had = await people.listById(outgoing.details.recipients);
    concerned.push(...had.values());
  }
  if ("postAuthor" in outgoing) concerned.push(outgoing.postAuthor);
  return concerned.flatMap((person) => uris.ofPerson(person) ?? []);
}
