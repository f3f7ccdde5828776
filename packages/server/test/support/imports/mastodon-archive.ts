import type { PackedFiles } from "./packed.ts";

export const OLD_ACTOR = "https://old.example/users/ann";
const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";
const FOLLOWERS = `${OLD_ACTOR}/followers`;

type Fields = Readonly<Record<string, unknown>>;

/** The address of a post on the old server. */
export const oldPost = (name: string) => `${OLD_ACTOR}/statuses/${name}`;

/** A post as Mastodon writes it into `outbox.json`: public, of 2019, unless `fields` differ. */
export function oldNote(name: string, fields: Fields = {}): Fields {
  const id = oldPost(name);
  return {
    id: `${id}/activity`,
    type: "Create",
    actor: OLD_ACTOR,
    object: {
      ...{
        id,
        type: "Note",
        attributedTo: OLD_ACTOR,
        content: `<p>${name}</p>`,
      },
      published: "2019-03-04T05:06:07Z",
      ...{ to: [PUBLIC], cc: [FOLLOWERS], sensitive: false, summary: null },
      ...{ inReplyTo: null, attachment: [], tag: [] },
      ...fields,
    },
  };
}

export const UNLISTED = { to: [FOLLOWERS], cc: [PUBLIC] };
export const FOLLOWERS_ONLY = { to: [FOLLOWERS], cc: [] };

/** The files of Mastodon's archive. */
export function mastodonFiles(
  activities: readonly Fields[],
  others: PackedFiles = {},
): PackedFiles {
  const listed = (orderedItems: readonly unknown[]) =>
    JSON.stringify({ type: "OrderedCollection", orderedItems });
  return {
    "actor.json": JSON.stringify({ id: OLD_ACTOR, preferredUsername: "ann" }),
    "outbox.json": listed(activities),
    "likes.json": listed(["https://other.example/1"]),
    "bookmarks.json": listed(["https://other.example/2"]),
    ...others,
  };
}
