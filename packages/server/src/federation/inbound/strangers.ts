import type { Reader } from "../../db/db.ts";
import type { Contacts } from "../../features/contacts/index.ts";
import type { Person } from "../../features/people/index.ts";
import type { Limits } from "../../lib/limits/limits.ts";

const DAY_MS = 24 * 3_600_000;
/** More than anybody says in a day to people who do not follow them. */
const OF_PERSON = 1_000;
/** Anybody can make as many people as they like; many like a post of which everybody speaks. */
const OF_HOST = 50_000;

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
  limits,
  factor,
  contacts,
}: {
  readonly limits: Limits;
  /** How many times as much is taken. */
  readonly factor: number;
  readonly contacts: Pick<Contacts, "hasFollowersHere">;
}): Strangers {
  const limit = (by: string, max: number) =>
    limits.create("stranger", by, { max: max * factor, windowMs: DAY_MS });
  const ofPerson = limit("person", OF_PERSON);
  const ofHost = limit("host", OF_HOST);
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
