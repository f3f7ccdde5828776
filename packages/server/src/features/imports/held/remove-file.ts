import type { Tx } from "../../../db/db.ts";
import type { Jobs } from "../../../jobs/jobs.ts";
import { REMOVE_MEDIA } from "../../photos/index.ts";
import { partKeys, type HeldImport } from "./held-import.ts";
import { deleteImport } from "./import-store.ts";

/** Deletes the file of an import, once the transaction has committed. */
export async function removeFile(
  { jobs }: { readonly jobs: Jobs },
  tx: Tx,
  held: Pick<HeldImport, "fileKey" | "parts">,
): Promise<void> {
  const keys = partKeys(held);
  if (keys.length > 0) await jobs.enqueue(tx, REMOVE_MEDIA, { keys });
}

/** Deletes an import with its file. */
export async function removeImport(
  deps: { readonly jobs: Jobs },
  tx: Tx,
  held: HeldImport,
): Promise<void> {
  await deleteImport(tx, held.id);
  await removeFile(deps, tx, held);
}
