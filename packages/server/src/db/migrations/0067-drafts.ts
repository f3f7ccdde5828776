import type { DialectName } from "../db.ts";
import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** Posts that are not published yet. */
export const drafts: Migration = {
  number: 67,
  name: "drafts",
  statements: (dialect) => tables(dialect),
};

const tables = (dialect: DialectName): string[] => [
  `create table drafts (
    id ${identityColumn(dialect)},
    user_id bigint not null references users(id),
    content text not null,
    publish_at text,
    failed_reason text,
    created_at text not null,
    updated_at text not null)`,
  `create index drafts_newest on drafts(user_id, id)`,
  // Its pictures, which would otherwise be removed for want of a post.
  `create table draft_photos (
    draft_id bigint not null references drafts(id) on delete cascade,
    photo_id bigint not null references photos(id) on delete cascade,
    primary key (draft_id, photo_id))`,
  `create index draft_photos_photo on draft_photos(photo_id)`,
];
