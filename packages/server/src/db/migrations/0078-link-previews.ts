import type { Migration } from "../migration.ts";

/** What linked pages say about themselves, once for all posts with that link. */
export const linkPreviews: Migration = {
  number: 78,
  name: "link-previews",
  statements: () => [
    // Without a title the page could not be read, or says nothing about itself.
    `create table link_previews (
      url text primary key,
      title text,
      description text,
      site_name text,
      author_name text,
      image_url text,
      expires_at text not null)`,
    `create table post_links (
      post_id bigint primary key references posts(id) on delete cascade,
      url text not null,
      due_at text)`,
    `create index post_links_url on post_links(url)`,
    `create index post_links_due on post_links(due_at) where due_at is not null`,
    `alter table users add column link_previews boolean not null default true`,
  ],
};
