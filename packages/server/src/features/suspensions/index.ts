import { formatHandle, parseHandle } from "../../lib/handle.ts";
import { createTtlCache } from "../../lib/caching/ttl-cache.ts";
import type { Role } from "../accounts/index.ts";
import type { PersonId, UserId } from "../ids.ts";
import type { Page } from "../page.ts";
import type { Person, PersonDecision } from "../people/index.ts";
import { decide, type DecideDeps, type DecideInput } from "./decide.ts";
import { listPersonIds, type DecidedState } from "./decision-queries.ts";

export type { Decider, Decision } from "./decide.ts";
export type { DecidedState } from "./decision-queries.ts";

export type SuspensionsDeps = DecideDeps & {
  /** `host[:port]` of the handles here. */
  readonly handleHost: string;
};

/** One person as those see it who decide about it. */
export type DecidedPerson = {
  readonly person: Person;
  /** null for people elsewhere. */
  readonly role: Role | null;
  readonly decision: PersonDecision;
};

/** How long another process may not know of a suspension, and still send what was waiting. */
const KEEP_MS = 5_000;

/** What is decided of single people, here and elsewhere: that nothing of them is shown or taken, or that strangers do not hear of them. */
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
    /** May nothing be sent in the name of this user? */
    isUserSuspended: async (userId: UserId): Promise<boolean> =>
      (await suspended.get()).has(userId),
    /** For moderators alone: a person whatever was decided of it. */
    find: async (id: PersonId): Promise<DecidedPerson | undefined> => {
      const person = await people.find({ id });
      return person && describe(person);
    },
    /** The same by a handle, as somebody types it; a name alone is of somebody here. */
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
