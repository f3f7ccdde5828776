import assert from "node:assert/strict";
import type { TestPerson } from "../server/kith-server.ts";
import type { ConversationRecord, MessageRecord } from "../server/wire.ts";

/** Starts a conversation with the people of these ids. */
export async function startTalk(
  by: TestPerson,
  personIds: readonly number[],
  { text = "Shall we?", subject = "Saturday" } = {},
): Promise<ConversationRecord> {
  const answer = await by.call("POST", "/conversations", {
    json: { personID: personIds, subject, text },
  });
  assert.equal(answer.status, 200, answer.text);
  return JSON.parse(answer.text) as ConversationRecord;
}

export const say = (by: TestPerson, { ID }: { ID: number }, text: string) =>
  by.post<MessageRecord>(`/conversations/${ID}/messages`, { text });

/** The texts of its messages, oldest first, each with its author's handle. */
export async function textsOf(
  by: TestPerson,
  { ID }: { ID: number },
): Promise<string[][]> {
  const found = await by.get<MessageRecord[]>(`/conversations/${ID}/messages`);
  return found.map(({ Text, Person }) => [Person.Author, Text]).reverse();
}
