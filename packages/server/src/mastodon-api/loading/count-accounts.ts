import type { Contacts } from "../../features/contacts/index.ts";
import type { PersonId } from "../../features/ids.ts";
import type { Person } from "../../features/people/index.ts";
import type { Posts } from "../../features/posts/index.ts";
import { createLruCache } from "../../lib/caching/lru-cache.ts";
import type { Clock } from "../../lib/time/clock.ts";
import { NO_COUNTS, type AccountCounts } from "../entities/account.ts";

/** Each status shows the counts of its author, which need not be of this second. */
const KEEP_MS = 60_000;
const MAX_KEPT = 10_000;

type CountDeps = {
  readonly contacts: Pick<Contacts, "countOfEach">;
  readonly posts: Pick<Posts, "countPublicOfEach">;
  readonly clock: Clock;
};

/** Counts what is shown of these people to everybody: of others' contacts nothing is known. */
export type CountAccounts = (
  people: Iterable<Person>,
  options?: { readonly areFresh: boolean },
) => Promise<ReadonlyMap<PersonId, AccountCounts>>;

export function createCountAccounts({
  contacts,
  posts,
  clock,
}: CountDeps): CountAccounts {
  const kept = createLruCache<PersonId, AccountCounts>({
    ...{ max: MAX_KEPT, keepMs: KEEP_MS, clock },
  });
  return async (people, { areFresh } = { areFresh: false }) => {
    const all = [...people];
    const found = new Map<PersonId, AccountCounts>();
    const missing: Person[] = [];
    for (const person of all) {
      const known = areFresh ? undefined : kept.get(person.id);
      if (known) found.set(person.id, known);
      else missing.push(person);
    }
    if (missing.length === 0) return found;
    const [related, written] = await Promise.all([
      contacts.countOfEach(missing.flatMap(({ userId }) => userId ?? [])),
      posts.countPublicOfEach(missing.map(({ id }) => id)),
    ]);
    for (const { id, userId } of missing) {
      const own = userId === null ? undefined : related.get(userId);
      const statuses = written.get(id);
      const counts = {
        ...{ ...NO_COUNTS, ...own },
        statuses: statuses?.count ?? 0,
        lastPostAt: statuses?.last ?? null,
      };
      kept.set(id, counts);
      found.set(id, counts);
    }
    return found;
  };
}
