import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** What people elsewhere said about limited posts, as they signed it, and of which servers' news a post is to be told. */
export const provedDocuments: Migration = {
  number: 20,
  name: "proved-documents",
  statements: (dialect) => [
    `create table proved_documents (
      id ${identityColumn(dialect)},
      post_id bigint not null references posts(id) on delete cascade,
      comment_id bigint unique references comments(id) on delete cascade,
      like_id bigint unique references likes(id) on delete cascade,
      participation_id bigint unique
        references participations(id) on delete cascade,
      document text not null)`,
    `create index proved_documents_post on proved_documents(post_id, id)`,
    `create table thread_news (
      post_id bigint not null references posts(id) on delete cascade,
      origin text not null,
      primary key (post_id, origin))`,
  ],
};
