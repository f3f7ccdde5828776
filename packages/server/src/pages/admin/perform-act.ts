import { KithError } from "../../lib/errors.ts";
import type { Outcome } from "./admin-page.ts";
import { moderationTexts } from "../languages/texts.ts";

/**
 * Performs the act of a form. @param to the redirect target @returns the reason
 * of a refusal
 */
export async function performAct(
  to: string,
  work: () => Promise<unknown>,
): Promise<Outcome> {
  try {
    await work();
    return { done: "done", to };
  } catch (error) {
    const fault =
      error instanceof KithError
        ? moderationTexts.refused[error.code]
        : undefined;
    if (fault === undefined) throw error;
    return { fault };
  }
}
