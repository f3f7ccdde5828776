import { readAudience } from "@kith/activitypub";
import type { Reader } from "../../../db/db.ts";
import type { Contacts } from "../../../features/contacts/index.ts";
import type { PersonId } from "../../../features/ids.ts";
import type { People, Person } from "../../../features/people/index.ts";
import { listLocal, type FindLocalDeps } from "../records/find-local.ts";

export type ReadRecipientsDeps = FindLocalDeps & {
  readonly people: People;
  readonly contacts: Contacts;
};

/** The limit of local people whom one document can address, beside the owner of the inbox. */
const MAX_ADDRESSED_HERE = 1000;

/** The readers of a received object: everyone, or some local people. */
export type Recipients = {
  readonly public: boolean;
  readonly listed: boolean;
  /**
   * The local people whom it names; for an audience of followers, those whose Follow was accepted.
   */
  readonly people: readonly PersonId[];
};

/** @param recipient owner of the inbox that it arrived at */
export async function readRecipients(
  deps: ReadRecipientsDeps,
  { to, cc }: { readonly to: string[]; readonly cc: string[] },
  author: Person,
  recipient: Person | null,
): Promise<Recipients> {
  const { followersUri } = author.addresses;
  const { scope, addressed } = readAudience(to, cc, followersUri ?? undefined);
  const people = new Set<PersonId>();
  const here = addressed.filter((uri) => deps.uris.usernameOf(uri));
  const named = await listLocal(deps, here.slice(0, MAX_ADDRESSED_HERE));
  for (const { id } of named) people.add(id);
  // A pending or refused Follow gives no access, although the message came here for another
  // follower.
  if (scope === "followers")
    for (const id of await deps.contacts.listLocalFollowerIds(author.id))
      people.add(id);
  // Some servers omit the recipient from a document delivered to their own inbox.
  if (recipient && scope === "direct") people.add(recipient.id);
  return {
    public: scope === "public" || scope === "unlisted",
    listed: scope === "public",
    people: [...people],
  };
}

/** `isWanted`: a local person asked for it, or for everything that a group or relay forwards. */
export type NoteAudience = Recipients & { readonly isWanted: boolean };

/**
 * Finds the local audience of a Note.
 * @param isWanted it was forwarded by a group that is followed here, or by a relay
 */
export async function findAudience(
  deps: ReadRecipientsDeps,
  note: { readonly to: string[]; readonly cc: string[] },
  author: Person,
  recipient: Person | null,
  isWanted = false,
): Promise<NoteAudience> {
  const named = await readRecipients(deps, note, author, recipient);
  // A group's forwarded post is for everyone, or for no local person.
  return { ...named, isWanted: isWanted && named.public };
}

/** Is it private, and nobody here among its readers? As while a Follow is still to be accepted. */
export function isForNobodyHere(audience: Recipients): boolean {
  return !audience.public && audience.people.length === 0;
}

/**
 * Is it stored? Without a particular local recipient, only where its author is related to a local
 * person.
 */
export async function isRelevant(
  { contacts }: Pick<ReadRecipientsDeps, "contacts">,
  author: Person,
  { people, isWanted }: NoteAudience,
  reader?: Reader,
): Promise<boolean> {
  if (isWanted || people.length > 0) return true;
  return contacts.isRelatedToAnybody(author.id, reader);
}
