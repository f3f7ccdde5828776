import { LinkRefused } from "../../features/newcomers/index.ts";
import { KithError } from "../../lib/errors.ts";
import { newcomerTexts as texts } from "../languages/texts.ts";

/** The refusal of a text by the limits for new accounts; undefined for any other error. */
export function newcomerFault(error: unknown): string | undefined {
  if (error instanceof LinkRefused) return texts.noLinks;
  const isLimit =
    error instanceof KithError && error.code === "too_many_requests";
  return isLimit ? texts.tooMany : undefined;
}
