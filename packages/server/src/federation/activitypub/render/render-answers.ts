import {
  buildActivity,
  buildAttendance,
  buildJoin,
  buildLeave,
  buildVote,
  type JsonObject,
} from "@kith/activitypub";
import type { Db } from "../../../db/db.ts";
import type { ParticipationStatus } from "../../../features/participations/index.ts";
import { usernameOf, type Person } from "../../../features/people/index.ts";
import { isRootHere, type Outgoing } from "../../outbound/outgoing.ts";
import {
  findRemoteEvent,
  type AnsweredBy,
} from "../records/remote-event-store.ts";
import { findSentActivity } from "../records/sent-activity-store.ts";
import { derivedGuid, type Uris } from "../records/uris.ts";

type Of<K extends Outgoing["kind"]> = Extract<Outgoing, { kind: K }>;

type AnswerDeps = { readonly db: Db; readonly uris: Uris };

/**
 * The vote of a person here in a poll elsewhere, for the author of the poll alone.
 * @returns undefined for a vote in a poll of ours: of those the counts are told
 */
export function renderVote(
  { uris }: Pick<AnswerDeps, "uris">,
  author: Person,
  outgoing: Of<"vote">,
): JsonObject | undefined {
  const { vote, poll, post, postAuthor } = outgoing;
  const question = uris.ofPost(post, postAuthor);
  const asker = uris.ofPerson(postAuthor);
  const option = poll.answers.find(({ guid }) => guid === vote.answerGuid);
  if (isRootHere(outgoing) || question === null || asker === null || !option)
    return undefined;
  const voter = uris.actor(usernameOf(author));
  const { guid } = vote;
  return buildActivity({
    id: uris.activity(guid),
    type: "Create",
    actor: voter,
    object: buildVote({
      id: uris.object(guid),
      voter,
      question,
      option: option.text,
      author: asker,
    }),
    to: [asker],
    guid,
  });
}

const ATTENDANCE = {
  accepted: "Accept",
  tentative: "TentativeAccept",
  declined: "Reject",
} as const satisfies Record<ParticipationStatus, string>;

/**
 * Whether a person here comes to an event, in the words of the event's server.
 * @returns undefined where that server would understand none
 */
export async function renderEventAnswer(
  deps: AnswerDeps,
  author: Person,
  outgoing: Of<"event_answer">,
): Promise<JsonObject | undefined> {
  const { uris, db } = deps;
  const { answer, post, postAuthor } = outgoing;
  const event = uris.ofPost(post, postAuthor);
  const organizer = uris.ofPerson(postAuthor);
  if (event === null || organizer === null) return undefined;
  const act = {
    actor: uris.actor(usernameOf(author)),
    event,
    organizer,
    // Whoever sees a public event sees who comes.
    isPublic: post.public,
  };
  const answeredBy = await findWords(deps, outgoing);
  const joins = answeredBy === "join" || answeredBy === "either";
  if (joins && answer.status === "accepted")
    // Mobilizon knows a participation by the id of its Join: it stays the same.
    return buildJoin({ ...act, ...named(uris, answer.guid) });
  const change = `${answer.guid}:${answer.status}:${answer.updatedAt}`;
  const names = named(uris, derivedGuid("answer", change));
  if (answeredBy === "attendance" || answeredBy === "either")
    return buildAttendance({
      ...act,
      ...names,
      answer: ATTENDANCE[answer.status],
    });
  const joined = joins && (await findSentActivity(db.read, answer.guid));
  return joined ? buildLeave({ ...act, ...names }) : undefined;
}

/** Of events of ours others are told in the words that say all three. */
async function findWords(
  { db }: AnswerDeps,
  outgoing: Of<"event_answer">,
): Promise<AnsweredBy> {
  if (isRootHere(outgoing)) return "attendance";
  const known = await findRemoteEvent(db.read, outgoing.event.id);
  return known?.answeredBy ?? "nothing";
}

function named(uris: Uris, guid: string): { id: string; guid: string } {
  return { id: uris.activity(guid), guid };
}
