import type { Migration } from "../migration.ts";

/** Finds the servers that nobody has dealt with for long, so that they are forgotten. */
export const oldPeers: Migration = {
  number: 32,
  name: "old-peers",
  statements: () => [
    `create index peers_known_at on peers(coalesce(learned_at, signature_form_at))`,
  ],
};
