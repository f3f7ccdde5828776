import { codeOf, KithError } from "../lib/errors.ts";

const FOREIGN_KEY_VIOLATION = "23503";

/**
 * On PostgreSQL the thing that a new record hangs on may be deleted between the
 * look at it and the write. It is then as unknown as if it had been gone before.
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
