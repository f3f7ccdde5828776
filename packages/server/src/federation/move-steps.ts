import type { Contacts } from "../features/contacts/index.ts";
import type { Leaving } from "../features/leaving/index.ts";
import type { Moves, MovingStep } from "../features/moves/index.ts";
import type { Person } from "../features/people/index.ts";
import type { Outgoing } from "./outbound/outgoing.ts";

type FirstMovingStepDeps = {
  readonly contacts: Contacts;
  readonly leaving: Leaving;
  readonly moves: Moves;
  /** Does the new actor confirm the old one as its alias? */
  readonly namesAsAlias: (to: Person, from: Person) => Promise<boolean>;
  readonly send: (outgoing: Outgoing) => Promise<void>;
};

/**
 * Notifies the recipients while they are still known: everyone concerned, if
 * the person leaves this server; the local contacts and the old server, which
 * notifies the others, if the person comes here.
 */
export function createFirstMovingStep(deps: FirstMovingStepDeps): MovingStep {
  const { contacts, leaving, moves, namesAsAlias, send } = deps;
  return {
    name: "tell",
    run: async ({ from, to, withContent }) => {
      const found = withContent ? await moves.findDocument(from.id) : undefined;
      const document = found ?? null;
      if (from.userId !== null) {
        const isAlias = await namesAsAlias(to, from);
        // Including the new server: a user there may have blocked the old
        // person.
        const audience = [...(await leaving.listAudience(from.id)), to.id];
        const move = { from, to, document, isAlias, audience };
        await send({ kind: "move", by: from, ...move });
      } else if (to.userId !== null && document !== null) {
        const audience = [...(await contacts.listIds(to.userId)), from.id];
        const move = { from, to, document, isAlias: false, audience };
        await send({ kind: "move", by: to, ...move });
      }
      return false;
    },
  };
}
