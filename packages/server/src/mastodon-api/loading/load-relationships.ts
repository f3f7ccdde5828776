import type { SignedIn } from "../../features/accounts/index.ts";
import type { Contact, FollowChoices } from "../../features/contacts/index.ts";
import type { PersonId } from "../../features/ids.ts";
import type { Person } from "../../features/people/index.ts";
import { toWireId, toWireTime, type Entity } from "../kit/wire.ts";
import type { MastodonDeps } from "./deps.ts";

/** Presents how the user and these people stand to each other, in their order. */
export async function loadRelationships(
  { blocks, contacts, people, personNotes }: MastodonDeps,
  { userId, personId }: SignedIn,
  ids: readonly PersonId[],
): Promise<Entity[]> {
  const [found, known, asking, notes, distances, hosts] = await Promise.all([
    people.listById(ids),
    contacts.listAmong(userId, ids),
    contacts.requests.listAmong(userId, ids),
    personNotes.listAmong(userId, ids),
    blocks.listDistances(personId, ids),
    blocks.listHosts(personId, ALL_HOSTS),
  ]);
  const blockedHosts = new Set(hosts.map(({ host }) => host));
  return [...new Set(ids)].flatMap((id) => {
    const person = found.get(id);
    if (person?.state !== "active") return [];
    const { isBlocked, isBlocking, ignore } = distances(id);
    return [
      {
        id: toWireId(id),
        ...presentFollowing(person, known.get(id)),
        followed_by: known.get(id)?.sharing ?? false,
        blocking: isBlocked,
        blocked_by: isBlocking,
        muting: ignore !== undefined,
        muting_notifications: ignore !== undefined,
        muting_expires_at: ignore?.endsAt ? toWireTime(ignore.endsAt) : null,
        requested_by: asking.has(id),
        domain_blocking: blockedHosts.has(hostOf(person)),
        note: notes.get(id) ?? "",
      },
    ];
  });
}

const ALL_HOSTS = { offset: 0, limit: 1_000 };

const hostOf = ({ handle }: Person): string =>
  handle.slice(handle.lastIndexOf("@") + 1);

/** A follow counts once it is confirmed, if the person confirms follows. */
function presentFollowing(
  person: Person,
  contact: Contact | undefined,
): Entity {
  const isAdded = contact?.following ?? false;
  const isFollowing =
    isAdded && (contact?.isConfirmed || person.protocol === "diaspora");
  return {
    following: isFollowing,
    ...presentChoices(isAdded ? contact?.choices : undefined),
    requested: isAdded && !isFollowing && !contact?.isRefused,
  };
}

/** @param choices undefined for somebody whom the user does not follow, nor asks to */
const presentChoices = (choices: FollowChoices | undefined): Entity => ({
  showing_reblogs: choices?.reshares ?? false,
  notifying: choices?.notify ?? false,
  languages: choices?.languages.length ? choices.languages : null,
  endorsed: choices?.featured ?? false,
});

/** Presents how the user stands to one person. */
export async function loadRelationship(
  deps: MastodonDeps,
  user: SignedIn,
  id: PersonId,
): Promise<Entity> {
  const [relationship] = await loadRelationships(deps, user, [id]);
  if (!relationship) throw new Error("The relationship cannot be presented");
  return relationship;
}
