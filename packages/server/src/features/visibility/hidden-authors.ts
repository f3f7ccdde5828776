import { sql, type RawBuilder } from "kysely";
import type { PersonId } from "../ids.ts";

/**
 * The ids of the authors whose posts are omitted from a person's lists: blocked or ignored
 * by the person, blocking the person, or suspended. Few. For queries over very many rows;
 * people on servers that the person blocked are left to `isNotOnBlockedHost`.
 */
export const hiddenAuthorIds = (personId: PersonId): RawBuilder<unknown> => sql`
    select blocked_person_id from blocks where person_id = ${personId}
    union all
    select ignored_person_id from ignores where person_id = ${personId}
    union all
    select person_id from blocks where blocked_person_id = ${personId}
    union all
    select id from people where state = 'shut_out'`;
