import { createDeriveGuid } from "./derive-guid.ts";
import { sweepImportFolders } from "./import-folder.ts";
import type { ImportDeps } from "./import-run.ts";
import type { ArchiveReport } from "./import-report.ts";
import { runImport, type RunImport } from "./run-import.ts";

export { LIST_KINDS, type ListKind } from "./formats/lists-csv.ts";
export {
  IMPORT_STATES,
  type HeldImport,
  type ImportState,
} from "./held/held-import.ts";
export {
  createHeldImports,
  type HeldImports,
  type HeldImportsDeps,
} from "./held/held-imports.ts";
export { createRunImport } from "./held/import-job.ts";
export { RUN_IMPORT } from "./held/import-kind.ts";
export { UploadRefused } from "./held/upload-refused.ts";
export { createSweepImports, SWEEP_IMPORTS } from "./held/sweep-imports.ts";
export type {
  Fault,
  ImportItem,
  ItemKind,
  ItemWriting,
  SourceMedia,
} from "./import-item.ts";
export type { OldAccount, Source } from "./source-format.ts";
export type { ArchiveReport } from "./import-report.ts";

export type ImportsDeps = Omit<ImportDeps, "deriveGuid"> & {
  /** 32 bytes. */
  readonly secretKey: Uint8Array;
  /** Where archives are unpacked, on this machine. */
  readonly folder: string;
};

/** Imports of what people wrote and kept elsewhere, from archives and lists. */
export type Imports = ReturnType<typeof createImports>;

export function createImports({ secretKey, folder, ...others }: ImportsDeps) {
  const deps = { ...others, deriveGuid: createDeriveGuid(secretKey) };
  return {
    run: async (input: RunImport): Promise<ArchiveReport> =>
      (await runImport(deps, folder, input)).report,
    /** The same, with how far it came. */
    runPart: (input: RunImport) => runImport(deps, folder, input),
    /** Deletes the unpacked files of imports that were killed. */
    sweep: () => sweepImportFolders(folder),
  };
}
