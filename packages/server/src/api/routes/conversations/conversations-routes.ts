import { Type } from "../../../lib/json-schema.ts";
import type {
  Conversation,
  Conversations,
} from "../../../features/conversations/index.ts";
import type { SignedIn } from "../../../features/accounts/index.ts";
import type { PersonId, PhotoId, PostId } from "../../../features/ids.ts";
import { flag, text, uint } from "../../../http/input/input.ts";
import { KithError } from "../../../lib/errors.ts";
import { findByIdOrGuid } from "../../kit/identifiers.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import {
  presentConversations,
  presentMessages,
  type PresentConversationsDeps,
} from "../../presenters/present-conversations.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";

export type ConversationsRoutesDeps = PresentConversationsDeps & {
  readonly conversations: Conversations;
};

const PHOTOS = Type.Optional(
  Type.Array(Type.Integer({ minimum: 1 }), {
    description: "Pictures of the user's to attach, uploaded before",
  }),
);

const START = Type.Object({
  personID: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
      description: "The other participants, at most 49",
    }),
  ),
  subject: text("One line of at most 255 characters"),
  text: text("The first message, in Markdown"),
  photoID: PHOTOS,
});

const REPLY = Type.Object({
  text: text("The message, in Markdown"),
  photoID: PHOTOS,
});

const READ = Type.Object({
  read: flag("false marks the newest message of others as unread"),
  messageID: uint("The last message that was read, the newest if missing"),
});

const HIDE = Type.Object({
  leave: flag("No later message shows it again, or notifies you"),
});

export function conversationsRoutes(deps: ConversationsRoutesDeps): ApiRoute[] {
  return [...routesOfAll(deps), ...routesOfOne(deps)];
}

function routesOfAll(deps: ConversationsRoutesDeps): ApiRoute[] {
  const { conversations } = deps;
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "listConversations",
      path: "/conversations",
      summary: "Lists your private conversations, newest message first.",
      description: "Conversations that you hid or left are missing.",
      input: NO_INPUT,
      output: listOf("Conversation"),
      handle: async ({ user, page }) =>
        presentConversations(deps, user, await conversations.list(user, page)),
    }),
    apiRoute({
      method: "POST",
      limit: "write",
      scope: "write:statuses",
      name: "startConversation",
      path: "/conversations",
      summary: "Starts a private conversation with named people.",
      description:
        "Everyone on either protocol gets the messages of everyone else. MayNotArrive names those whose servers take a conversation only from people they share with.",
      input: START,
      needs: ["text"],
      output: one("Conversation"),
      handle: async ({ user, input }) => {
        const personIds = (input.personID ?? []) as PersonId[];
        const { id } = await conversations.start({
          author: user,
          personIds,
          subject: input.subject,
          text: input.text,
          photoIds: (input.photoID ?? []) as PhotoId[],
        });
        const started = await get(deps, String(id), user);
        return presentOne(deps, user, started, personIds);
      },
    }),
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "countUnreadConversations",
      path: "/conversations/unread",
      summary: "Counts your conversations with unread messages.",
      input: NO_INPUT,
      output: one("UnreadConversations"),
      handle: async ({ user }) => ({
        Unread: await conversations.countUnread(user),
      }),
    }),
  ];
}

function routesOfOne(deps: ConversationsRoutesDeps): ApiRoute[] {
  const { conversations } = deps;
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "showConversation",
      path: "/conversations/:id",
      summary: "Shows a conversation in which you take part.",
      input: NO_INPUT,
      output: one("Conversation"),
      handle: async ({ user, path }) =>
        presentOne(deps, user, await get(deps, path("id"), user)),
    }),
    apiRoute({
      method: "DELETE",
      limit: "write",
      scope: "write:conversations",
      name: "hideConversation",
      path: "/conversations/:id",
      summary: "Hides a conversation from you until its next message.",
      description: "Other participants do not learn of it.",
      input: HIDE,
      output: EMPTY,
      handle: async ({ user, path, input }) => {
        const { id } = await get(deps, path("id"), user);
        const state = input.leave === true ? "left" : "hidden";
        await conversations.hide(user, { id }, state);
        return {};
      },
    }),
    apiRoute({
      method: "PUT",
      limit: "write",
      scope: "write:conversations",
      name: "markConversationRead",
      path: "/conversations/:id/read",
      summary: "Marks a conversation as read, or as unread.",
      input: READ,
      output: one("Conversation"),
      handle: async ({ user, path, input }) => {
        const { id } = await get(deps, path("id"), user);
        const upTo = input.read === false ? "unread" : input.messageID;
        const marked = await conversations.mark(user, { id }, upTo);
        return presentOne(deps, user, marked);
      },
    }),
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "listMessages",
      path: "/conversations/:id/messages",
      summary: "Lists the messages of a conversation, newest first.",
      input: NO_INPUT,
      output: listOf("Message"),
      handle: async ({ user, path, page }) => {
        const { id } = await get(deps, path("id"), user);
        const found = await conversations.listMessages(user, id, page);
        return presentMessages(deps, found);
      },
    }),
    apiRoute({
      method: "POST",
      limit: "write",
      scope: "write:statuses",
      name: "replyToConversation",
      path: "/conversations/:id/messages",
      summary: "Writes a message to all participants.",
      input: REPLY,
      needs: ["text"],
      output: one("Message"),
      handle: async ({ user, path, input }) => {
        const conversation = await get(deps, path("id"), user);
        const message = await conversations.reply(
          user,
          conversation,
          input.text,
          { photoIds: (input.photoID ?? []) as PhotoId[] },
        );
        return (await presentMessages(deps, [message]))[0];
      },
    }),
  ];
}

/** @throws {KithError} `not_found` */
async function get(
  { conversations }: ConversationsRoutesDeps,
  identifier: string,
  user: SignedIn,
): Promise<Conversation> {
  const found = await findByIdOrGuid<PostId, Conversation>(identifier, (key) =>
    conversations.find(user, key),
  );
  if (!found) throw new KithError("not_found", "No such conversation.");
  return found;
}

async function presentOne(
  deps: ConversationsRoutesDeps,
  user: SignedIn,
  conversation: Conversation,
  invited: readonly PersonId[] = [],
): Promise<WireRecord> {
  const [record] = await presentConversations(
    deps,
    user,
    [conversation],
    invited,
  );
  if (!record) throw new Error("The conversation cannot be presented");
  return record;
}
