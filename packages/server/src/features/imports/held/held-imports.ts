import type { Tx } from "../../../db/db.ts";
import { KithError } from "../../../lib/errors.ts";
import type { Limits } from "../../../lib/limits/limits.ts";
import { timestamp } from "../../../lib/time/clock.ts";
import type { Accounts, SignedIn } from "../../accounts/index.ts";
import type { UserId } from "../../ids.ts";
import type { Page } from "../../page.ts";
import type { ListKind } from "../formats/lists-csv.ts";
import { laneOfImport, type HeldImport } from "./held-import.ts";
import { RUN_IMPORT } from "./import-kind.ts";
import { findImport, listImportsOf } from "./import-queries.ts";
import { changeState, saveMoves } from "./import-store.ts";
import {
  receiveFile,
  type ReceiveFileDeps,
  type FileReception,
} from "./receive-file.ts";
import { noteEndedJobs, stateAfter, type Interruption } from "./interrupted.ts";
import { removeImport } from "./remove-file.ts";
import { UploadRefused } from "./upload-refused.ts";

export type HeldImportsDeps = Omit<ReceiveFileDeps, "uploads"> & {
  readonly limits: Limits;
  readonly accounts: Pick<Accounts, "provePassword">;
};

/** Imports by people themselves: they upload a file, see what is in it, and start. */
export type HeldImports = ReturnType<typeof createHeldImports>;

/** The password of the user, and the network of the client. */
type PasswordProof = { readonly password: string; readonly from?: string };

const DAY_MS = 86_400_000;
const UPLOADS_EACH_DAY = 30;

export function createHeldImports({ limits, ...others }: HeldImportsDeps) {
  const share = { max: UPLOADS_EACH_DAY, windowMs: DAY_MS };
  const uploads = limits.create("import", "account", share);
  const deps = { ...others, uploads };
  const { db } = deps;
  return {
    /** Of one file. */
    maxBytes: others.maxBytes,
    /** @throws {KithError} see {@link receiveFile}, or `bad_request` without a file */
    receive: (userId: UserId, read: ReadUpload) => receive(deps, userId, read),
    /** Newest first. */
    list: (userId: UserId, page: Page) => listImportsOf(db.read, userId, page),
    /** @throws {KithError} `not_found`, also for those of others */
    get: (userId: UserId, id: number) => getOwn(db.read, userId, id),
    /**
     * Starts the import after its rehearsal, or goes on with it. A rehearsal that was interrupted
     * begins anew.
     * @param proof with it the account of the archive moves here, which cannot be undone
     * @throws {KithError} `not_found`, or `conflict` for one that cannot start; with a proof also
     *   `unauthorized`, and `bad_request` unless the rehearsal says that the account can move
     */
    start: (user: SignedIn, id: number, proof?: PasswordProof) =>
      start(deps, user, id, proof),
    /**
     * Stops the import, within some records; what it has imported stays.
     * @throws {KithError} `not_found`, or `conflict` for one that does not run
     */
    stop: (userId: UserId, id: number) => stop(deps, userId, id),
    /** Deletes it with its file; what it has imported stays. @throws {KithError} `not_found` */
    remove: (userId: UserId, id: number): Promise<void> =>
      db.transaction(async (tx) =>
        removeImport(deps, tx, await getOwn(tx, userId, id)),
      ),
    /** Notes imports whose jobs are dead, or were removed from the queue. */
    noteEndedJobs: (
      tx: Tx,
      jobs: Parameters<typeof noteEndedJobs>[2],
      why: Interruption,
    ): Promise<void> => noteEndedJobs(tx, others.clock, jobs, why),
    /** Deletes imports of a deleted account. @returns true if more are left */
    removeSomeOf: (userId: UserId, limit: number): Promise<boolean> =>
      db.transaction(async (tx) => {
        const some = await listImportsOf(tx, userId, { offset: 0, limit });
        for (const held of some) await removeImport(deps, tx, held);
        return some.length > 0;
      }),
  };
}

/** A file as it comes. */
export type IncomingImport = {
  readonly name: string;
  readonly stream: AsyncIterable<Buffer>;
};

/** Gives the file to `take`. @returns what it lists, if that was said */
export type ReadUpload = (
  take: (file: IncomingImport) => Promise<void>,
) => Promise<ListKind | undefined>;

async function receive(
  deps: ReceiveFileDeps,
  userId: UserId,
  read: ReadUpload,
): Promise<HeldImport> {
  const taken: FileReception[] = [];
  const take = async ({ name, stream }: IncomingImport): Promise<void> => {
    const reception = await receiveFile(deps, userId, name);
    taken.push(reception);
    try {
      await reception.write(stream);
    } catch (error) {
      await reception.abandon();
      throw error;
    }
  };
  try {
    const kind = await read(take);
    const [reception] = taken;
    if (!reception) throw new UploadRefused("missing");
    return await reception.finish(kind);
  } catch (error) {
    for (const reception of taken) await reception.abandon();
    throw error;
  }
}

async function getOwn(
  reader: Parameters<typeof findImport>[0],
  userId: UserId,
  id: number,
): Promise<HeldImport> {
  const held = await findImport(reader, id);
  if (held?.userId !== userId)
    throw new KithError("not_found", "There is no such import.");
  return held;
}

const STARTABLE = ["rehearsed", "stopped"] as const;
const AFTER_FAULT = ["interrupted"] as const;

type ChangeDeps = Pick<ReceiveFileDeps, "clock" | "db" | "jobs">;

async function start(
  { db, clock, jobs, accounts }: ChangeDeps & Pick<HeldImportsDeps, "accounts">,
  user: SignedIn,
  id: number,
  proof: PasswordProof | undefined,
): Promise<HeldImport> {
  const { userId } = user;
  if (proof) {
    const { rehearsal } = await getOwn(db.read, userId, id);
    const { added = 0, known = 0 } = rehearsal?.account ?? {};
    await accounts.provePassword(user, proof.password, proof.from);
    if (added + known === 0)
      throw new KithError(
        "bad_request",
        "The archive does not prove that its account can move here.",
      );
  }
  return change(db, userId, id, async (tx, held) => {
    if (held.state === "importing" && (held.moves || !proof)) return;
    const now = timestamp(clock.now());
    const isInterrupted = held.state === "interrupted";
    const from = isInterrupted ? AFTER_FAULT : STARTABLE;
    const to = isInterrupted ? stateAfter(held) : "importing";
    if (!(await changeState(tx, id, from, to, now)))
      throw new KithError(
        "conflict",
        "The import can be started after its rehearsal, and after a stop.",
      );
    if (proof) await saveMoves(tx, id);
    const lane = laneOfImport(id);
    // A job that notices the stop a moment later does not go on.
    await jobs.enqueueUnlessWaiting(tx, RUN_IMPORT, { id }, { lane });
  });
}

function stop(
  { db, clock }: ChangeDeps,
  userId: UserId,
  id: number,
): Promise<HeldImport> {
  return change(db, userId, id, async (tx, held) => {
    if (held.state === "stopped") return;
    const now = timestamp(clock.now());
    if (!(await changeState(tx, id, ["importing"], "stopped", now)))
      throw new KithError("conflict", "The import is not running.");
  });
}

function change(
  db: ReceiveFileDeps["db"],
  userId: UserId,
  id: number,
  act: (tx: Tx, held: HeldImport) => Promise<void>,
): Promise<HeldImport> {
  return db.transaction(async (tx) => {
    await act(tx, await getOwn(tx, userId, id));
    return getOwn(tx, userId, id);
  });
}
