import type { Migration } from "../migration.ts";

/** Which stored messages nobody has been shown to have sent yet, and from where messages come that people here want. */
export const unprovenMessages: Migration = {
  number: 35,
  name: "unproven-messages",
  statements: () => [
    `create table unproven_messages (
      message_id bigint not null primary key
        references inbound_messages(id) on delete cascade,
      recipient_user_id bigint not null, network text not null,
      known boolean not null, bytes integer not null,
      received_at text not null)`,
    `create index unproven_messages_network
      on unproven_messages(network, known, bytes)`,
    `create index unproven_messages_recipient
      on unproven_messages(recipient_user_id, known, bytes)`,
    `create index unproven_messages_known on unproven_messages(known, bytes)`,
    `create index unproven_messages_received
      on unproven_messages(received_at)`,
    `create table known_networks (
      network text not null primary key, proven_at text not null)`,
    `create index known_networks_proven on known_networks(proven_at)`,
  ],
};
