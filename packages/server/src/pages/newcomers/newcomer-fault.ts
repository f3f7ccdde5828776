import { LinkRefused } from "../../features/newcomers/index.ts";
import { SpamRefused, TextHeld } from "../../features/spam-rules/index.ts";
import { KithError } from "../../lib/errors.ts";
import {
  heldTexts,
  newcomerTexts as texts,
  spamTexts,
} from "../languages/texts.ts";

/** The refusal of a text by the limits for new accounts or by a rule against spam; undefined for any other error. */
export function newcomerFault(error: unknown): string | undefined {
  if (error instanceof LinkRefused) return texts.noLinks;
  if (error instanceof TextHeld) return heldTexts.waits;
  if (error instanceof SpamRefused) return spamTexts.refusedText;
  const isLimit =
    error instanceof KithError && error.code === "too_many_requests";
  return isLimit ? texts.tooMany : undefined;
}
