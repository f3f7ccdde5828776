import type { Timestamp } from "../../../lib/time/clock.ts";
import type { UserId } from "../../ids.ts";
import type { ArchiveReport } from "../import-report.ts";
import type { ListKind } from "../formats/lists-csv.ts";

export const IMPORT_STATES = [
  /** Its file is being uploaded. */
  "receiving",
  "rehearsing",
  /** It waits for its owner to start it. */
  "rehearsed",
  "importing",
  "stopped",
  /** Its job was given up or removed; it can be started again. */
  "interrupted",
  "done",
  /** Its file cannot be read. */
  "failed",
  /** Its owner left it for too long. */
  "expired",
] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** An archive or a list that somebody uploaded to import it. */
export type HeldImport = {
  readonly id: number;
  readonly userId: UserId;
  readonly fileKey: string;
  /** As its owner's program named it, in one line. */
  readonly fileName: string;
  /** The kind of a list; null for an archive. */
  readonly listKind: ListKind | null;
  readonly bytes: number;
  readonly parts: number;
  readonly state: ImportState;
  /** Records, of `total`. */
  readonly done: number;
  readonly total: number;
  /** The outcome of the rehearsal; null before it is done. */
  readonly rehearsal: ArchiveReport | null;
  /** The outcome so far; null before it began. */
  readonly report: ArchiveReport | null;
  /** The account of the archive moves here. */
  readonly moves: boolean;
  /** Why its file cannot be read, or why it was interrupted, in English. */
  readonly failure: string | null;
  readonly createdAt: Timestamp;
  readonly changedAt: Timestamp;
  /** null while it holds the place of its account. */
  readonly endedAt: Timestamp | null;
};

/** Parts keep an upload from being in memory as a whole, wherever uploads are stored. */
export const STORED_PART_BYTES = 4 * 1024 * 1024;

/** The keys of the parts of a file in the store of uploads. */
export function partKeys({
  fileKey,
  parts,
}: Pick<HeldImport, "fileKey" | "parts">): string[] {
  return Array.from({ length: parts }, (_, at) => partKey(fileKey, at + 1));
}

export const partKey = (fileKey: string, part: number): string =>
  `${fileKey}-${String(part).padStart(5, "0")}`;

/** One lane for each import: its jobs follow each other. */
export const laneOfImport = (id: number): string => `import:${id}`;
