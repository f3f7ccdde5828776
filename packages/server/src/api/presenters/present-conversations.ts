import type { SignedIn } from "../../features/accounts/index.ts";
import type { Contacts } from "../../features/contacts/index.ts";
import type {
  Conversation,
  Conversations,
  PrivateMessage,
} from "../../features/conversations/index.ts";
import type { PersonId } from "../../features/ids.ts";
import type { People, Person } from "../../features/people/index.ts";
import type { Photo, Photos } from "../../features/photos/index.ts";
import {
  presentPerson,
  presentPhotos,
  type WireRecord,
} from "../schemas/records.ts";

export type PresentConversationsDeps = {
  readonly contacts: Contacts;
  readonly conversations: Conversations;
  readonly people: People;
  readonly photos: Photos;
};

/** @param invited the people who are to get it for the first time */
export async function presentConversations(
  deps: PresentConversationsDeps,
  user: SignedIn,
  list: readonly Conversation[],
  invited: readonly PersonId[] = [],
): Promise<WireRecord[]> {
  const { conversations, people, photos } = deps;
  const ids = list.map(({ id }) => id);
  const participants = await conversations.listParticipantIds(ids);
  const newest = await conversations.listNewestMessages(user, ids);
  const known = await people.listById(
    new Set([
      ...[...participants.values()].flat(),
      ...[...newest.values()].map(({ personId }) => personId),
    ]),
  );
  const attached = await photos.listOfMessages(
    [...newest.values()].map(({ id }) => id),
  );
  const around = { known, attached, urlOf: photos.urlOf };
  const late = await listUnreached(deps, user, invited);
  return list.map((conversation) => {
    const message = newest.get(conversation.id);
    return {
      ID: conversation.id,
      CreatedAt: conversation.createdAt,
      UpdatedAt: message?.createdAt ?? conversation.createdAt,
      Guid: conversation.guid,
      PersonID: conversation.personId,
      Subject: conversation.subject,
      State: conversation.state,
      Unread: conversation.unread,
      Participants: (participants.get(conversation.id) ?? []).flatMap((id) => {
        const person = known.get(id);
        return person ? [presentPerson(person)] : [];
      }),
      LastMessage: message ? presentMessage(message, around) : null,
      ...(late.length > 0 && { MayNotArrive: late }),
    };
  });
}

/** diaspora* servers take a conversation only from people with whom the recipient shares. */
async function listUnreached(
  { contacts, people }: PresentConversationsDeps,
  { userId }: SignedIn,
  invited: readonly PersonId[],
): Promise<PersonId[]> {
  const unreached: PersonId[] = [];
  for (const person of (await people.listById(invited)).values()) {
    const { id, userId: localId, protocol } = person;
    if (localId !== null || protocol !== "diaspora") continue;
    if ((await contacts.find(userId, id))?.sharing !== true) unreached.push(id);
  }
  return unreached;
}

export async function presentMessages(
  { people, photos }: PresentConversationsDeps,
  list: readonly PrivateMessage[],
): Promise<WireRecord[]> {
  const known = await people.listById(list.map(({ personId }) => personId));
  const attached = await photos.listOfMessages(list.map(({ id }) => id));
  const around = { known, attached, urlOf: photos.urlOf };
  return list.map((message) => presentMessage(message, around));
}

function presentMessage(
  message: PrivateMessage,
  {
    known,
    attached,
    urlOf,
  }: {
    readonly known: ReadonlyMap<PersonId, Person>;
    readonly attached: ReadonlyMap<number, readonly Photo[]>;
    readonly urlOf: Photos["urlOf"];
  },
): WireRecord {
  const person = known.get(message.personId);
  return {
    ID: message.id,
    CreatedAt: message.createdAt,
    UpdatedAt: message.updatedAt,
    Guid: message.guid,
    ConversationID: message.postId,
    PersonID: message.personId,
    Text: message.text,
    Person: person ? presentPerson(person) : null,
    ...presentPhotos(attached.get(message.id), urlOf),
  };
}
