import type { Db } from "../../../db/db.ts";
import type { ChosenAudience, Session } from "../account.ts";
import {
  findLastAudiences,
  updateLastAudiences,
} from "../stores/session-store.ts";

/** More of them are forgotten, the oldest first. */
const MAX_PLACES = 50;

/** The audiences that were chosen last in a session, by the place where it was. */
export function createLastAudiences({ db }: { readonly db: Db }) {
  return {
    find: async (
      session: Session,
      place: string,
    ): Promise<ChosenAudience | undefined> => {
      const all = await findLastAudiences(db.read, session);
      return all.find(([name]) => name === place)?.[1];
    },
    /** A session that has ended meanwhile keeps nothing. */
    keep: async (
      session: Session,
      place: string,
      audience: ChosenAudience,
    ): Promise<void> => {
      await db.transaction(async (tx) => {
        const all = await findLastAudiences(tx, session);
        const others = all.filter(([name]) => name !== place);
        await updateLastAudiences(tx, session, [
          ...others.slice(1 - MAX_PLACES),
          [place, audience],
        ]);
      });
    },
  };
}
