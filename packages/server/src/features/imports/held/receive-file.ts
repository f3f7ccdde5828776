import path from "node:path";
import type { Db, Reader } from "../../../db/db.ts";
import { lockKey } from "../../../db/dialect.ts";
import type { Jobs } from "../../../jobs/jobs.ts";
import { formOfHead, HEAD_BYTES } from "../../../lib/archives/file-form.ts";
import { KithError } from "../../../lib/errors.ts";
import { newGuid } from "../../../lib/guids.ts";
import type { Limit } from "../../../lib/limits/limits.ts";
import { plainLine } from "../../../lib/lines.ts";
import type { MediaStore } from "../../../lib/media/media-store.ts";
import { later, timestamp, type Clock } from "../../../lib/time/clock.ts";
import type { UserId } from "../../ids.ts";
import { listKindOf, type ListKind } from "../formats/lists-csv.ts";
import {
  laneOfImport,
  STORED_PART_BYTES,
  partKey,
  partKeys,
  type HeldImport,
} from "./held-import.ts";
import { RUN_IMPORT } from "./import-kind.ts";
import {
  findImport,
  findOpenImport,
  sumStoredBytes,
} from "./import-queries.ts";
import {
  changeState,
  deleteImport,
  insertImport,
  saveListKind,
  saveParts,
} from "./import-store.ts";
import { removeImport } from "./remove-file.ts";
import { UploadRefused } from "./upload-refused.ts";

export type ReceiveFileDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly media: MediaStore;
  /** Of one file. */
  readonly maxBytes: number;
  /** Of uploads by accounts. */
  readonly uploads: Limit;
};

/** The uploaded file of an import, which is stored in parts as it comes. */
export type FileReception = {
  /** @throws {KithError} `too_large` */
  readonly write: (stream: AsyncIterable<Buffer>) => Promise<void>;
  /**
   * Begins the rehearsal.
   * @param kind of a list whose name does not say it
   * @throws {KithError} `bad_request` for an empty file, and for a list of an unknown kind
   */
  readonly finish: (kind: ListKind | undefined) => Promise<HeldImport>;
  /** Forgets it, with the parts that came. */
  readonly abandon: () => Promise<void>;
};

const MAX_NAME_LENGTH = 200;
/** An upload that brought nothing for so long has broken off. */
export const BROKEN_OFF_MS = 10 * 60_000;
/** Files of all accounts together, as a multiple of the largest one. */
const STORED_FILES = 10;

/**
 * Begins an upload. An account has one import at a time. Nothing is written before more than a
 * part has come, or all of it and its form is known to be right.
 * @param fileName as the user's program says it
 * @throws {KithError} `conflict` while another import is not ended, `too_many_requests`,
 *   `unavailable` while too many files of others wait
 */
export async function receiveFile(
  deps: ReceiveFileDeps,
  userId: UserId,
  fileName: string,
): Promise<FileReception> {
  const { db, maxBytes, media, uploads } = deps;
  if (uploads.isSpent(String(userId))) throw uploads.refuse(String(userId));
  await findPlace(deps, db.read, userId);
  uploads.take(String(userId));
  const name = plainLine(path.basename(fileName), MAX_NAME_LENGTH);
  const storage = createPartStorage(deps, userId, name);
  const received: { bytes: number; head: Buffer } = {
    ...{ bytes: 0, head: Buffer.alloc(0) },
  };
  let last: Buffer | undefined;
  return {
    write: async (stream) => {
      for await (const part of partsOf(stream)) {
        received.bytes += part.length;
        if (received.bytes > maxBytes) throw tooLarge(maxBytes);
        if (last) await storage.put(last);
        else received.head = part.subarray(0, HEAD_BYTES);
        last = part;
      }
    },
    finish: async (given) => {
      if (!last) throw new UploadRefused("empty");
      const kind = kindOf(name, { head: received.head, kind: given });
      return finish(deps, await storage.put(last), kind);
    },
    abandon: async () => {
      const held = await findImport(db.read, storage.id ?? 0);
      if (held?.state !== "receiving") return;
      // Its parts first: as long as it is stored, they are found again.
      for (const key of partKeys(held)) await media.remove(key);
      await db.transaction((tx) => deleteImport(tx, held.id));
    },
  };
}

/** Stores the parts of a file. The first one takes the place of the account. */
function createPartStorage(
  deps: ReceiveFileDeps,
  userId: UserId,
  fileName: string,
) {
  const { db, clock, media } = deps;
  const fileKey = `import-${newGuid()}`;
  let [bytes, parts] = [0, 0];
  let id: number | undefined;
  return {
    get id(): number | undefined {
      return id;
    },
    /** @returns the id of the import @throws {KithError} as {@link receiveFile} */
    put: async (part: Buffer): Promise<number> => {
      const own = (id ??= await takePlace(deps, userId, { fileKey, fileName }));
      bytes += part.length;
      parts += 1;
      const isHeld = await db.transaction((tx) =>
        saveParts(tx, own, { bytes, parts }, timestamp(clock.now())),
      );
      if (!isHeld) throw cancelled();
      await media.put(partKey(fileKey, parts), part);
      return own;
    },
  };
}

function takePlace(
  deps: ReceiveFileDeps,
  userId: UserId,
  named: Pick<HeldImport, "fileKey" | "fileName">,
): Promise<number> {
  const { db, clock } = deps;
  return db.transaction(async (tx) => {
    await lockKey(tx, db.dialect, `imports:${userId}`);
    const brokenOff = await findPlace(deps, tx, userId);
    if (brokenOff) await removeImport(deps, tx, brokenOff);
    const createdAt = timestamp(clock.now());
    return insertImport(tx, { ...named, userId, createdAt });
  });
}

/**
 * Checks that an import may begin.
 * @returns the upload that broke off and holds the place, if there is one
 * @throws {KithError} as {@link receiveFile}
 */
async function findPlace(
  { clock, maxBytes }: ReceiveFileDeps,
  reader: Reader,
  userId: UserId,
): Promise<HeldImport | undefined> {
  const open = await findOpenImport(reader, userId);
  const isBrokenOff =
    open?.state === "receiving" &&
    open.changedAt < timestamp(later(clock.now(), -BROKEN_OFF_MS));
  if (open && !isBrokenOff)
    throw new KithError(
      "conflict",
      "You have an import already: delete it, or wait for its end.",
    );
  if ((await sumStoredBytes(reader)) > STORED_FILES * maxBytes)
    throw new KithError("unavailable", "Too many files wait for imports.");
  return open;
}

const cancelled = () => new KithError("conflict", "The upload was cancelled.");

function finish(
  { db, clock, jobs }: ReceiveFileDeps,
  id: number,
  kind: ListKind | null,
): Promise<HeldImport> {
  return db.transaction(async (tx) => {
    await saveListKind(tx, id, kind);
    const now = timestamp(clock.now());
    const isHeld = await changeState(tx, id, ["receiving"], "rehearsing", now);
    const held = await findImport(tx, id);
    if (!isHeld || !held) throw cancelled();
    const lane = laneOfImport(id);
    await jobs.enqueueUnlessWaiting(tx, RUN_IMPORT, { id }, { lane });
    return held;
  });
}

function kindOf(
  fileName: string,
  {
    head,
    kind,
  }: { readonly head: Buffer; readonly kind: ListKind | undefined },
): ListKind | null {
  if (formOfHead(head) !== "text") return null;
  const known = kind ?? listKindOf(fileName);
  if (known === undefined) throw new UploadRefused("unknown_kind");
  return known;
}

async function* partsOf(
  stream: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  let chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length < STORED_PART_BYTES) continue;
    yield Buffer.concat(chunks);
    chunks = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(chunks);
}

function tooLarge(maxBytes: number): KithError {
  return new KithError(
    "too_large",
    `A file that is imported must have at most ${maxBytes} bytes.`,
  );
}
