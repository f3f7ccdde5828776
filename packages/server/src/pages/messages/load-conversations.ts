import type { SignedIn } from "../../features/accounts/index.ts";
import type {
  Conversation,
  PrivateMessage,
} from "../../features/conversations/index.ts";
import { photosView } from "../posts/attached/photos-view.ts";
import { excerpt, findMentioned, renderPostText } from "../posts/post-text.ts";
import type { PagesContext } from "../session/visitor.ts";
import type { ListedConversation, ShownMessage } from "./messages-view.ts";

const EXCERPT_LENGTH = 120;

/** The data of listed conversations, read once for all of them. */
export async function loadConversations(
  { conversations, people }: PagesContext,
  user: SignedIn,
  list: readonly Conversation[],
): Promise<ListedConversation[]> {
  const ids = list.map(({ id }) => id);
  const [participants, newest] = await Promise.all([
    conversations.listParticipantIds(ids),
    conversations.listNewestMessages(user, ids),
  ]);
  const known = await people.listById(
    new Set([...participants.values()].flat()),
  );
  return list.map((conversation) => {
    const message = newest.get(conversation.id);
    const others = participants.get(conversation.id) ?? [];
    return {
      ...{ conversation, newest: message },
      others: others
        .filter((id) => id !== user.personId)
        .flatMap((id) => known.get(id) ?? []),
      words: message ? excerpt(message.text, EXCERPT_LENGTH) : "",
    };
  });
}

export async function loadMessages(
  context: PagesContext,
  messages: readonly PrivateMessage[],
): Promise<ShownMessage[]> {
  const authors = messages.map(({ personId }) => personId);
  const [people, photos, mentioned] = await Promise.all([
    context.people.listById(authors),
    context.photos.listOfMessages(messages.map(({ id }) => id)),
    findMentioned(
      context,
      messages.map(({ text }) => text),
    ),
  ]);
  return messages.map((message) => ({
    message,
    author: people.get(message.personId),
    text: renderPostText(context, message.text, mentioned, []),
    photos: photosView(context, photos.get(message.id) ?? []),
  }));
}
