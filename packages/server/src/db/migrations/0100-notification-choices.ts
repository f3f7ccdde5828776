import type { Migration } from "../migration.ts";

/** Of which acts, and of which people's, users want to be notified. */
export const notificationChoices: Migration = {
  number: 100,
  name: "notification-choices",
  statements: () => [
    `create table notification_choices (
      user_id bigint primary key references users(id),
      senders text not null,
      dropped text not null,
      updated_at text not null)`,
  ],
};
