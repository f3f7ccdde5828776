import type { TSchema } from "typebox";
import { Type } from "../../lib/json-schema.ts";
import {
  count,
  dated,
  exactly,
  guid,
  id,
  name,
  orNull,
  ref,
} from "./schema-parts.ts";

/** The records of private conversations. */
export const CONVERSATION_RECORDS: Readonly<Record<string, TSchema>> = {
  /** A private conversation as one of its participants sees it. */
  Conversation: exactly({
    ...dated,
    Guid: guid,
    PersonID: id,
    Subject: orNull(name),
    State: Type.String({ enum: ["shown", "hidden", "left"] }),
    Unread: count,
    Participants: Type.Array(ref("Person")),
    LastMessage: orNull(ref("Message")),
    MayNotArrive: Type.Optional(
      Type.Array(id, {
        description:
          "People whose servers take a conversation only from people they share with",
      }),
    ),
  }),
  Message: exactly({
    ...dated,
    Guid: guid,
    ConversationID: id,
    PersonID: id,
    Text: name,
    Person: orNull(ref("Person")),
    Photos: Type.Optional(Type.Array(ref("Photo"))),
  }),
  UnreadConversations: exactly({ Unread: count }),
};
