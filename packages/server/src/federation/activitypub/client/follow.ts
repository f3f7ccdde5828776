import type { Person } from "../../../features/people/index.ts";
import { KithError } from "../../../lib/errors.ts";
import { findByUsername } from "../records/find-local.ts";
import { derivedGuid } from "../records/uris.ts";
import { idOfObject, type ClientActivity } from "./client-activity.ts";
import type { ClientDeps, Owner } from "./deps.ts";
import { keepOwn } from "./keep-own.ts";

/** The name of the aspect for followed people, if there is none yet. */
const DEFAULT_ASPECT: Readonly<Record<string, string>> = {
  de: "Kontakte",
  en: "Contacts",
  es: "Contactos",
  fr: "Contacts",
  it: "Contatti",
  nl: "Contacten",
  pl: "Kontakty",
  pt: "Contatos",
};

/**
 * @throws {KithError} `not_found` for an unknown actor, `bad_request` for the
 *   own one
 */
export async function follow(
  deps: ClientDeps,
  owner: Owner,
  activity: ClientActivity,
): Promise<string> {
  const person = await findActor(deps, idOfObject(activity));
  if (!person) throw new KithError("not_found", "Nobody to follow.");
  const account = await deps.accounts.find(owner.username);
  const language = account?.locale.split("-")[0] ?? "en";
  const name = DEFAULT_ASPECT[language] ?? "Contacts";
  await deps.aspects.follow(owner, person.id, name);
  return keepFollowing(deps, owner, person.id, true);
}

/**
 * Ends the contact in all aspects. @throws {KithError} `not_found` if there is
 * none
 */
export async function unfollow(
  deps: ClientDeps,
  owner: Owner,
  personId: Person["id"],
): Promise<string> {
  await deps.aspects.unfollow(owner, personId);
  return keepFollowing(deps, owner, personId, false);
}

async function keepFollowing(
  deps: ClientDeps,
  owner: Owner,
  personId: Person["id"],
  following: boolean,
): Promise<string> {
  const { userId, personId: by } = owner;
  const contact = await deps.contacts.find(userId, personId);
  const requestGuid = contact?.requestGuid;
  if (requestGuid == null)
    throw new KithError("not_found", "The contact is gone meanwhile.");
  return keepOwn(
    deps,
    owner,
    {
      type: "contact.changed",
      userId,
      personId,
      following,
      requestGuid,
      by,
    },
    following ? requestGuid : derivedGuid("undo", requestGuid),
  );
}

export async function findActor(
  { uris, people, handleHost, searchActor }: ClientDeps,
  uri: string,
): Promise<Person | undefined> {
  const username = uris.usernameOf(uri);
  if (username !== undefined)
    return findByUsername({ people, handleHost }, username);
  return uris.isLocal(uri) ? undefined : searchActor(uri);
}
