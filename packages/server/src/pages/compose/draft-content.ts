import type { SignedIn } from "../../features/accounts/index.ts";
import type {
  Draft,
  DraftContent,
  NewDraftContent,
} from "../../features/drafts/index.ts";
import { checkLocation, checkWarning } from "../../features/posts/index.ts";
import { readLanguageTag } from "../../lib/language-tag.ts";
import { storableText } from "../../lib/well-formed.ts";
import { linesOf } from "../kit/page-input.ts";
import { toLocal } from "../languages/local-time.ts";
import type { PagesContext } from "../session/visitor.ts";
import {
  AUDIENCES,
  audienceOf,
  NO_PLACE,
  type PostDraft,
} from "./post-draft.ts";

/**
 * The content of the form, to be saved. Parts that only the API can give stay.
 * @throws {KithError} see `faultOfPost`
 */
export function contentOf(
  draft: PostDraft,
  before: DraftContent | undefined,
): NewDraftContent {
  const durationS = before?.poll?.durationS;
  const hasPoll = draft.question.trim() !== "" || draft.answers.trim() !== "";
  return {
    text: storableText(draft.text),
    audience: audienceOf(draft),
    photoIds: draft.photoIds,
    ...(before?.isTextOptional && { isTextOptional: true }),
    eventId: before?.eventId ?? null,
    quoteId: before?.quoteId ?? null,
    nsfw: before?.nsfw ?? false,
    warning: checkWarning(draft.warning),
    language: readLanguageTag(draft.language) ?? null,
    ...(draft.quotableBy !== "" && { quotableBy: draft.quotableBy }),
    location: checkLocation(draft.place) ?? null,
    poll: hasPoll
      ? {
          question: storableText(draft.question),
          answers: linesOf(storableText(draft.answers)),
          multiple: draft.multiple,
          endsAt: before?.poll?.endsAt ?? null,
          ...(durationS !== undefined && { durationS }),
          hidesTotals: before?.poll?.hidesTotals ?? false,
        }
      : null,
  };
}

/** A saved draft as its form shows it. */
export async function formOf(
  { photos }: PagesContext,
  user: SignedIn,
  { id, content, publishAt }: Draft,
): Promise<PostDraft> {
  const { audience, photoIds, poll } = content;
  const found = await Promise.all(
    photoIds.map((photoId) => photos.findVisible({ id: photoId }, user)),
  );
  return {
    text: content.text,
    audience: AUDIENCES.find((it) => it === audience.kind) ?? "",
    aspectIds: audience.kind === "aspects" ? audience.aspectIds : [],
    warning: content.warning ?? "",
    photoIds,
    photoTexts: "",
    described: found.map((photo) => photo?.text ?? ""),
    question: poll?.question ?? "",
    answers: poll?.answers.join("\n") ?? "",
    multiple: poll?.multiple ?? false,
    language: content.language ?? "",
    quotableBy: content.quotableBy ?? "",
    place: content.location ?? NO_PLACE,
    publishAt: publishAt === null ? "" : toLocal(publishAt),
    draftId: id,
  };
}
