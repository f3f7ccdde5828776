import type { SignedIn } from "../../features/accounts/index.ts";
import type { Draft } from "../../features/drafts/index.ts";
import { checkText } from "../../features/posts/index.ts";
import { composeTexts as texts } from "../languages/texts.ts";
import type { PagesContext } from "../session/visitor.ts";
import { formOf } from "./draft-content.ts";
import { audienceOf } from "./post-draft.ts";
import { faultOfPost, leaveOutGone, type PostFault } from "./post-fault.ts";

/**
 * Why a post was not published at its time. The rules are asked again: what its author may
 * mend is said in the author's language, and the rest as it was kept.
 * @returns undefined for a draft that did not fail
 */
export async function faultOfFailed(
  context: PagesContext,
  user: SignedIn,
  saved: Draft,
): Promise<PostFault | undefined> {
  const { failedReason } = saved;
  if (failedReason === null) return undefined;
  const found = await findFault(context, user, saved);
  const fault = found?.fault ?? texts.failedReason(failedReason);
  return { ...found, fault: `${texts.failed} ${fault}` };
}

async function findFault(
  context: PagesContext,
  user: SignedIn,
  saved: Draft,
): Promise<PostFault | undefined> {
  const draft = await formOf(context, user, saved);
  const { isTextOptional = false } = saved.content;
  try {
    const audience = audienceOf(draft);
    await context.previewAudience(user, audience, draft.text);
    if (!isTextOptional) checkText(draft.text, "post");
  } catch (error) {
    return faultOfPost(context, error, draft);
  }
  const left = await leaveOutGone(context, user, draft);
  return left && { fault: left.fault, faulty: left.faulty };
}
