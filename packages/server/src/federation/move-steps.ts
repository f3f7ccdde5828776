import type { Contacts } from "../features/contacts/index.ts";
import type { Leaving } from "../features/leaving/index.ts";
import type { Moves, MovingStep } from "../features/moves/index.ts";
import type { Person } from "../features/people/index.ts";
import type { Outgoing } from "./outbound/outgoing.ts";

type FirstMovingStepDeps = {
  readonly contacts: Contacts;
  readonly leaving: Leaving;
  readonly moves: Moves;
  /** Whether the new actor says itself that it is the old one, too. */
  readonly namesAsAlias: (to: Person, from: Person) => Promise<boolean>;
  readonly tell: (outgoing: Outgoing) => Promise<void>;
};

/**
 * While it is still known who has to do with the old person, they are told. Of
 * somebody who leaves here everybody is; of somebody who comes here its own
 * contacts are, and the old server, which tells the others.
 */
export function createFirstMovingStep(deps: FirstMovingStepDeps): MovingStep {
  const { contacts, leaving, moves, namesAsAlias, tell } = deps;
  return {
    name: "tell",
    run: async ({ from, to, withContent }) => {
      const found = withContent ? await moves.findDocument(from.id) : undefined;
      const document = found ?? null;
      if (from.userId !== null) {
        const isAlias = await namesAsAlias(to, from);
        // The new server, too: somebody there may keep the old person away.
        const audience = [...(await leaving.listAudience(from.id)), to.id];
        const move = { from, to, document, isAlias, audience };
        await tell({ kind: "move", by: from, ...move });
      } else if (to.userId !== null && document !== null) {
        const audience = [...(await contacts.listIds(to.userId)), from.id];
        const move = { from, to, document, isAlias: false, audience };
        await tell({ kind: "move", by: to, ...move });
      }
      return false;
    },
  };
}
