import type { Note } from "@kith/activitypub";
import type { PersonId } from "../../../features/ids.ts";
import type { People, Person } from "../../../features/people/index.ts";
import { formatHandle } from "../../../lib/handle.ts";
import type { Uris } from "./uris.ts";

export type FindLocalDeps = {
  readonly people: People;
  readonly uris: Uris;
  /** `host[:port]` of local handles. */
  readonly handleHost: string;
};

const MAX_MENTIONS = 100;

/** Finds a local person by actor id. */
export async function findLocal(
  deps: FindLocalDeps,
  uri: string,
): Promise<Person | undefined> {
  const username = deps.uris.usernameOf(uri);
  return username === undefined ? undefined : findByUsername(deps, username);
}

/** Finds a local person by username. */
export async function findByUsername(
  { people, handleHost }: Omit<FindLocalDeps, "uris">,
  username: string,
): Promise<Person | undefined> {
  const handle = formatHandle({ name: username, host: handleHost });
  const person = await people.find({ handle });
  return person && isHere(person) ? person : undefined;
}

function isHere({ userId, state }: Person): boolean {
  return userId !== null && state === "active";
}

/**
 * The local people among these actor ids, each once, in order; found in one
 * query.
 */
export async function listLocal(
  { people, uris, handleHost }: FindLocalDeps,
  given: Iterable<string>,
): Promise<Person[]> {
  const handles = new Set<string>();
  for (const uri of given) {
    const name = uris.usernameOf(uri);
    if (name !== undefined)
      handles.add(formatHandle({ name, host: handleHost }));
  }
  const found = await people.listByHandle(handles);
  return [...handles].flatMap((handle) => {
    const person = found.get(handle);
    return person && isHere(person) ? [person] : [];
  });
}

/**
 * The local people mentioned by its tags: in its HTML they are links like any
 * other.
 */
export async function listMentionedUsers(
  deps: FindLocalDeps,
  { tags }: Note,
): Promise<PersonId[]> {
  const hrefs = tags.flatMap((tag) =>
    tag.type === "Mention" && tag.href !== undefined ? [tag.href] : [],
  );
  const found = await listLocal(deps, hrefs.slice(0, MAX_MENTIONS));
  return found.map(({ id }) => id);
}
