import { readAudience } from "@kith/activitypub";
import type { Reader } from "../../../../db/db.ts";
import type { Contacts } from "../../../../features/contacts/index.ts";
import type { PersonId } from "../../../../features/ids.ts";
import type { People, Person } from "../../../../features/people/index.ts";
import { listLocal, type FindLocalDeps } from "../../records/find-local.ts";

export type ReadRecipientsDeps = FindLocalDeps & {
  readonly people: People;
  readonly contacts: Contacts;
};

/** People here whom one document can address. Whose inbox it came to is one more. */
const MAX_ADDRESSED_HERE = 1000;

/** Who may see what came: everybody, or some of the people here. */
export type Recipients = {
  readonly public: boolean;
  readonly listed: boolean;
  /** People here whom it names, and for followers those whose Follow was accepted. */
  readonly people: readonly PersonId[];
};

/** @param recipient whose own inbox it came to */
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
  // A Follow that waits, or was refused, gives nothing, although the message came here for somebody else's sake.
  if (scope === "followers")
    for (const id of await deps.contacts.listLocalFollowerIds(author.id))
      people.add(id);
  // Some servers leave the reader out of the document that they bring to its own inbox.
  if (recipient && scope === "direct") people.add(recipient.id);
  return {
    public: scope === "public" || scope === "unlisted",
    listed: scope === "public",
    people: [...people],
  };
}

/** `isWanted`: somebody here asked for it, or for all that passes a group or relay. */
export type NoteAudience = Recipients & { readonly isWanted: boolean };

/**
 * For whom here a Note is.
 * @param isWanted a group that is followed here, or a relay, has passed it on
 */
export async function findAudience(
  deps: ReadRecipientsDeps,
  note: { readonly to: string[]; readonly cc: string[] },
  author: Person,
  recipient: Person | null,
  isWanted = false,
): Promise<NoteAudience> {
  const named = await readRecipients(deps, note, author, recipient);
  // What a group passes on is for everyone, or for nobody here.
  return { ...named, isWanted: isWanted && named.public };
}

/** Is it kept? What is for nobody here in particular only where somebody here and its author have to do with each other. */
export async function isRelevant(
  { contacts }: Pick<ReadRecipientsDeps, "contacts">,
  author: Person,
  { people, isWanted }: NoteAudience,
  reader?: Reader,
): Promise<boolean> {
  if (isWanted || people.length > 0) return true;
  return contacts.isRelatedToAnybody(author.id, reader);
}
