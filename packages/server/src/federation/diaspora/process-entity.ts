import type { Entity } from "@kith/diaspora";
import type { InboundResult } from "../inbound/inbound.ts";
import { receiveEventParticipation } from "./receive/receive-answer.ts";
import {
  receiveAccountDeletion,
  receiveContact,
  receiveParticipation,
  receiveProfileEntity,
} from "./receive/receive-person.ts";
import {
  receiveConversation,
  receiveMessage,
} from "./receive/receive-conversation.ts";
import { receiveMigration } from "./migration/receive-migration.ts";
import { receivePhoto } from "./receive/receive-photo.ts";
import {
  receiveReshare,
  receiveStatusMessage,
} from "./receive/receive-post.ts";
import { receiveComment, receiveLike } from "./receive/receive-relayable.ts";
import { receiveVote } from "./receive/receive-vote.ts";
import { receiveRetraction } from "./receive/receive-retraction.ts";
import {
  refused,
  type Arrival,
  type ReceiveContext,
} from "./authority/receive-context.ts";
import { hostOf } from "./render/wire-values.ts";
import {
  isAcceptedFromSender,
  refuseEndpoint,
  refuseForeignAuthor,
} from "./authority/sender-rules.ts";

/** Applies the entity of a verified envelope, if its sender is authorized. */
export async function processEntity(
  context: ReceiveContext,
  entity: Entity,
  arrival: Arrival,
): Promise<InboundResult> {
  if (!isAcceptedFromSender(arrival.sender, entity))
    return refused("its sender is suspended");
  const refusal = refuseEndpoint(entity, arrival.owner?.handle ?? null);
  if (refusal !== undefined) return refused(refusal);
  // The author's server counts, also for relayed entities. The author named by
  // a retraction says nothing.
  const author =
    "author" in entity && entity.type !== "retraction"
      ? entity.author
      : arrival.sender.handle;
  if (!(await context.hostPolicies.isHostAllowed(hostOf(author))))
    return refused("its author's server is blocked");
  switch (entity.type) {
    case "comment":
      return receiveComment(context, entity, arrival);
    case "like":
      return receiveLike(context, entity, arrival);
    case "poll_participation":
      return receiveVote(context, entity, arrival);
    case "event_participation":
      return receiveEventParticipation(context, entity, arrival);
    case "retraction":
      return receiveRetraction(context, entity, arrival);
    case "status_message":
    case "photo":
    case "reshare":
    case "contact":
    case "profile":
    case "participation":
    case "account_deletion":
    case "account_migration":
    case "conversation":
    case "message":
      return processAuthored(context, entity, arrival);
    // Entities that occur only within others.
    default:
      return refused("no message of its own");
  }
}

type Authored = Extract<
  Entity,
  {
    type:
      | "status_message"
      | "photo"
      | "reshare"
      | "contact"
      | "profile"
      | "participation"
      | "account_deletion"
      | "account_migration"
      | "conversation"
      | "message";
  }
>;

async function processAuthored(
  context: ReceiveContext,
  entity: Authored,
  arrival: Arrival,
): Promise<InboundResult> {
  const refusal = refuseForeignAuthor(entity, arrival.sender.handle);
  if (refusal !== undefined) return refused(refusal);
  switch (entity.type) {
    case "status_message":
      return receiveStatusMessage(context, entity, arrival);
    case "photo":
      return receivePhoto(context, entity, arrival);
    case "reshare":
      return receiveReshare(context, entity, arrival);
    case "contact":
      return receiveContact(context, entity, arrival);
    case "profile":
      return receiveProfileEntity(context, entity, arrival);
    case "participation":
      return receiveParticipation(context, entity, arrival);
    case "account_deletion":
      return receiveAccountDeletion(context, arrival);
    case "account_migration":
      return receiveMigration(context, entity, arrival);
    case "conversation":
      return receiveConversation(context, entity, arrival);
    case "message":
      return receiveMessage(context, entity, arrival);
  }
}
