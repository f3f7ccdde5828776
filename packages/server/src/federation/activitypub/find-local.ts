import type { Note } from "@kith/activitypub";
import type { PersonId } from "../../features/ids.ts";
import type { People, Person } from "../../features/people/index.ts";
import { formatHandle } from "../../lib/handle.ts";
import type { Uris } from "./uris.ts";

export type FindLocalDeps = {
  readonly people: People;
  readonly uris: Uris;
  /** `host[:port]` of the handles here. */
  readonly handleHost: string;
};

const MAX_MENTIONS = 100;

/** A person here by actor id. */
export async function findLocal(
  deps: FindLocalDeps,
  uri: string,
): Promise<Person | undefined> {
  const username = deps.uris.usernameOf(uri);
  return username === undefined ? undefined : findByUsername(deps, username);
}

/** A person here by username. */
export async function findByUsername(
  { people, handleHost }: Omit<FindLocalDeps, "uris">,
  username: string,
): Promise<Person | undefined> {
  const handle = formatHandle({ name: username, host: handleHost });
  const person = await people.find({ handle });
  return person?.userId != null && person.state === "active"
    ? person
    : undefined;
}

/** The people here whom it names by a tag: in its HTML they are links like any other. */
export async function listMentioned(
  deps: FindLocalDeps,
  { tags }: Note,
): Promise<PersonId[]> {
  const hrefs = tags.flatMap((tag) =>
    tag.type === "Mention" && tag.href !== undefined ? [tag.href] : [],
  );
  const found = new Set<PersonId>();
  for (const uri of new Set(hrefs.slice(0, MAX_MENTIONS))) {
    const person = await findLocal(deps, uri);
    if (person) found.add(person.id);
  }
  return [...found];
}
