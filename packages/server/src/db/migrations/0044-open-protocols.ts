import type { Migration } from "../migration.ts";

/**
 * Of somebody whose protocol was chosen while the preferred one gave no answer: it is
 * chosen again once that one answers.
 */
export const openProtocols: Migration = {
  number: 44,
  name: "open-protocols",
  statements: () => [
    `alter table people
      add column protocol_open boolean not null default false`,
  ],
};
