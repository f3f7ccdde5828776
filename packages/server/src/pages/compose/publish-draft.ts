import type { SignedIn } from "../../features/accounts/index.ts";
import type { PhotoId } from "../../features/ids.ts";
import {
  attachAll,
  checkLocation,
  checkWarning,
  MAX_TEXT_LENGTH,
} from "../../features/posts/index.ts";
import type { NoteResult } from "../../features/submissions/index.ts";
import { UploadedFile } from "../../http/input/multipart.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { KithError } from "../../lib/errors.ts";
import { readLanguageTag } from "../../lib/language-tag.ts";
import {
  MAX_PICTURES,
  PHOTOS_FIELD,
  type DraftPictures,
} from "../kit/components/picture-fields.ts";
import { composeTexts, pageTexts } from "../languages/texts.ts";
import { HOME } from "../session/places.ts";
import { newcomerFault } from "../newcomers/newcomer-fault.ts";
import type { PagesContext } from "../session/visitor.ts";
import { audienceOf, linesOf, type PostDraft } from "./post-draft.ts";

const texts = pageTexts.write;

/**
 * Stores the pictures of a form, which wait for their post, comment or message.
 * @returns the draft with them, and with a fault if one could not be used
 */
export async function uploadPhotos<Draft extends DraftPictures>(
  { photos }: PagesContext,
  owner: SignedIn,
  draft: Draft,
  parameters: Parameters,
): Promise<Draft & { readonly fault?: string }> {
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
 * @param note notes in the same transaction that it is done
 * @param to the page to which it leads
 * @throws {KithError} see `faultOfPost`
 */
export async function publishDraft(
  context: PagesContext,
  author: SignedIn,
  draft: PostDraft,
  note: NoteResult,
  to: string = HOME,
): Promise<string> {
  const { polls, posts } = context;
  const audience = audienceOf(draft);
  const attach = polls.ask({
    question: draft.question,
    answers: linesOf(draft.answers),
    multiple: draft.multiple,
  });
  const location = checkLocation(draft.place);
  await describePhotos(context, author, draft);
  await posts.publish({
    ...{ author, text: draft.text, audience },
    warning: checkWarning(draft.warning),
    language: readLanguageTag(draft.language) ?? null,
    ...(draft.quotableBy !== "" && { quotableBy: draft.quotableBy }),
    photoIds: draft.photoIds,
    ...(location && { location }),
    attach: attachAll(attach, (tx) => note(tx, to)),
  });
  return to;
}

/** Each picture has a field of its own, or a line of the one for all. */
export async function describePhotos(
  { photos }: PagesContext,
  author: SignedIn,
  {
    photoIds,
    described = [],
    photoTexts,
  }: DraftPictures & Partial<Pick<PostDraft, "described">>,
): Promise<void> {
  const words = [...described, ...linesOf(photoTexts)];
  for (const [at, id] of photoIds.entries()) {
    const given = words[at]?.trim() ?? "";
    if (given !== "") await photos.describe(author, { id }, { text: given });
  }
}

/** A fault that the author can correct; undefined for any other error. */
export function faultOfPost(
  error: unknown,
  draft: PostDraft,
): string | undefined {
  const byLimits = newcomerFault(error);
  if (byLimits !== undefined) return byLimits;
  if (!(error instanceof KithError)) return undefined;
  if (error.code === "empty_string") return texts.blank;
  if (draft.audience === "aspects" && draft.aspectIds.length === 0)
    return texts.noneChosen;
  if (error.code === "not_found") return texts.noAspect;
  if (error.code !== "bad_request") return undefined;
  if (!isPlace(draft)) return composeTexts.placeRefused;
  const hasPoll = draft.question !== "" || draft.answers !== "";
  return hasPoll && [...draft.text].length <= MAX_TEXT_LENGTH
    ? texts.pollRefused
    : texts.tooLong(MAX_TEXT_LENGTH);
}

/** Is there no place, or one on the earth? */
export function isPlace({ place }: PostDraft): boolean {
  try {
    checkLocation(place);
    return true;
  } catch (error) {
    if (error instanceof KithError) return false;
    throw error;
  }
}

function isOfPicture(error: unknown): boolean {
  return (
    error instanceof KithError &&
    ["bad_request", "too_large", "unsupported_media_type"].includes(error.code)
  );
}
