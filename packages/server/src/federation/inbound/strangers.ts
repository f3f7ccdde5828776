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
  /**
   * Stores one thing where there is room, and counts it where it is new: anybody may send
   * again what its author signed, and must not use up the author's share.
   * @param store says whether it was new
   */
  admitNew(
    person: Counted,
    store: () => Promise<boolean>,
    reader?: Reader,
  ): Promise<boolean>;
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
  const hostOf = ({ handle }: Counted) =>
    handle.slice(handle.lastIndexOf("@") + 1);
  const take = (person: Counted) => {
    const host = hostOf(person);
    if (ofHost.isSpent(host)) return false;
    return ofPerson.take(String(person.id)) && ofHost.take(host);
  };
  const giveBack = (person: Counted) => {
    ofPerson.giveBack(String(person.id));
    ofHost.giveBack(hostOf(person));
  };
  const isStranger = async (person: Counted, reader?: Reader) =>
    person.userId === null &&
    !(await contacts.hasFollowersHere(person.id, reader));
  return {
    take,
    admit: async (person, reader) =>
      !(await isStranger(person, reader)) || take(person),
    admitNew: async (person, store, reader) => {
      if (!(await isStranger(person, reader))) return store();
      // Taken at first, so that of many at once none is one too many.
      if (!take(person)) return false;
      let isNew = false;
      try {
        isNew = await store();
      } finally {
        if (!isNew) giveBack(person);
      }
      return isNew;
    },
  };
}
