import { KithError } from "../../lib/errors.ts";
import type { Person } from "../people/index.ts";
import type { Strike } from "../strikes/index.ts";
import {
  checkAccount,
  decideWithin,
  type DecideDeps,
  type Decider,
} from "./decide.ts";

/** How a decision that an appeal succeeds against is undone; a text that is gone stays gone. */
const UNDONE_BY = { suspend: "unsuspend", silence: "unsilence" } as const;

/**
 * Decides an appeal, and undoes what it succeeds against.
 * @throws {KithError} `not_found`; `conflict` if it was decided already; `forbidden` for one's
 *   own appeal, and if the decider's role does not reach over the person
 */
export async function settleAppeal(
  deps: DecideDeps,
  by: Decider,
  id: number,
  accepted: boolean,
): Promise<void> {
  const { db, people, strikes, audit } = deps;
  await db.transaction(async (tx) => {
    const strike = await strikes.appeals.find(id, tx);
    const person = strike && (await people.find({ id: strike.personId }, tx));
    if (!strike || person?.userId == null || person.state === "closed")
      throw new KithError("not_found", "There is no such appeal.");
    const wanted = { by, decision: "unsuspend" } as const;
    await checkAccount(deps, tx, person.userId, wanted);
    await strikes.settle(tx, strike, accepted);
    await audit.recordAct(tx, {
      ...{ by, action: accepted ? "appeal.accept" : "appeal.reject" },
      ...{ target: person.handle, details: `${strike.action} ${strike.id}` },
    });
    if (accepted) await undo(deps, by, strike, person, tx);
  });
}

async function undo(
  deps: DecideDeps,
  by: Decider,
  { action }: Strike,
  person: Person,
  tx: Parameters<typeof decideWithin>[1],
): Promise<void> {
  if (action !== "suspend" && action !== "silence") return;
  const decision = UNDONE_BY[action];
  await decideWithin(deps, tx, person, { by, personId: person.id, decision });
}
