import type { FastifyRequest } from "fastify";
import type { SignedIn } from "../../features/accounts/index.ts";
import type { PhotoId } from "../../features/ids.ts";
import {
  attachAll,
  checkLocation,
  checkWarning,
} from "../../features/posts/index.ts";
import type { NoteResult } from "../../features/submissions/index.ts";
import { UploadedFile } from "../../http/input/multipart.ts";
import { KithError } from "../../lib/errors.ts";
import { readLanguageTag } from "../../lib/language-tag.ts";
import {
  MAX_PICTURES,
  PHOTOS_FIELD,
  type DraftPictures,
} from "../kit/components/picture-fields.ts";
import { linesOf } from "../kit/page-input.ts";
import { megabytes } from "../languages/megabytes.ts";
import { composeTexts, pageTexts } from "../languages/texts.ts";
import { HOME } from "../session/places.ts";
import type { PagesContext } from "../session/visitor.ts";
import { audienceOf, type PostDraft } from "./post-draft.ts";
import { askPoll } from "./post-fault.ts";

const texts = pageTexts.write;

/** A draft whose files were taken, or those of them that can be used. */
type Uploaded<Draft> = Draft & {
  readonly fault?: string;
  readonly faulty?: "photo";
};

/**
 * Stores the pictures of a form, which wait for their post, comment or message.
 * @returns the draft with them, and with a fault if one could not be used
 */
export async function uploadPhotos<Draft extends DraftPictures>(
  { photos }: PagesContext,
  owner: SignedIn,
  draft: Draft,
  request: Pick<FastifyRequest, "parameters" | "isTooLarge" | "server">,
): Promise<Uploaded<Draft>> {
  const { faults } = composeTexts;
  if (request.isTooLarge)
    return {
      ...draft,
      fault: faults.uploadTooLarge(megabytes(request.server.uploadBytes)),
      faulty: "photo",
    };
  const given = [request.parameters[PHOTOS_FIELD] ?? []].flat();
  // A file beyond the limit comes without its content.
  const files = given.filter((it) => it instanceof UploadedFile);
  const room = MAX_PICTURES - draft.photoIds.length;
  const isTooMuch = given.length > room;
  const photoIds: PhotoId[] = [...draft.photoIds];
  let isRefused = false;
  for (const { bytes } of files.slice(0, Math.max(0, room)))
    try {
      const { id } = await photos.upload({ owner, bytes, text: "" });
      photoIds.push(id);
    } catch (error) {
      if (!isOfPicture(error)) throw error;
      isRefused = true;
    }
  if (!isRefused && !isTooMuch) return { ...draft, photoIds };
  const fault = isTooMuch
    ? faults.tooManyFiles(MAX_PICTURES)
    : texts.photoRefused;
  return { ...draft, photoIds, fault, faulty: "photo" };
}

/** The status of a form that is shown again. */
export const refusedStatus = ({
  isTooLarge,
}: Pick<FastifyRequest, "isTooLarge">): number => (isTooLarge ? 413 : 422);

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
  const { posts } = context;
  const audience = audienceOf(draft);
  const attach = askPoll(context, draft);
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

function isOfPicture(error: unknown): boolean {
  return (
    error instanceof KithError &&
    ["bad_request", "too_large", "unsupported_media_type"].includes(error.code)
  );
}
