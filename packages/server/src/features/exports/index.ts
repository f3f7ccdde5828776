import type { SignedIn } from "../accounts/index.ts";
import { KithError } from "../../lib/errors.ts";
import type { UserId } from "../ids.ts";
import type { Exporter, ExportFile } from "./export-file.ts";

export { createOwnExporters, type OwnExportersDeps } from "./own-exporters.ts";

/** A running export. */
type Export = {
  readonly files: AsyncIterable<ExportFile>;
  /** Allows the user to start another one. Must be called however this one ends. */
  readonly end: () => void;
};

/** Exports of all data that a user has on this server. */
export type Exports = ReturnType<typeof createExports>;

export function createExports(exporters: readonly Exporter[]) {
  const running = new Set<UserId>();
  return {
    /** The exported tables. */
    tables: new Set(exporters.flatMap(({ tables }) => tables)),
    /** @throws {KithError} `conflict` while another export of the same user is running */
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
