import type { Reader } from "../../db/db.ts";
import type { PersonId } from "../../features/ids.ts";
import type { People, Person } from "../../features/people/index.ts";
import { findProfileUrl } from "./proven-origins.ts";
import { findPersonKey, type PersonKeyRow } from "./remote-key-store.ts";
import {
  storeRemotePerson,
  type DiscoveredPerson,
  type StoreDeps,
} from "./store-remote-person.ts";

/** Remote people: their addresses, keys and protocols. */
export type RemotePeople = ReturnType<typeof createRemotePeople>;

export function createRemotePeople(
  deps: StoreDeps & { readonly people: Pick<People, "listById"> },
) {
  const { db } = deps;
  return {
    store: (found: DiscoveredPerson): Promise<Person | undefined> =>
      storeRemotePerson(deps, found),
    /** An ActivityPub key by its full id. */
    findKey: (keyId: string): Promise<PersonKeyRow | undefined> =>
      findPersonKey(db.read, keyId),
    /** Finds a remote person by the page that its own server names. */
    findByPage: async (profileUrl: string): Promise<Person | undefined> => {
      const ids = await listByPage(db.read, profileUrl);
      const claiming = await deps.people.listById(ids);
      return ids
        .map((id) => claiming.get(id))
        .find((it) => it && findProfileUrl(it) === profileUrl);
    },
  };
}

/** More people than these claim one page only to impersonate others. */
const MAX_OF_PAGE = 10;

async function listByPage(
  reader: Reader,
  profileUrl: string,
): Promise<PersonId[]> {
  const rows = await reader
    .selectFrom("remote_people")
    .select("person_id")
    .where("profile_url", "=", profileUrl)
    .orderBy("person_id")
    .limit(MAX_OF_PAGE)
    .execute();
  return rows.map((row) => row.person_id);
}
