import type { Photo } from "@kith/diaspora";
import type { Person } from "../../../features/people/index.ts";
import type { ReceivedPhoto } from "../../../features/posts/index.ts";
import type { InboundResult } from "../../inbound/inbound.ts";
import {
  isAdmitted,
  readEditedAt,
  resultOf,
  REFUSED_OVER_QUOTA,
  type Arrival,
  type ReceiveContext,
} from "../authority/receive-context.ts";

/**
 * Stores a photo sent by itself: its sender is its author (protocol section
 * 10.2).
 */
export async function receivePhoto(
  context: ReceiveContext,
  entity: Photo,
  arrival: Arrival,
): Promise<InboundResult> {
  const { sender } = arrival;
  const { guid, statusMessageGuid, editedAt } = entity;
  if (!(await isAdmitted(context, arrival))) return REFUSED_OVER_QUOTA;
  return resultOf(
    await context.photos.receive({
      ...readPhoto(entity, sender),
      guid,
      personId: sender.id,
      limited: !entity.public,
      postGuid: statusMessageGuid,
      editedAt: readEditedAt(context, editedAt),
    }),
  );
}

/** Pods serve the smaller sizes of a photo under prefixes of its name. */
export function readPhoto(photo: Photo, { addresses }: Person): ReceivedPhoto {
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
