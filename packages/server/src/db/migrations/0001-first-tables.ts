import { bytesColumn, identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** People and what they make; who may see it; what must still be done about it. */
export const firstTables: Migration = {
  number: 1,
  name: "first-tables",
  statements: (dialect) => [
    ...accounts(identityColumn(dialect)),
    ...people(identityColumn(dialect)),
    ...contacts(identityColumn(dialect)),
    ...posts(),
    ...reactions(identityColumn(dialect)),
    ...federation(identityColumn(dialect), bytesColumn(dialect)),
    ...jobs(identityColumn(dialect)),
  ],
};

const accounts = (id: string): string[] => [
  `create table users (
    id ${id}, username text not null unique, password_hash text not null,
    role text not null, state text not null, locale text not null,
    time_zone text not null, last_seen_at text,
    created_at text not null, updated_at text not null)`,
  `create table user_keys (
    user_id bigint not null primary key references users(id),
    rsa_private_pem text not null, ed25519_private_pem text not null)`,
  `create table server_keys (
    name text not null primary key, private_pem text not null,
    public_pem text not null)`,
  `create table sessions (
    id_hash text not null primary key,
    user_id bigint not null references users(id), csrf_token text not null,
    created_at text not null, expires_at text not null)`,
  `create index sessions_user on sessions(user_id)`,
  `create index sessions_expiry on sessions(expires_at)`,
  `create table access_tokens (
    id ${id}, user_id bigint not null references users(id),
    client_id text not null, token_hash text not null unique,
    token_sealed text not null, created_at text not null,
    last_used_at text not null, unique (user_id, client_id))`,
];

const people = (id: string): string[] => [
  `create table people (
    id ${id}, guid text not null unique, handle text not null unique,
    user_id bigint unique references users(id),
    public_key_pem text not null, has_diaspora_key boolean not null,
    protocol text, state text not null,
    actor_uri text unique, inbox_uri text, shared_inbox_uri text,
    followers_uri text, seed_location text, profile_url text,
    discovered_at text, created_at text not null, updated_at text not null)`,
  `create table person_keys (
    key_id text not null primary key,
    person_id bigint not null references people(id),
    public_key_pem text not null, fetched_at text not null)`,
  `create index person_keys_person on person_keys(person_id)`,
  `create table profiles (
    id ${id}, person_id bigint not null unique references people(id),
    first_name text not null, last_name text not null,
    full_name text not null, image_url text not null,
    image_url_small text not null, image_url_medium text not null,
    birthday text, gender text not null, bio text not null,
    location text not null, searchable boolean not null,
    public boolean not null, nsfw boolean not null, edited_at text,
    created_at text not null, updated_at text not null)`,
];

const contacts = (id: string): string[] => [
  `create table aspects (
    id ${id}, user_id bigint not null references users(id),
    name text not null, is_default boolean not null,
    created_at text not null, updated_at text not null)`,
  `create index aspects_user on aspects(user_id, id)`,
  `create table aspect_memberships (
    id ${id},
    aspect_id bigint not null references aspects(id) on delete cascade,
    person_id bigint not null references people(id),
    created_at text not null, updated_at text not null,
    unique (aspect_id, person_id))`,
  `create index aspect_memberships_person on aspect_memberships(person_id, aspect_id)`,
  `create table contacts (
    id ${id}, user_id bigint not null references users(id),
    person_id bigint not null references people(id),
    following boolean not null, sharing boolean not null,
    follow_guid text unique, follow_accepted boolean not null,
    created_at text not null, updated_at text not null,
    unique (user_id, person_id))`,
  `create index contacts_person on contacts(person_id)`,
];

const posts = (): string[] => [
  `create table posts (
    id bigint not null primary key, guid text not null unique,
    person_id bigint not null references people(id), type text not null,
    public boolean not null, listed boolean not null, text text not null,
    provider_name text not null, root_guid text, root_person_id bigint,
    aspect_id bigint, uri text unique, url text,
    created_at text not null, updated_at text not null)`,
  `create index posts_listed on posts(id) where public and listed`,
  `create index posts_private on posts(id) where not public`,
  `create index posts_person on posts(person_id, id)`,
  `create unique index posts_reshare on posts(root_guid, person_id) where root_guid is not null`,
  `create table post_recipients (
    post_id bigint not null references posts(id) on delete cascade,
    person_id bigint not null references people(id),
    primary key (post_id, person_id))`,
  `create index post_recipients_person on post_recipients(person_id, post_id)`,
  `create table post_subscribers (
    post_id bigint not null references posts(id) on delete cascade,
    person_id bigint not null references people(id),
    primary key (post_id, person_id))`,
  `create table hidden_posts (
    user_id bigint not null references users(id),
    post_id bigint not null references posts(id) on delete cascade,
    primary key (user_id, post_id))`,
];

const reactions = (id: string): string[] => [
  `create table comments (
    id bigint not null primary key, guid text not null unique,
    post_id bigint not null references posts(id) on delete cascade,
    person_id bigint not null references people(id), text text not null,
    parent_guid text, uri text unique,
    created_at text not null, updated_at text not null)`,
  `create index comments_post on comments(post_id, id)`,
  `create table likes (
    id ${id}, guid text not null unique, shareable_type text not null,
    shareable_id bigint not null,
    post_id bigint not null references posts(id) on delete cascade,
    comment_id bigint references comments(id) on delete cascade,
    person_id bigint not null references people(id),
    positive boolean not null, uri text unique,
    created_at text not null, updated_at text not null,
    unique (shareable_type, shareable_id, person_id))`,
  `create index likes_post on likes(post_id)`,
  `create index likes_comment on likes(comment_id) where comment_id is not null`,
  `create table tombstones (
    kind text not null, guid text not null,
    person_id bigint not null references people(id), uri text,
    details text not null, created_at text not null,
    primary key (kind, guid))`,
  `create index tombstones_uri on tombstones(uri)`,
  `create table notifications (
    id ${id}, user_id bigint not null references users(id),
    person_id bigint not null references people(id), reason text not null,
    shareable_type text not null, shareable_guid text not null,
    unread boolean not null, created_at text not null,
    updated_at text not null,
    unique (user_id, reason, person_id, shareable_guid))`,
  `create index notifications_user on notifications(user_id, id)`,
];

const federation = (id: string, bytes: string): string[] => [
  `create table relayable_signatures (
    kind text not null, guid text not null, properties text not null,
    author_signature text not null, primary key (kind, guid))`,
  `create table sent_activities (
    guid text not null primary key,
    person_id bigint not null references people(id),
    public boolean not null, addressees text not null,
    document text not null, created_at text not null)`,
  `create table inbound_messages (
    id ${id}, protocol text not null, message_id text, sender text,
    recipient_user_id bigint, verified boolean not null, body ${bytes},
    outcome text, received_at text not null, processed_at text,
    unique (protocol, message_id))`,
  `create index inbound_messages_processed on inbound_messages(processed_at)`,
  `create table remote_hosts (
    host text not null primary key, failing_since text,
    failures bigint not null, last_error text, software text,
    updated_at text not null)`,
];

const jobs = (id: string): string[] => [
  `create table job_documents (
    id ${id}, body text not null, created_at text not null)`,
  `create table jobs (
    id ${id}, kind text not null, pool text not null,
    payload text not null, document_id bigint references job_documents(id), lane text, host text,
    state text not null, attempts bigint not null, run_at text not null,
    lease_until text, leased_by bigint, last_error text,
    created_at text not null)`,
  `create index jobs_due on jobs(state, pool, run_at, id)`,
  `create index jobs_lane on jobs(lane, id) where lane is not null`,
  `create index jobs_host on jobs(host, state) where host is not null`,
  `create index jobs_document on jobs(document_id) where document_id is not null`,
];
