import type { Tx } from "../../db/db.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { jobKind } from "../../jobs/job.ts";
import { KithError } from "../../lib/errors.ts";
import { parseHandle } from "../../lib/handle.ts";
import { timestamp } from "../../lib/time/clock.ts";
import type { Follower } from "../contacts/index.ts";
import type { PersonId } from "../ids.ts";
import type { BlockDeps } from "./block.ts";
import {
  countHostBlocks,
  deleteHostBlock,
  findHostBlock,
  insertHostBlock,
  listHostBlocks,
  type HostBlock,
} from "./host-block-store.ts";

export type BlockHostDeps = BlockDeps & {
  readonly jobs: Pick<Jobs, "enqueueUnlessWaiting">;
  /** `host[:port]` of local handles. */
  readonly handleHost: string;
};

/** The job that ends or unblocks the contacts on a host. */
export const APPLY_HOST_BLOCK = jobKind<{
  readonly by: Follower;
  readonly host: string;
}>("apply-host-block", { maxAttempts: 1000 });

/** Each is compared with the author of everything that is listed. */
const MAX_HOST_BLOCKS = 500;

/**
 * Blocks a server: from now on nothing of anybody there reaches the user, nor anything of
 * the user's for some people alone anybody there. The user's notifications of people there are
 * deleted, as are the follow requests of people there; a job blocks each contact there, which
 * notifies their server. Blocking again changes nothing.
 * @throws {KithError} `bad_request` for no host, this server, or too many
 */
export async function blockHost(
  deps: BlockHostDeps,
  by: Follower,
  text: string,
): Promise<HostBlock> {
  const { db, clock, aspects, contacts, notifications } = deps;
  const host = readHost(text);
  if (host === undefined || host === readHost(deps.handleHost))
    throw new KithError(
      "bad_request",
      "The parameter host must be the host of another server, such as example.com.",
    );
  return db.transaction(async (tx) => {
    // A contact that is added at the same time is one of those that the job finds.
    await aspects.lock(tx, [by.userId]);
    const known = await findHostBlock(tx, by.personId, host);
    if (known) return known;
    if ((await countHostBlocks(tx, by.personId)) >= MAX_HOST_BLOCKS)
      throw new KithError(
        "bad_request",
        `You have blocked as many servers as you can: ${MAX_HOST_BLOCKS}.`,
      );
    await insertHostBlock(tx, by.personId, host, timestamp(clock.now()));
    await notifications.forgetFrom(tx, by.userId, host);
    await contacts.requests.endFrom(tx, by.userId, host);
    await enqueueApply(deps, tx, by, host);
    const blocked = await findHostBlock(tx, by.personId, host);
    if (!blocked) throw new Error("The block cannot be read");
    return blocked;
  });
}

/**
 * Ends the block of a server. Contacts do not come back.
 * @throws {KithError} `not_found` if the user had not blocked it
 */
export async function unblockHost(
  deps: BlockHostDeps,
  by: Follower,
  text: string,
): Promise<void> {
  const host = readHost(text);
  await deps.db.transaction(async (tx) => {
    await deps.aspects.lock(tx, [by.userId]);
    if (host === undefined || !(await deleteHostBlock(tx, by.personId, host)))
      throw new KithError("not_found", "Not blocked.");
    await enqueueApply(deps, tx, by, host);
  });
}

/** Copies the blocks of servers of one person to another, who is a user here. */
export async function copyHostBlocks(
  deps: BlockHostDeps,
  tx: Tx,
  from: PersonId,
  to: Follower,
): Promise<void> {
  const all = { offset: 0, limit: MAX_HOST_BLOCKS };
  const now = timestamp(deps.clock.now());
  for (const { host } of await listHostBlocks(tx, from, all))
    if (await insertHostBlock(tx, to.personId, host, now)) {
      await deps.contacts.requests.endFrom(tx, to.userId, host);
      await enqueueApply(deps, tx, to, host);
    }
}

function enqueueApply(
  { jobs }: BlockHostDeps,
  tx: Tx,
  by: Follower,
  host: string,
): Promise<void> {
  const payload = { by: { userId: by.userId, personId: by.personId }, host };
  const lane = `${APPLY_HOST_BLOCK.name}:${by.personId}:${host}`;
  return jobs.enqueueUnlessWaiting(tx, APPLY_HOST_BLOCK, payload, { lane });
}

/** The host as it is written in handles. */
function readHost(text: string): string | undefined {
  const isHost = /^[^\s/?#@\\]+$/.test(text.trim());
  return isHost ? parseHandle(`x@${text.trim()}`)?.host : undefined;
}
