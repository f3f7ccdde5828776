import type { Migration } from "../migration.ts";

/** To which servers posts of ours went, kept when the jobs are done; until then the documents say of which post they are. */
export const deliveryReceipts: Migration = {
  number: 24,
  name: "delivery-receipts",
  statements: () => [
    `create table delivery_receipts (
      post_id bigint not null references posts(id) on delete cascade,
      host text not null, delivered_at text, failed_at text,
      primary key (post_id, host))`,
    `alter table job_documents add column post_id bigint`,
    `create index job_documents_post on job_documents(post_id)
      where post_id is not null`,
  ],
};
