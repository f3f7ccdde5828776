import type { SignedIn } from "../../features/accounts/index.ts";
import type { PhotoId } from "../../features/ids.ts";
import { checkWarning, MAX_TEXT_LENGTH } from "../../features/posts/index.ts";
import { UploadedFile } from "../../http/input/multipart.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { KithError } from "../../lib/errors.ts";
import { pageTexts } from "../languages/texts.ts";
import type { PagesContext } from "../session/visitor.ts";
import {
  audienceOf,
  linesOf,
  MAX_PICTURES,
  type PostDraft,
} from "./post-draft.ts";

const texts = pageTexts.write;

/** The form field with the files. */
export const PHOTOS_FIELD = "photo";

/**
 * Stores the pictures of a form, which wait for their post.
 * @returns the draft with them, and with a fault if one could not be used
 */
export async function uploadPhotos(
  { photos }: PagesContext,
  owner: SignedIn,
  draft: PostDraft,
  parameters: Parameters,
): Promise<PostDraft> {
  const files = [parameters[PHOTOS_FIELD]]
    .flat()
    .filter((it) => it instanceof UploadedFile);
  const photoIds: PhotoId[] = [...draft.photoIds];
  let isRefused = false;
  for (const { bytes } of files)
    try {
      if (photoIds.length >= MAX_PICTURES)
        throw new KithError("bad_request", "Too many pictures.");
      const { id } = await photos.upload({ owner, bytes, text: "" });
      photoIds.push(id);
    } catch (error) {
      if (!isOfPicture(error)) throw error;
      isRefused = true;
    }
  return {
    ...draft,
    photoIds,
    ...(isRefused && { fault: texts.photoRefused }),
  };
}

/**
 * Publishes a draft whose pictures are uploaded.
 * @throws {KithError} see `faultOfPost`
 */
export async function publishDraft(
  context: PagesContext,
  author: SignedIn,
  draft: PostDraft,
): Promise<void> {
  const { photos, polls, posts } = context;
  const audience = audienceOf(draft);
  const attach = polls.ask({
    question: draft.question,
    answers: linesOf(draft.answers),
    multiple: draft.multiple,
  });
  const described = linesOf(draft.photoTexts);
  for (const [at, id] of draft.photoIds.entries()) {
    const words = described[at];
    if (words !== undefined) await photos.describe(author, { id }, words);
  }
  await posts.publish({
    ...{ author, text: draft.text, audience },
    warning: checkWarning(draft.warning),
    photoIds: draft.photoIds,
    ...(attach && { attach }),
  });
}

/** A fault that the author can correct; undefined for any other error. */
export function faultOfPost(
  error: unknown,
  draft: PostDraft,
): string | undefined {
  if (!(error instanceof KithError)) return undefined;
  if (error.code === "empty_string") return texts.blank;
  if (draft.audience === "aspects" && draft.aspectIds.length === 0)
    return texts.noneChosen;
  if (error.code === "not_found") return texts.noAspect;
  if (error.code !== "bad_request") return undefined;
  const hasPoll = draft.question !== "" || draft.answers !== "";
  return hasPoll && [...draft.text].length <= MAX_TEXT_LENGTH
    ? texts.pollRefused
    : texts.tooLong(MAX_TEXT_LENGTH);
}

function isOfPicture(error: unknown): boolean {
  return (
    error instanceof KithError &&
    ["bad_request", "too_large", "unsupported_media_type"].includes(error.code)
  );
}
