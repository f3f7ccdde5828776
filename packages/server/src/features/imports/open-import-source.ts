import path from "node:path";
import { refuse } from "../../lib/archives/archive-entry.ts";
import { readForm } from "../../lib/archives/file-form.ts";
import { gunzipInto } from "../../lib/archives/gunzip.ts";
import {
  ARCHIVE_LIMITS,
  unpackArchive,
  type Unpacked,
} from "../../lib/archives/unpack.ts";
import { KithError } from "../../lib/errors.ts";
import { openKithArchive } from "./formats/kith/kith-archive.ts";
import { listKindOf, openList, type ListKind } from "./formats/lists-csv.ts";
import type { ImportDeps, PersonLimits } from "./import-run.ts";
import type { Source } from "./source-format.ts";

/**
 * Opens an archive, a JSON file or a list.
 * @param folder for its unpacked files
 * @throws {KithError} `bad_request` for a file of no known form or program, and for a damaged one
 */
export async function openImportSource(
  { openOther }: Pick<ImportDeps, "openOther">,
  file: string,
  folder: string,
  kind: ListKind | undefined,
  limits: PersonLimits | undefined,
): Promise<Source> {
  const form = await readForm(file);
  if (form === "text") {
    const known = kind ?? listKindOf(file);
    if (known) return openList(file, known);
    throw new KithError("bad_request", UNKNOWN);
  }
  const files = await unpack(file, form, folder, limits);
  const source = openKithArchive(files) ?? (await openOther(files));
  if (!source) throw refuse("is of no known program");
  return source;
}

const UNKNOWN =
  "This is neither a zip, tar.gz nor JSON file, and its name does not say what it lists.";

/** A JSON file, compressed or not, is like an archive of one file. */
async function unpack(
  file: string,
  form: "json" | "json.gz" | "tar.gz" | "zip",
  folder: string,
  limits: PersonLimits | undefined,
): Promise<Unpacked> {
  const allowed = { ...ARCHIVE_LIMITS, ...limits };
  if (form === "json") return new Map([[path.basename(file), file]]);
  if (form === "json.gz") {
    const name = path.basename(file, ".gz");
    return new Map([[name, await gunzipInto(file, folder, allowed)]]);
  }
  return unpackArchive(file, folder, allowed);
}
