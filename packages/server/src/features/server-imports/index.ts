import { runGanggoImport, type RunGanggoImport } from "./ganggo/run-ganggo.ts";
import type { ServerImportsDeps } from "./server-import.ts";

export type { ServerImportReport } from "./import-outcomes.ts";
export type { Hindrance, RecordKind } from "./record-kinds.ts";
export type { KnownElsewhere, ServerImportsDeps } from "./server-import.ts";

/** Servers of other programs that move here as a whole, under their own domain. */
export type ServerImports = ReturnType<typeof createServerImports>;

export function createServerImports(deps: ServerImportsDeps) {
  return {
    /** @throws {OperatorError} for a database that is not GangGo's, or of another domain */
    runGanggo: (input: RunGanggoImport) => runGanggoImport(deps, input),
  };
}
