import type {
  Photo as PhotoEntity,
  Reshare,
  Retraction,
  StatusMessage,
} from "@kith/diaspora";
import type { Person } from "../../features/people/index.ts";
import { mediaName, type Photo } from "../../features/photos/index.ts";
import type { Post } from "../../features/posts/index.ts";
import type { DiasporaDeps } from "./deps.ts";
import { wireTime } from "./wire-values.ts";

/**
 * @param rootAuthor of a reshare: handle of the author of what it passes on
 * @returns undefined for a reshare of something that is gone
 */
export async function renderPost(
  deps: Pick<DiasporaDeps, "photos">,
  post: Post,
  author: Person,
  rootAuthor: string | undefined,
): Promise<StatusMessage | Reshare | undefined> {
  return post.type === "Reshare"
    ? renderReshare(post, author, rootAuthor)
    : renderStatusMessage(deps, post, author);
}

async function renderStatusMessage(
  { photos }: Pick<DiasporaDeps, "photos">,
  post: Post,
  author: Person,
): Promise<StatusMessage> {
  // The pictures of a limited post are not for the servers of those who got it.
  const found = post.public ? await photos.listOf([post.id]) : undefined;
  return {
    type: "status_message",
    author: author.handle,
    guid: post.guid,
    createdAt: wireTime(post.createdAt),
    public: post.public,
    ...(post.providerName !== "" && { providerDisplayName: post.providerName }),
    text: post.text,
    photos: (found?.get(post.id) ?? []).map((photo) =>
      renderPhoto(photo, photos.mediaUrl, post, author),
    ),
  };
}

function renderPhoto(
  photo: Photo,
  mediaUrl: string,
  post: Post,
  author: Person,
): PhotoEntity {
  return {
    type: "photo",
    guid: photo.guid,
    author: author.handle,
    public: true,
    createdAt: wireTime(photo.createdAt),
    remotePhotoPath: mediaUrl,
    remotePhotoName: mediaName(photo.guid, photo.mediaType),
    ...(photo.text !== "" && { text: photo.text }),
    statusMessageGuid: post.guid,
    height: photo.height,
    width: photo.width,
  };
}

function renderReshare(
  post: Post,
  author: Person,
  rootAuthor: string | undefined,
): Reshare | undefined {
  if (post.rootGuid === null || rootAuthor === undefined) return undefined;
  return {
    type: "reshare",
    author: author.handle,
    guid: post.guid,
    createdAt: wireTime(post.createdAt),
    rootAuthor,
    rootGuid: post.rootGuid,
  };
}

/**
 * @param author of what is taken back, whoever orders it: peers judge by the envelope's sender
 */
export function renderRetraction(
  targetType: "Post" | "Comment" | "Like",
  targetGuid: string,
  author: Person,
): Retraction {
  return { type: "retraction", author: author.handle, targetGuid, targetType };
}
