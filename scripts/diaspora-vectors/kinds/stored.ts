import {
  parseEntity,
  type Comment,
  type Entity,
  type EventParticipation,
  type Like,
  type PollParticipation,
  type Retraction,
} from "@kith/diaspora";
import { sql } from "kysely";
import { storableText } from "../../../packages/server/src/lib/well-formed.ts";
import { checkConversation, checkMessage } from "./conversations.ts";
import {
  checkContact,
  checkDeletion,
  checkProfile,
  checkSubscription,
} from "./people.ts";
import { checkPhoto, checkPost, checkReshare } from "./posts.ts";
import { compare, find, timeOf, type Accepted, type Row } from "../rows.ts";

/**
 * Whether the server accepts this kind without storing it. Its outcome then begins
 * with `ignored`; for any other entity that is a fault.
 */
export function isUnkept({ entity, outcome }: Accepted): boolean {
  if (!outcome.startsWith("ignored")) return false;
  switch (entity.type) {
    case "photo":
    case "account_migration":
    case "participation":
      return true;
    case "reshare":
      return entity.rootGuid === undefined;
    case "retraction":
      return !["Post", "Comment", "Like"].includes(entity.targetType);
    default:
      return false;
  }
}

/** Parses the payload of a valid vector. */
export function readAccepted(payloadXml: string): Entity {
  return parseEntity(payloadXml);
}

/** The difference between the stored and the sent entity, or undefined. */
export async function checkStored(
  accepted: Accepted,
): Promise<string | undefined> {
  const { entity } = accepted;
  switch (entity.type) {
    case "status_message":
      return checkPost(accepted, entity);
    case "reshare":
      return checkReshare(accepted, entity);
    case "comment":
      return checkComment(accepted, entity);
    case "like":
      return checkLike(accepted, entity);
    case "poll_participation":
      return checkVote(accepted, entity);
    case "event_participation":
      return checkAnswer(accepted, entity);
    case "retraction":
      return checkRetraction(accepted, entity);
    case "profile":
      return checkProfile(accepted, entity);
    case "contact":
      return checkContact(accepted, entity);
    case "participation":
      return checkSubscription(accepted, entity);
    case "account_deletion":
      return checkDeletion(accepted, entity);
    case "photo":
      return checkPhoto(accepted, entity);
    case "conversation":
      return checkConversation(accepted, entity);
    case "message":
      return checkMessage(accepted, entity);
    default:
      // A migration is judged only by its outcome.
      return entity.type === "account_migration"
        ? undefined
        : `nothing is known of how a ${entity.type} is stored`;
  }
}

async function checkComment(
  accepted: Accepted,
  entity: Comment,
): Promise<string | undefined> {
  const row = await find(
    accepted,
    sql<Row>`select comments.*, people.handle as author, posts.guid as parent
      from comments join people on people.id = comments.person_id
      join posts on posts.id = comments.post_id
      where comments.guid = ${entity.guid}`,
  );
  return compare("comment", row, {
    author: entity.author,
    parent: entity.parentGuid,
    text: storableText(entity.text),
    ...timeOf(accepted, entity.createdAt),
  });
}

async function checkLike(
  accepted: Accepted,
  entity: Like,
): Promise<string | undefined> {
  const row = await find(
    accepted,
    sql<Row>`select likes.*, people.handle as author,
      coalesce(comments.guid, posts.guid) as parent
      from likes join people on people.id = likes.person_id
      join posts on posts.id = likes.post_id
      left join comments on comments.id = likes.comment_id
      where likes.guid = ${entity.guid}`,
  );
  return compare("like", row, {
    author: entity.author,
    parent: entity.parentGuid,
    shareable_type: entity.parentType,
    positive: entity.positive,
  });
}

async function checkVote(
  accepted: Accepted,
  entity: PollParticipation,
): Promise<string | undefined> {
  const row = await find(
    accepted,
    sql<Row>`select people.handle as author, polls.guid as parent, poll_answers.guid as answer
      from poll_votes join people on people.id = poll_votes.person_id
      join polls on polls.id = poll_votes.poll_id
      join poll_answers on poll_answers.id = poll_votes.answer_id
      where poll_votes.guid = ${entity.guid}`,
  );
  return compare("vote", row, {
    author: entity.author,
    parent: entity.parentGuid,
    answer: entity.pollAnswerGuid,
  });
}

async function checkAnswer(
  accepted: Accepted,
  entity: EventParticipation,
): Promise<string | undefined> {
  // A repeated answer keeps the first Guid, so the person and the event find it.
  const row = await find(
    accepted,
    sql<Row>`select participations.status from participations
      join people on people.id = participations.person_id
      join events on events.id = participations.event_id
      left join posts on posts.event_id = events.id
      where people.handle = ${entity.author}
        and (events.guid = ${entity.parentGuid} or posts.guid = ${entity.parentGuid})`,
  );
  return compare("answer", row, { status: entity.status });
}

const RETRACTED: Readonly<Record<string, string>> = {
  Post: "posts",
  StatusMessage: "posts",
  Reshare: "posts",
  Comment: "comments",
  Like: "likes",
  Photo: "photos",
  PollParticipation: "poll_votes",
  EventParticipation: "participations",
};

async function checkRetraction(
  accepted: Accepted,
  { targetGuid, targetType }: Retraction,
): Promise<string | undefined> {
  // The old form of unsharing retracts no person.
  if (targetType === "Person") return undefined;
  const table = RETRACTED[targetType];
  if (table === undefined)
    return `nothing is known of how a ${targetType} is retracted`;
  const row = await find(
    accepted,
    sql<Row>`select guid from ${sql.table(table)} where guid = ${targetGuid}`,
  );
  return row && `the ${targetType} is still there`;
}
