import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { messageOf, OperatorError } from "../lib/errors.ts";

/** An operator can choose where temporary files are. */
export const OTHER_FOLDER = "TMPDIR names another folder for temporary files.";

/** @throws {OperatorError} where the folder for temporary files is full, or none */
export async function makeTemporaryFolder(prefix: string): Promise<string> {
  const parent = tmpdir();
  try {
    return await mkdtemp(path.join(parent, prefix));
  } catch (error) {
    throw new OperatorError(
      `No folder can be made in ${parent}: ${messageOf(error)}. ${OTHER_FOLDER}`,
    );
  }
}
