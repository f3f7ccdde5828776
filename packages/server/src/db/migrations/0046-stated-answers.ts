import type { Migration } from "../migration.ts";

/**
 * When the author of an answer to an event said it, beside when it came. Of what is here
 * nothing tells the two apart but that pods say whole seconds.
 */
export const statedAnswers: Migration = {
  number: 46,
  name: "stated-answers",
  statements: () => [
    "alter table participations add column stated_at text",
    `update participations set stated_at = updated_at
      where uri is null and updated_at like '%.000Z'
        and person_id in (select id from people where user_id is null)`,
  ],
};
