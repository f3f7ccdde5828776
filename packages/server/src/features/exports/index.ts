import type { SignedIn } from "../accounts/index.ts";
import { KithError } from "../../lib/errors.ts";
import type { UserId } from "../ids.ts";
import type { Exporter, ExportFile } from "./export-file.ts";

export { createOwnExporters } from "./own-exporters.ts";

/** An export that is under way. */
type Export = {
  readonly files: AsyncIterable<ExportFile>;
  /** Lets the user begin another one. To be called however this one ends. */
  readonly end: () => void;
};

/** Everything that a user has here, to take along. */
export type Exports = ReturnType<typeof createExports>;

export function createExports(exporters: readonly Exporter[]) {
  const running = new Set<UserId>();
  return {
    /** Whose rows are given. */
    tables: new Set(exporters.flatMap(({ tables }) => tables)),
    /** @throws {KithError} `conflict` while another export of the same user is under way */
    begin: (user: SignedIn): Export => {
      if (running.has(user.userId))
        throw new KithError(
          "conflict",
          "An export of this account is running already.",
        );
      running.add(user.userId);
      return {
        files: readAll(exporters, user),
        end: () => void running.delete(user.userId),
      };
    },
  };
}

async function* readAll(
  exporters: readonly Exporter[],
  user: SignedIn,
): AsyncGenerator<ExportFile, void, undefined> {
  for (const { files } of exporters) yield* files(user);
}
