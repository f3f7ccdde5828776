import { timestamp } from "../../lib/clock.ts";
import { KithError } from "../../lib/errors.ts";
import { isGuid, newGuid } from "../../lib/guids.ts";
import { storableText } from "../../lib/well-formed.ts";
import type { PersonId } from "../ids.ts";
import {
  MAX_TEXT_LENGTH,
  type PostPhotos,
  type ReceivedPhoto,
} from "../posts/index.ts";
import { removeFilesLater, type PhotoFilesDeps } from "./photo-files.ts";
import { listWaiting } from "./photo-queries.ts";
import {
  deletePhotosOf,
  insertPhoto,
  updatePost,
  type NewPhoto,
} from "./photo-store.ts";

/** As many as a post takes, here and from elsewhere. */
const MAX_PHOTOS = 20;
const MAX_URL_LENGTH = 2048;
const MAX_PIXELS = 1_000_000;

/** What posts do with their pictures, inside of their own transactions. */
export function createPostPhotos(deps: PhotoFilesDeps): PostPhotos {
  const { clock } = deps;
  const now = () => timestamp(clock.now());
  return {
    check: async (tx, post, given) => {
      const ids = new Set(given);
      if (ids.size === 0) return;
      if (ids.size > MAX_PHOTOS)
        throw new KithError("bad_request", "Too many photos");
      const waiting = await listWaiting(tx, post.personId, [...ids]);
      if (waiting.length < ids.size) throw unknownPhoto();
      for (const { aspectId } of waiting)
        if (aspectId !== null && aspectId !== post.aspectId)
          throw new KithError("bad_request", "A photo is for another aspect");
    },
    attach: async (tx, postId, given) => {
      for (const [position, id] of [...new Set(given)].entries())
        if (!(await updatePost(tx, id, postId, position, now())))
          throw unknownPhoto();
    },
    receive: async (tx, post, received) => {
      const usable = received.filter(isUsable).slice(0, MAX_PHOTOS);
      for (const [position, photo] of usable.entries()) {
        const row = { ...remotePhoto(photo, post.personId), position };
        const written = { ...row, postId: post.id };
        // A Guid that is somebody's already is not believed.
        if ((await insertPhoto(tx, written, now())) === undefined)
          await insertPhoto(tx, { ...written, guid: newGuid() }, now());
      }
    },
    removeOf: async (tx, postId) =>
      removeFilesLater(deps, tx, await deletePhotosOf(tx, postId)),
  };
}

function unknownPhoto(): KithError {
  return new KithError("not_found", "No such photo without a post");
}

function isUsable({ url, thumbnailUrl }: ReceivedPhoto): boolean {
  return isWebAddress(url) && (!thumbnailUrl || isWebAddress(thumbnailUrl));
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === "" &&
    text.length <= MAX_URL_LENGTH
  );
}

function remotePhoto(
  photo: ReceivedPhoto,
  personId: PersonId,
): Omit<NewPhoto, "position" | "postId"> {
  const { guid, url, thumbnailUrl = url, mediaType = "" } = photo;
  const { width = 0, height = 0, blurhash = "" } = photo;
  const text = [...storableText(photo.text ?? "").trim()];
  const isKnownSize = [width, height].every(
    (side) => Number.isInteger(side) && side > 0 && side <= MAX_PIXELS,
  );
  return {
    guid: guid !== undefined && isGuid(guid) ? guid : newGuid(),
    personId,
    aspectId: null,
    text: text.slice(0, MAX_TEXT_LENGTH).join(""),
    width: isKnownSize ? width : 0,
    height: isKnownSize ? height : 0,
    blurhash: /^[\x21-\x7e]{6,100}$/.test(blurhash) ? blurhash : "",
    mediaType: /^image\/[\w.+-]{1,40}$/.test(mediaType) ? mediaType : "",
    remote: {
      url: new URL(url).href,
      thumbnailUrl: new URL(thumbnailUrl).href,
    },
    sizes: [],
    isProfile: false,
  };
}
