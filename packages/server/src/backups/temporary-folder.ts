import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { messageOf, OperatorError } from "../lib/errors.ts";
import { removeAtExit } from "../lib/processes/remove-at-exit.ts";

/** An operator can choose where temporary files are. */
export const OTHER_FOLDER = "TMPDIR names another folder for temporary files.";

type TemporaryFolder = {
  readonly folder: string;
  readonly remove: () => Promise<void>;
};

/**
 * It is removed when the process ends, as where nobody reads its output any more: a copy of the
 * database may be in it.
 * @throws {OperatorError} where the folder for temporary files is full, or none
 */
export async function makeTemporaryFolder(
  prefix: string,
): Promise<TemporaryFolder> {
  const parent = tmpdir();
  try {
    const folder = await mkdtemp(path.join(parent, prefix));
    const forget = removeAtExit(folder);
    return {
      folder,
      remove: async () => {
        await rm(folder, { recursive: true, force: true });
        forget();
      },
    };
  } catch (error) {
    throw new OperatorError(
      `No folder can be made in ${parent}: ${messageOf(error)}. ${OTHER_FOLDER}`,
    );
  }
}
