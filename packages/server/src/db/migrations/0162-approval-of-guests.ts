import type { Migration } from "../migration.ts";

/** Events whose organizer confirms each guest. */
export const approvalOfGuests: Migration = {
  number: 162,
  name: "approval-of-guests",
  statements: () => [
    `alter table events add column needs_approval boolean not null default false`,
  ],
};
