import type { Contact, Participation, Profile } from "@kith/diaspora";
import type { ProfileChanges } from "../../../features/people/index.ts";
import { storableText } from "../../../lib/well-formed.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import {
  readEditedAt,
  refused,
  type Arrival,
  type ReceiveContext,
} from "../authority/receive-context.ts";

/** The sender starts or stops sharing with the owner of the endpoint. */
export async function receiveContact(
  { blocks, contacts }: ReceiveContext,
  entity: Contact,
  { sender, owner }: Arrival,
): Promise<InboundResult> {
  if (owner === null || owner.userId === null) return refused("not encrypted");
  const { userId } = owner;
  const blocked = { userId, personId: owner.id };
  await blocks.receive(sender, blocked, entity.blocking);
  if (entity.blocking) return done("blocked");
  const { sharing } = entity;
  switch (await contacts.receiveSharing(userId, sender.id, sharing)) {
    case "refused":
      return refused("by the person");
    case "pending":
      return done("asks to share");
    case "taken":
      return done(sharing ? "shares" : "stopped sharing");
  }
}

/** Updates a profile. A public one leaves the fields for contacts unchanged. */
export async function receiveProfileEntity(
  context: ReceiveContext,
  entity: Profile,
  { sender, owner }: Arrival,
): Promise<InboundResult> {
  const isWhole = owner !== null || entity.public;
  const isUpdated = await context.people.receiveProfile(
    sender.id,
    {
      ...readNames(entity),
      imageUrl: readImage(entity.imageUrl),
      imageUrlMedium: readImage(entity.imageUrlMedium),
      imageUrlSmall: readImage(entity.imageUrlSmall),
      searchable: entity.searchable,
      public: entity.public,
      nsfw: entity.nsfw,
      ...(isWhole ? readDetails(entity) : {}),
    },
    readEditedAt(context, entity.editedAt),
  );
  return done(isUpdated ? "profile updated" : "known");
}

function readNames(entity: Profile): ProfileChanges {
  const firstName = storableText(entity.firstName ?? "").trim();
  const lastName = storableText(entity.lastName ?? "").trim();
  const both = `${firstName} ${lastName}`.trim();
  const fullName = both || storableText(entity.fullName ?? "").trim();
  return { firstName, lastName, fullName };
}

/** A path would refer to this server: only absolute URLs are accepted. */
function readImage(url: string | undefined): string {
  return url !== undefined && /^https?:\/\//i.test(url)
    ? storableText(url)
    : "";
}

function readDetails(entity: Profile): ProfileChanges {
  return {
    bio: storableText(entity.bio ?? ""),
    birthday: entity.birthday ?? null,
    gender: storableText(entity.gender ?? ""),
    location: storableText(entity.location ?? ""),
  };
}

/** The sender has closed the account. */
export async function receiveAccountDeletion(
  { leaving }: ReceiveContext,
  { sender }: Arrival,
): Promise<InboundResult> {
  await leaving.receive(sender.id);
  return done("left");
}

/** The sender's server subscribes to a public post of a local person. */
export async function receiveParticipation(
  { people, posts }: ReceiveContext,
  entity: Participation,
  { sender }: Arrival,
): Promise<InboundResult> {
  const post = await posts.find({ guid: entity.parentGuid });
  const author = post && (await people.find({ id: post.personId }));
  if (!post || author?.userId == null) return refused("no post of ours");
  if (!post.public) return done("ignored: the post is not public");
  // A person blocked by the author may not see the post, nor subscribe to it.
  const viewer = { personId: sender.id, userId: null };
  if (!(await posts.findVisible({ id: post.id }, viewer)))
    return refused("the sender may not see the post");
  await posts.subscribe(post.id, sender.id);
  return done("subscribed");
}
