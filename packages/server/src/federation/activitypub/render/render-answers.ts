import {
  buildActivity,
  buildAttendance,
  buildJoin,
  buildLeave,
  buildVote,
  type JsonObject,
} from "@kith/activitypub";
import type { ParticipationStatus } from "../../../features/participations/index.ts";
import { usernameOf, type Person } from "../../../features/people/index.ts";
import { isRootHere, type Outgoing } from "../../outbound/outgoing.ts";
import { derivedGuid, type Uris } from "../records/uris.ts";
import type { RenderContext } from "./note-parts.ts";

type Of<K extends Outgoing["kind"]> = Extract<Outgoing, { kind: K }>;

/** How the server of an event takes answers. */
export type AnswersTaken = {
  readonly words: "attendance" | "either" | "join" | "nothing";
  /** Was the attendance announced already? */
  readonly isJoined: boolean;
};

/**
 * Renders a local person's vote in a remote poll, for the author of the poll alone.
 * @returns undefined for a vote in a local poll: of those the counts are announced
 */
export function renderVoteNote(
  { uris }: RenderContext,
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
 * Renders a local person's attendance in the types that the event's server understands.
 * @returns undefined where that server understands none
 */
export function renderEventAnswer(
  { uris }: RenderContext,
  author: Person,
  { answer, post, postAuthor }: Of<"event_answer">,
  { words, isJoined }: AnswersTaken,
): JsonObject | undefined {
  const event = uris.ofPost(post, postAuthor);
  const organizer = uris.ofPerson(postAuthor);
  if (event === null || organizer === null) return undefined;
  const act = {
    actor: uris.actor(usernameOf(author)),
    event,
    organizer,
    // Every viewer of a public event sees its attendees.
    isPublic: post.public,
  };
  const joins = words === "join" || words === "either";
  if (joins && answer.status === "accepted")
    // Mobilizon identifies a participation by the id of its Join: it stays the same.
    return buildJoin({ ...act, ...named(uris, answer.guid) });
  const change = `${answer.guid}:${answer.status}:${answer.updatedAt}`;
  const names = named(uris, derivedGuid("answer", change));
  if (words === "attendance" || words === "either")
    return buildAttendance({
      ...act,
      ...names,
      answer: ATTENDANCE[answer.status],
    });
  return joins && isJoined ? buildLeave({ ...act, ...names }) : undefined;
}

function named(uris: Uris, guid: string): { id: string; guid: string } {
  return { id: uris.activity(guid), guid };
}
