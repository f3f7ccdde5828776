import type { DialectName } from "../db.ts";
import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** Requests to follow local people who approve each follower. */
export const followRequests: Migration = {
  number: 68,
  name: "follow-requests",
  statements: (dialect) => tables(dialect),
};

const tables = (dialect: DialectName): string[] => [
  `create table follow_requests (
    id ${identityColumn(dialect)},
    user_id bigint not null references users(id),
    person_id bigint not null references people(id),
    uri text,
    created_at text not null,
    unique (user_id, person_id))`,
  `create index follow_requests_newest on follow_requests(user_id, created_at, person_id)`,
  `create index follow_requests_person on follow_requests(person_id)`,
  // So that a refused request no longer looks like a pending one.
  `alter table contacts add column refused boolean not null default false`,
];
