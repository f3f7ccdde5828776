import type { Migration } from "../migration.ts";

/** Which messages wait for something that is not here, and by whose choice. */
export const waitingMessages: Migration = {
  number: 50,
  name: "waiting-messages",
  statements: () => [
    `create table waiting_messages (
      message_id bigint not null primary key
        references inbound_messages(id) on delete cascade,
      standing text not null, sender text not null, host text not null,
      bytes integer not null, since text not null)`,
    `create index waiting_messages_sender
      on waiting_messages(standing, sender, bytes)`,
    `create index waiting_messages_host
      on waiting_messages(standing, host, bytes)`,
    `create index waiting_messages_since on waiting_messages(since)`,
  ],
};
