import type { Photo, Reshare, StatusMessage } from "@kith/diaspora";
import type { Person } from "../../features/people/index.ts";
import type { Post, ReceivedPhoto } from "../../features/posts/index.ts";
import { receivedTimestamp } from "../../lib/clock.ts";
import { attachPoll } from "./receive-vote.ts";
import { storableText } from "../../lib/well-formed.ts";
import { done, type InboundResult } from "../inbound/inbound.ts";
import { readEvent } from "./receive-event.ts";
import {
  findOrDiscover,
  refused,
  resultOf,
  wait,
  type Arrival,
  type ReceiveContext,
} from "./receive-context.ts";

/** Stores a post: its sender is its author. Of a post of pictures alone the text is empty. */
export async function receiveStatusMessage(
  context: ReceiveContext,
  entity: StatusMessage,
  arrival: Arrival,
): Promise<InboundResult> {
  const { posts, events } = context;
  const post = readStatusMessage(context, entity, arrival);
  const event = entity.event && readEvent(entity.event);
  return resultOf(
    event ? await events.receivePost(post, event) : await posts.receive(post),
  );
}

/** The post that a message is. Its event stands apart. */
export function readStatusMessage(
  deps: Pick<ReceiveContext, "clock" | "polls">,
  entity: StatusMessage,
  { sender, owner }: Omit<Arrival, "depth">,
) {
  const { poll } = entity;
  return {
    ...common(entity.guid, sender),
    type: "StatusMessage",
    public: entity.public,
    text: storableText(entity.text ?? ""),
    providerName: storableText(entity.providerDisplayName ?? ""),
    rootGuid: null,
    rootPersonId: null,
    createdAt: receivedTimestamp(entity.createdAt, deps.clock.now()),
    recipients: entity.public || owner === null ? [] : [owner.id],
    photos: entity.photos.map((photo) => toPhoto(photo, sender)),
    ...(poll && { attach: attachPoll(deps, poll) }),
  } as const;
}

/** Pods show a picture's smaller sizes by what they put before its name. */
function toPhoto(photo: Photo, { addresses }: Person): ReceivedPhoto {
  const { guid, text, width, height, remotePhotoPath } = photo;
  const path = URL.parse(remotePhotoPath, addresses.seedLocation ?? undefined);
  const fileUrl = (prefix: string) =>
    `${path?.href ?? ""}${prefix}${photo.remotePhotoName}`;
  return {
    guid,
    url: fileUrl(""),
    thumbnailUrl: fileUrl("thumb_large_"),
    text,
    width,
    height,
  };
}

/** Stores a reshare, once what it passes on is here. */
export async function receiveReshare(
  context: ReceiveContext,
  entity: Reshare,
  { sender, depth }: Arrival,
): Promise<InboundResult> {
  const { rootGuid, rootAuthor } = entity;
  if (rootGuid === undefined || rootAuthor === undefined)
    return done("ignored: passes on what is gone");
  const root = await findRoot(context, rootGuid, rootAuthor, depth);
  if (!root) return wait("The post that it passes on is not here");
  const author = await context.people.find({ id: root.personId });
  if (author?.handle !== rootAuthor) return refused("the root is another's");
  if (!root.public) return refused("the root is not public");
  return resultOf(
    await context.posts.receive({
      ...common(entity.guid, sender),
      type: "Reshare",
      public: true,
      text: "",
      providerName: "",
      // Of a reshare of a reshare, the first post counts.
      rootGuid: root.rootGuid ?? root.guid,
      rootPersonId: root.rootPersonId ?? root.personId,
      createdAt: receivedTimestamp(entity.createdAt, context.clock.now()),
      recipients: [],
    }),
  );
}

function common(guid: string, { id, addresses }: Person) {
  const { seedLocation } = addresses;
  return {
    guid,
    personId: id,
    listed: true,
    uri: null,
    url: seedLocation === null ? null : `${seedLocation}posts/${guid}`,
  };
}

async function findRoot(
  context: ReceiveContext,
  guid: string,
  authorHandle: string,
  depth: number,
): Promise<Post | undefined> {
  const known = await context.posts.find({ guid });
  if (known) return known;
  const from = await findOrDiscover(context, authorHandle);
  if (!from) return undefined;
  await context.fetchRemote({ type: "post", guid, from, depth });
  return context.posts.find({ guid });
}
