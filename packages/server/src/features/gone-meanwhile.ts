import { codeOf, KithError } from "../lib/errors.ts";

const FOREIGN_KEY_VIOLATION = "23503";

/**
 * On PostgreSQL the parent of a new record may be deleted between the check and the write.
 * Treat it as if it had never been found.
 * @throws {KithError} `not_found`
 */
export async function notFoundIfGone<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    if (codeOf(error) !== FOREIGN_KEY_VIOLATION) throw error;
    throw new KithError("not_found", "Deleted meanwhile.");
  }
}
