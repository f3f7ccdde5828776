import { DONE, type JobHandler } from "../../jobs/job.ts";
import { KithError } from "../../lib/errors.ts";
import type { Follower } from "../contacts/index.ts";
import type { PersonId } from "../ids.ts";
import { block, unblock, type BlockDeps } from "./block.ts";
import {
  findHostBlock,
  listSomeBlockedOn,
  listSomeContactsOn,
} from "./host-block-store.ts";

const AT_ONCE = 50;

/**
 * Blocks each contact on a blocked host, which ends the contact on both sides and notifies
 * their server; or unblocks them once the host is unblocked. Each in a transaction of its own:
 * somebody may have thousands. A repetition finds what is left.
 */
export function createApplyHostBlock(
  deps: BlockDeps,
): JobHandler<{ readonly by: Follower; readonly host: string }> {
  return async ({ by, host }) => {
    for (;;) {
      const { read } = deps.db;
      const isBlocked =
        (await findHostBlock(read, by.personId, host)) !== undefined;
      const some = isBlocked
        ? await listSomeContactsOn(read, by, host, AT_ONCE)
        : await listSomeBlockedOn(read, by.personId, host, AT_ONCE);
      if (some.length === 0) return DONE;
      for (const id of some)
        await unlessGone(() => change(deps, by, id, isBlocked));
    }
  };
}

async function change(
  deps: BlockDeps,
  by: Follower,
  id: PersonId,
  isBlocked: boolean,
): Promise<void> {
  if (isBlocked) await block(deps, by, id, true);
  else await unblock(deps, by, id, true);
}

/** Somebody may leave, or be unblocked, meanwhile: the next list does not hold them. */
async function unlessGone(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof KithError && error.code === "not_found"))
      throw error;
  }
}
