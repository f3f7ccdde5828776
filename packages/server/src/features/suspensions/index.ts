import { formatHandle, parseHandle } from "../../lib/handle.ts";
import { createTtlCache } from "../../lib/caching/ttl-cache.ts";
import type { Role } from "../accounts/index.ts";
import type { PersonId, UserId } from "../ids.ts";
import type { Page } from "../page.ts";
import type { Person, PersonDecision } from "../people/index.ts";
import {
  decide,
  type DecideDeps,
  type DecideInput,
  type Decider,
} from "./decide.ts";
import { settleAppeal } from "./settle-appeal.ts";
import { listPersonIds, type DecidedState } from "./decision-queries.ts";

export type { Decider, Decision } from "./decide.ts";
export type { DecidedState } from "./decision-queries.ts";

export type SuspensionsDeps = DecideDeps & {
  /** `host[:port]` of local handles. */
  readonly handleHost: string;
};

/** A person with the decisions about them, for moderators. */
export type DecidedPerson = {
  readonly person: Person;
  /** null for remote people. */
  readonly role: Role | null;
  readonly decision: PersonDecision;
};

/**
 * For how long another process may not know of a suspension, and still deliver queued
 * messages.
 */
const KEEP_MS = 5_000;

/**
 * Decisions about single people, local and remote: suspended people are hidden and nothing
 * of theirs is accepted; silenced people are not listed for strangers.
 */
export type Suspensions = ReturnType<typeof createSuspensions>;

export function createSuspensions(deps: SuspensionsDeps) {
  const { db, clock, accounts, people, handleHost } = deps;
  const suspended = createTtlCache(clock, KEEP_MS, people.listSuspendedUsers);

  async function describe(person: Person): Promise<DecidedPerson> {
    const account =
      person.userId === null
        ? undefined
        : await accounts.findById(person.userId);
    return {
      person,
      role: account?.role ?? null,
      decision: await people.findDecision(person.id),
    };
  }

  return {
    /** @throws {KithError} see `decide` */
    decide: async (input: DecideInput): Promise<boolean> => {
      const isChanged = await decide(deps, input);
      suspended.forget();
      return isChanged;
    },
    /** Decides an appeal, and undoes the decision. @throws {KithError} see `settleAppeal` */
    settleAppeal: async (
      by: Decider,
      id: number,
      accepted: boolean,
    ): Promise<void> => {
      await settleAppeal(deps, by, id, accepted);
      suspended.forget();
    },
    /** Is this user suspended, so that nothing may be sent in the user's name? */
    isUserSuspended: async (userId: UserId): Promise<boolean> =>
      (await suspended.get()).has(userId),
    /** For moderators alone: a person regardless of any decision. */
    find: async (id: PersonId): Promise<DecidedPerson | undefined> => {
      const person = await people.find({ id });
      return person && describe(person);
    },
    /** The same by a handle as typed; a bare name is a local person. */
    findByHandle: async (typed: string): Promise<DecidedPerson | undefined> => {
      const handle =
        parseHandle(typed) ??
        parseHandle(`${typed.trim().replace(/^@/, "")}@${handleHost}`);
      const person =
        handle && (await people.find({ handle: formatHandle(handle) }));
      return person && describe(person);
    },
    /** For moderators alone, newest person first. */
    list: async (
      state: DecidedState | undefined,
      page: Page,
    ): Promise<DecidedPerson[]> => {
      const ids = await listPersonIds(db.read, state, page);
      const found = await people.listById(ids);
      const some = ids.flatMap((id) => found.get(id) ?? []);
      return Promise.all(some.map(describe));
    },
  };
}
