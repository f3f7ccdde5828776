import type { SignedIn } from "../../features/accounts/index.ts";
import {
  checkLocation,
  checkWarning,
  MAX_TEXT_LENGTH,
  MAX_WARNING_LENGTH,
} from "../../features/posts/index.ts";
import { KithError } from "../../lib/errors.ts";
import {
  leaveOutPictures,
  MAX_PICTURES,
  type DraftPictures,
} from "../kit/components/picture-fields.ts";
import { linesOf } from "../kit/page-input.ts";
import { composeTexts, pageTexts } from "../languages/texts.ts";
import { newcomerFault } from "../newcomers/newcomer-fault.ts";
import type { PagesContext } from "../session/visitor.ts";
import type { PostDraft, PostField } from "./post-draft.ts";

const texts = pageTexts.write;

/** A fault that the author can correct, and its field, if it is about one. */
export type PostFault = {
  readonly fault: string;
  readonly faulty?: PostField;
};

/** @returns undefined for an error that the author cannot correct */
export function faultOfPost(
  context: Pick<PagesContext, "polls">,
  error: unknown,
  draft: PostDraft,
): PostFault | undefined {
  const byLimits = newcomerFault(error);
  if (byLimits !== undefined) return { fault: byLimits };
  if (!(error instanceof KithError)) return undefined;
  if (error.code === "empty_string")
    return { fault: texts.blank, faulty: "text" };
  if (error.code === "not_found") return faultOfAudience(draft);
  if (error.code !== "bad_request") return undefined;
  return (
    faultOfContent(context, draft) ?? { fault: composeTexts.faults.refused }
  );
}

function faultOfAudience({ audience, aspectIds }: PostDraft): PostFault {
  const faulty = "audience";
  if (audience === "") return { fault: composeTexts.faults.noAudience, faulty };
  if (audience !== "aspects") return { fault: composeTexts.faults.partGone };
  return aspectIds.length === 0
    ? { fault: texts.noneChosen, faulty }
    : { fault: texts.noAspect, faulty };
}

/** The first part of the form that breaks a rule by itself. */
function faultOfContent(
  context: Pick<PagesContext, "polls">,
  draft: PostDraft,
): PostFault | undefined {
  const { text, warning, photoIds, question, place, audience } = draft;
  const { faults } = composeTexts;
  if ([...text].length > MAX_TEXT_LENGTH)
    return { fault: texts.tooLong(MAX_TEXT_LENGTH), faulty: "text" };
  if (isRefused(() => checkWarning(warning)))
    return {
      fault: faults.warningTooLong(MAX_WARNING_LENGTH),
      faulty: "warning",
    };
  if (isRefused(() => checkLocation(place)))
    return {
      fault: composeTexts.placeRefused,
      faulty: isRefused(() => checkLocation({ ...place, address: "" }))
        ? "lat"
        : "place",
    };
  if (isRefused(() => askPoll(context, draft)))
    return {
      fault: texts.pollRefused,
      faulty: question.trim() === "" ? "question" : "answers",
    };
  if (photoIds.length > MAX_PICTURES)
    return { fault: faults.tooManyFiles(MAX_PICTURES), faulty: "photo" };
  // Whether somebody is mentioned is known once the people are looked up.
  return audience === "mentioned"
    ? { fault: faults.mentionsNobody, faulty: "audience" }
    : undefined;
}

/** The poll of a form, to be stored with its post. @throws {KithError} `bad_request` */
export const askPoll = (
  { polls }: Pick<PagesContext, "polls">,
  { question, answers, multiple }: PostDraft,
) => polls.ask({ question, answers: linesOf(answers), multiple });

function isRefused(check: () => unknown): boolean {
  try {
    check();
    return false;
  } catch (error) {
    if (error instanceof KithError) return true;
    throw error;
  }
}

/**
 * A draft without the pictures that are gone: deleted, or published elsewhere meanwhile.
 * @returns undefined if all of them are there
 */
export async function leaveOutGone<Draft extends DraftPictures>(
  { photos }: Pick<PagesContext, "photos">,
  { personId }: Pick<SignedIn, "personId">,
  draft: Draft,
): Promise<(Draft & { fault: string; faulty: "photo" }) | undefined> {
  if (draft.photoIds.length === 0) return undefined;
  const left = new Set(await photos.listWaiting(personId, draft.photoIds));
  if (draft.photoIds.every((id) => left.has(id))) return undefined;
  return {
    ...leaveOutPictures(draft, (id) => !left.has(id)),
    ...{ fault: composeTexts.faults.filesGone, faulty: "photo" },
  };
}

/** The same after an error that a gone picture may have caused. */
export async function withoutGonePictures<Draft extends DraftPictures>(
  context: Pick<PagesContext, "photos">,
  owner: Pick<SignedIn, "personId">,
  error: unknown,
  draft: Draft,
): Promise<(Draft & { fault: string; faulty: "photo" }) | undefined> {
  const mayBeGone = error instanceof KithError && error.code === "not_found";
  return mayBeGone ? leaveOutGone(context, owner, draft) : undefined;
}
