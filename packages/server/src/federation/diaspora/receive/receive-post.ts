import type { Reshare, StatusMessage } from "@kith/diaspora";
import type { Reader } from "../../../db/db.ts";
import type { Person } from "../../../features/people/index.ts";
import { findProvenSeedOrigin } from "../../remote-people/proven-origins.ts";
import {
  attachAll,
  readLocation,
  type Post,
} from "../../../features/posts/index.ts";
import { receivedTimestamp } from "../../../lib/time/clock.ts";
import { attachPoll } from "./receive-vote.ts";
import { storableText } from "../../../lib/well-formed.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import { readPhoto, receivePhoto } from "./receive-photo.ts";
import { followLinks } from "../records/follow-links.ts";
import { subscribing } from "../records/participate.ts";
import { readEventEntity } from "./receive-event.ts";
import {
  causeOf,
  findOrDiscover,
  findOwnUri,
  isAdmitted,
  readEditedAt,
  refused,
  resultOf,
  REFUSED_OVER_QUOTA,
  unlessClaimed,
  wait,
  type Arrival,
  type ReceiveContext,
} from "../authority/receive-context.ts";
import { hostOf } from "../render/wire-values.ts";

/**
 * Stores a post, or an edit of a stored one: its sender is its author. The text
 * of a post with photos only is empty.
 */
export async function receiveStatusMessage(
  context: ReceiveContext,
  entity: StatusMessage,
  arrival: Arrival,
): Promise<InboundResult> {
  const { posts, events } = context;
  if (isEmpty(entity)) return refused("neither text nor pictures");
  if (!(await isAdmitted(context, arrival))) return REFUSED_OVER_QUOTA;
  const post = await readPostEntity(context, entity, arrival);
  const { editedAt } = entity.event ?? {};
  const changedAt = readEditedAt(context, editedAt) ?? post.updatedAt;
  const event = entity.event && readEventEntity(entity.event, changedAt);
  const received = event
    ? await events.receivePost(post, event)
    : await posts.receive(post);
  if (received.kind === "stored")
    await followLinks(context, post.text, arrival);
  const isEdit = received.kind === "known" && post.updatedAt !== undefined;
  // The audience never changes: a limited post does not become public.
  return isEdit && received.value.public === entity.public
    ? receiveEdit(context, entity, arrival)
    : resultOf(received);
}

/** Pods refuse such a post as well (protocol section 10.1). */
export function isEmpty({ text = "", photos }: StatusMessage): boolean {
  return text.trim() === "" && photos.length === 0;
}

/** The dependencies of reading a post, none of which fetches. */
export type ReadPostContext = Pick<
  ReceiveContext,
  | "clock"
  | "polls"
  | "contacts"
  | "people"
  | "handleHost"
  | "isAuthorOf"
  | "jobs"
>;

/** Reads the post of a message and its attachments, except the event. */
export async function readPostEntity(
  context: ReadPostContext,
  entity: StatusMessage,
  arrival: Arrival,
) {
  const { sender, owner } = arrival;
  const { clock } = context;
  const { poll } = entity;
  const updatedAt = readEditedAt(context, entity.editedAt);
  const text = storableText(entity.text ?? "");
  const about = { public: entity.public, text };
  return {
    ...common(entity.guid, sender),
    type: "post",
    uri: await findOwnUri(context, entity, sender),
    keepGuid: true,
    public: entity.public,
    text,
    providerName: storableText(entity.providerDisplayName ?? ""),
    rootGuid: null,
    rootPersonId: null,
    createdAt: receivedTimestamp(entity.createdAt, clock.now()),
    ...(updatedAt !== undefined && { updatedAt }),
    recipients: entity.public || owner === null ? [] : [owner.id],
    location: entity.location ? readLocation(entity.location) : null,
    photos: entity.photos.map((photo) => readPhoto(photo, sender)),
    attach: attachAll(
      poll && attachPoll(context, poll),
      await subscribing(context, about, arrival),
    ),
  } as const;
}

/**
 * Applies an edit of text, location and photo descriptions. A poll never
 * changes.
 */
async function receiveEdit(
  context: ReceiveContext,
  entity: StatusMessage,
  arrival: Arrival,
): Promise<InboundResult> {
  const { editedAt: written } = entity;
  const editedAt = readEditedAt(context, written);
  if (written === undefined || editedAt === undefined) return done("known");
  const outcome = await context.posts.receiveEdit({
    guid: entity.guid,
    by: arrival.sender.id,
    text: storableText(entity.text ?? ""),
    editedAt,
    nsfw: false,
    location: entity.location ? readLocation(entity.location) : null,
  });
  if (outcome !== "changed") return done("known");
  for (const photo of entity.photos) {
    const named = { ...photo, statusMessageGuid: entity.guid };
    const dated = { editedAt: written, ...named };
    await receivePhoto(context, dated, arrival);
  }
  return done("edited");
}

/** Stores a reshare, once its post is stored. */
export async function receiveReshare(
  context: ReceiveContext,
  entity: Reshare,
  arrival: Arrival,
): Promise<InboundResult> {
  const { sender } = arrival;
  const { rootGuid, rootAuthor } = entity;
  if (rootGuid === undefined || rootAuthor === undefined)
    return done("ignored: passes on what is gone");
  const root = await findRoot(context, rootGuid, rootAuthor, arrival);
  if (!root)
    return wait("The post that it passes on is not here", {
      name: rootGuid,
      isHere: async (reader) =>
        (await findSigned(context, rootGuid, reader)) !== undefined,
    });
  const author = await context.people.find({ id: root.personId });
  if (author?.handle !== rootAuthor) return refused("the root is another's");
  if (!root.public) return refused("the root is not public");
  if (!(await isAdmitted(context, arrival))) return REFUSED_OVER_QUOTA;
  return resultOf(
    await context.posts.receive({
      ...common(entity.guid, sender),
      type: "reshare",
      public: true,
      text: "",
      providerName: "",
      // For a reshare of a reshare, the original post counts.
      rootGuid: root.rootGuid ?? root.guid,
      rootPersonId: root.rootPersonId ?? root.personId,
      createdAt: receivedTimestamp(entity.createdAt, context.clock.now()),
      recipients: [],
      attach: attachAll(
        await subscribing(context, { public: true, text: "" }, arrival),
      ),
    }),
  );
}

function common(guid: string, author: Person) {
  const origin = findProvenSeedOrigin(author);
  return {
    guid,
    personId: author.id,
    listed: true,
    uri: null,
    // Pages show this URL as that of the original.
    url: origin === undefined ? null : `${origin}/posts/${guid}`,
  };
}

async function findRoot(
  context: ReceiveContext,
  guid: string,
  authorHandle: string,
  arrival: Arrival,
): Promise<Post | undefined> {
  const known = await findSigned(context, guid);
  if (known) return known;
  const { sender, depth } = arrival;
  const source = hostOf(sender.handle);
  const from = await findOrDiscover(context, authorHandle, source);
  if (!from) return undefined;
  const cause = causeOf(arrival);
  await context.fetchRemote({ type: "post", guid, from, depth, cause });
  return findSigned(context, guid);
}

async function findSigned(
  context: ReceiveContext,
  guid: string,
  reader?: Reader,
): Promise<Post | undefined> {
  const found = await context.posts.find({ guid }, reader);
  return unlessClaimed(context, found, reader);
}
