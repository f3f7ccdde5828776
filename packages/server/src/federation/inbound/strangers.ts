import type { Reader } from "../../db/db.ts";
import type { Contacts } from "../../features/contacts/index.ts";
import type { Person } from "../../features/people/index.ts";
import type { Clock } from "../../lib/clock.ts";
import { createRateLimit } from "../../lib/rate-limit.ts";

const DAY_MS = 24 * 3_600_000;
/** More than anybody says to people who do not follow them. */
const OF_PERSON = { max: 500, windowMs: DAY_MS };
/** As many people as it likes are of one server. */
const OF_HOST = { max: 10_000, windowMs: DAY_MS };

/**
 * Limits how many posts, comments, likes and pictures of somebody whom nobody here
 * follows are taken in a day. Anybody can follow people here, name them and answer them; only whom
 * they follow they chose themselves.
 */
export type Strangers = {
  /** Counts one where it is a stranger's. @returns false where that one, or its server, had its share */
  admit(person: Counted, reader?: Reader): Promise<boolean>;
  /** The same for one of whom it is known that nobody here follows it. */
  take(person: Counted): boolean;
};

type Counted = Pick<Person, "handle" | "id" | "userId">;

export function createStrangers({
  clock,
  contacts,
}: {
  readonly clock: Clock;
  readonly contacts: Pick<Contacts, "hasFollowersHere">;
}): Strangers {
  const ofPerson = createRateLimit({ clock, ...OF_PERSON });
  const ofHost = createRateLimit({ clock, ...OF_HOST });
  const take = ({ id, handle }: Counted) => {
    const host = handle.slice(handle.lastIndexOf("@") + 1);
    if (ofHost.isSpent(host)) return false;
    return ofPerson.take(String(id)) && ofHost.take(host);
  };
  return {
    take,
    admit: async (person, reader) =>
      person.userId !== null ||
      (await contacts.hasFollowersHere(person.id, reader)) ||
      take(person),
  };
}
