import type { Reader } from "../../db/db.ts";
import type { Contacts } from "../../features/contacts/index.ts";
import type { Person } from "../../features/people/index.ts";
import type { Limits } from "../../lib/limits/limits.ts";

const DAY_MS = 24 * 3_600_000;
/** More than a person sends to non-followers in a day. */
const OF_PERSON = 1_000;
/**
 * One host can create any number of people; and many people like a popular
 * post.
 */
const OF_HOST = 50_000;

/**
 * Limits the posts, comments, likes and pictures that are accepted per day from
 * people without local followers. Anyone can follow, mention and answer local
 * users; only following is the users' own choice.
 */
export type Strangers = {
  /**
   * Counts one, if the person has no local followers. @returns false if the
   * person or the server is over the limit
   */
  admit(person: Counted, reader?: Reader): Promise<boolean>;
  /**
   * Admits one object of the person within the limit, and counts it only if it was new: anyone may
   * replay signed objects, and must not use up their author's limit. However often the
   * returned function is called, as a transaction that runs again does, it counts once.
   */
  admitOnce(person: Counted): AdmitNew;
  /** The same for a person known to have no local followers. */
  take(person: Counted): boolean;
};

/**
 * @param isFollowed by a local user
 * @param store resolves with whether it was new
 */
type AdmitNew = (
  isFollowed: boolean,
  store: () => Promise<boolean>,
) => Promise<boolean>;

type Counted = Pick<Person, "handle" | "id" | "userId">;

export function createStrangers({
  limits,
  factor,
  contacts,
}: {
  readonly limits: Limits;
  /** Multiplies the limits. */
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
    admitOnce: (person) => {
      let isCounted = false;
      return async (isFollowed, store) => {
        if (isFollowed || person.userId !== null) return store();
        // Counted in advance, so that concurrent objects do not exceed the limit.
        if (!isCounted && !take(person)) return false;
        isCounted = true;
        let isNew = false;
        try {
          isNew = await store();
        } finally {
          if (!isNew) giveBack(person);
          isCounted = isNew;
        }
        return isNew;
      };
    },
  };
}
