import { KithError } from "../../lib/errors.ts";

/** Programs repeat their calls: removing a thing that is gone changes nothing. */
export async function ignoreMissing(removing: Promise<unknown>): Promise<void> {
  try {
    await removing;
  } catch (error) {
    if (!(error instanceof KithError && error.code === "not_found"))
      throw error;
  }
}
