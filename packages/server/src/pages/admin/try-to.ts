import { KithError } from "../../lib/errors.ts";
import type { Outcome } from "./admin-page.ts";
import { moderationTexts } from "./moderation-texts.ts";

/** Does what a form asks for. @param to where the browser goes then @returns in words why it was refused */
export async function tryTo(
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
