import {
  participantsOf,
  type Conversation,
  type Message,
} from "@kith/diaspora";
import { sql } from "kysely";
import { storableText } from "../../../packages/server/src/lib/well-formed.ts";
import { personOf, type ReceiveVector, type VectorFile } from "../file.ts";
import type { Home } from "../home.ts";
import { differs } from "./pure.ts";
import { LONG_AGO } from "./reactions.ts";
import { compare, find, timeOf, type Accepted, type Row } from "../rows.ts";

// Compares the stored form of private conversations (protocol section 10.17), which differs from the sent one.

/** A conversation is a limited post readable by its local recipients; its subject is the content warning. */
export async function checkConversation(
  accepted: Accepted,
  entity: Conversation,
): Promise<string | undefined> {
  const row = await find(
    accepted,
    sql<Row>`select posts.*, people.handle as author from posts
      join people on people.id = posts.person_id where posts.guid = ${entity.guid}`,
  );
  const [first] = entity.messages;
  const subject = entity.subject.replace(/\s+/g, " ").trim();
  return (
    compare("conversation", row, {
      author: entity.author,
      public: false,
      type: "StatusMessage",
      warning: storableText(subject),
      text: storableText(first?.text ?? "").trim(),
      participants: participantsOf(entity).sort().join(";"),
      ...timeOf(accepted, entity.createdAt),
    }) ?? checkReaders(accepted, entity.guid)
  );
}

/** Of the local people, only its recipient. */
async function checkReaders(
  { home, owner }: Accepted,
  guid: string,
): Promise<string | undefined> {
  const { rows } = await sql<Row>`select people.handle from post_recipients
    join posts on posts.id = post_recipients.post_id
    join people on people.id = post_recipients.person_id
    where posts.guid = ${guid} and people.user_id is not null`.execute(
    home.db.read,
  );
  return differs("readers", [owner], [rows.map(({ handle }) => handle)]);
}

/** A message is a comment on its conversation. */
export async function checkMessage(
  accepted: Accepted,
  entity: Message,
): Promise<string | undefined> {
  const row = await find(
    accepted,
    sql<Row>`select comments.*, people.handle as author, posts.guid as parent
      from comments join people on people.id = comments.person_id
      join posts on posts.id = comments.post_id
      where comments.guid = ${entity.guid}`,
  );
  return (
    compare("message", row, {
      author: entity.author,
      parent: entity.conversationGuid,
      text: storableText(entity.text),
      ...timeOf(accepted, entity.createdAt),
    }) ?? checkReaders(accepted, entity.conversationGuid)
  );
}

/**
 * Creates the conversation of a message, which no file lists among the known
 * entities: one by its author with the recipient.
 */
export async function storeConversationOf(
  home: Home,
  file: VectorFile,
  { recipient }: ReceiveVector,
  { author, conversationGuid: guid }: Message,
): Promise<void> {
  const { people, posts } = home.features;
  const { handle } = personOf(file, recipient ?? "");
  const [by, reader] = [
    await people.find({ handle: author }),
    await people.find({ handle }),
  ];
  if (!by || !reader || (await posts.find({ guid }))) return;
  await posts.receive({
    guid,
    personId: by.id,
    type: "post",
    public: false,
    listed: false,
    text: "## Something that was begun before",
    providerName: "",
    rootGuid: null,
    rootPersonId: null,
    uri: null,
    url: null,
    participants: [author, handle].sort(),
    createdAt: LONG_AGO,
    recipients: [reader.id],
  });
  // Notifications are independent of the message.
  await home.db.transaction(async (tx) => {
    await tx.deleteFrom("jobs").execute();
  });
}
