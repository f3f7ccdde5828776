import { createHash } from "node:crypto";
import type { DatabaseCopy } from "../db/copies/database-copy.ts";
import { OperatorError } from "../lib/errors.ts";

export const MANIFEST = "manifest.json";
/** Written last: without it, a backup is not whole. Also for `sha256sum --check`. */
export const MANIFEST_SUM = "manifest.sha256";
export const SEALED_KEY = "secret.key.sealed";

const FORMAT = "kith-backup";
const VERSION = 1;

/** A file of a backup. */
export type BackupFile = {
  /** Relative, with `/` between its parts. */
  readonly path: string;
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
};

/** The description of a backup, which it contains. */
export type Manifest = {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  /** The version of Kith that made it. */
  readonly kith: string;
  readonly baseUrl: string;
  /** RFC 3339. */
  readonly takenAt: string;
  readonly database: DatabaseCopy;
  readonly files: readonly BackupFile[];
};

export function createManifest(
  known: Omit<Manifest, "format" | "version">,
): Manifest {
  return { format: FORMAT, version: VERSION, ...known };
}

export function renderManifest(manifest: Manifest): string {
  return `${JSON.stringify(manifest)}\n`;
}

export function renderManifestSum(text: string): string {
  return `${sha256(text)}  ${MANIFEST}\n`;
}

/** @throws {OperatorError} if the text is not what was written, or of a later Kith */
export function parseManifest(text: string, sum: string): Manifest {
  if (renderManifestSum(text) !== sum)
    throw new OperatorError(
      `The backup is damaged: ${MANIFEST} does not match ${MANIFEST_SUM}.`,
    );
  // The checksum proves that Kith wrote it.
  const manifest = JSON.parse(text) as Manifest;
  const { format, version } = manifest as { format: unknown; version: unknown };
  if (format !== FORMAT || version !== VERSION)
    throw new OperatorError(
      `The backup has a format that this Kith does not know (${String(format)} ${String(version)}). A newer Kith reads it.`,
    );
  for (const { path } of manifest.files)
    if (!isBackupPath(path))
      throw new OperatorError(
        `The backup names a file that no backup of Kith's has: ${JSON.stringify(path)}.`,
      );
  return manifest;
}

const PATH =
  /^(?:secret\.key\.sealed|database\/[a-z0-9_]{1,100}\.(?:copy|sqlite)|media\/([a-z0-9]{2})\/\1[a-z0-9_.-]{1,118})$/;

/** Names in a backup are believed only if Kith could have written them: none leads elsewhere. */
export function isBackupPath(path: string): boolean {
  return PATH.test(path);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
