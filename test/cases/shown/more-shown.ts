import {
  idOf,
  isRecord,
  listOf,
  memberOf,
  textIn,
  type Json,
} from "../json.ts";
import type { Kind } from "./more.ts";
import { localActor, type World } from "../world.ts";

/** The fields of `more` from records of the Mastodon client API. */
const CLIENT: Readonly<Record<string, (shown: Json) => unknown>> = {
  language: ({ language }) => language,
  warning: (shown) => shown["spoiler_text"],
  sensitive: ({ sensitive }) => sensitive,
  edited: (shown) => shown["edited_at"],
  pinned: ({ pinned = false }) => pinned,
  emojis: ({ emojis }) =>
    listOf(emojis).map((one) => textIn(one, "shortcode") ?? ""),
  card: ({ card }) => textIn(card, "url"),
  media: (shown) =>
    listOf(shown["media_attachments"]).map((one) => textIn(one, "description")),
  focus: (shown) => listOf(shown["media_attachments"]).map(focusOf),
  quotes: (shown) => {
    const { quote } = shown;
    const status = isRecord(quote) ? (quote["quoted_status"] ?? quote) : quote;
    return [
      textIn(status, "uri") ?? idOf(status),
      // A quote without the consent of the quoted is a link.
      ...(textIn(shown, "content") ?? "")
        .matchAll(/href="([^"]+)"/g)
        .map(([, address]) => address),
    ];
  },
  voters: ({ poll }) => memberOf(poll, "voters_count"),
  locked: ({ locked }) => locked,
  fields: ({ fields }) => fields,
  header: (shown) => {
    const address = textIn(shown, "header") ?? "";
    return address !== "" && !address.includes("missing");
  },
  moved: ({ moved }) => textIn(moved, "uri") ?? textIn(moved, "url"),
  indexable: ({ indexable }) => indexable,
};

function focusOf(media: unknown): unknown[] {
  const focus = memberOf(memberOf(media, "meta"), "focus");
  return [memberOf(focus, "x"), memberOf(focus, "y")];
}

/** Fields by their names below `more`; none if the server does not have that API. */
export async function readFromClientInterface(
  world: World,
  kind: Kind,
  record: Json,
): Promise<Json> {
  if (kind === "event") return {};
  const what = kind === "person" ? "accounts" : "statuses";
  const { caller, token = "" } = world.services.alice;
  const answer = await caller.call({
    method: "GET",
    path: `/api/v1/${what}/${String(record["ID"])}`,
    headers: { authorization: `Bearer ${token}` },
  });
  if (answer.status !== 200) return {};
  const shown = JSON.parse(answer.text) as Json;
  const isThere = (value: unknown) => value !== undefined;
  return Object.fromEntries(
    Object.entries(CLIENT)
      .map(([name, read]) => [name, read(shown)] as const)
      .filter(([, value]) => isThere(value)),
  );
}

type Read = (world: World, record: Json) => unknown;

const TEXT_FIELDS: Readonly<Record<string, Read>> = {
  language: (_world, { Language = null }) => Language,
  emojis: (_world, record) => shortcodesOf(record),
  warning: (_world, record) => warningOf(record),
  // Content with a warning is folded until it is opened.
  sensitive: (_world, record) =>
    record["Nsfw"] === true || warningOf(record) !== "",
};

/** Fields that the server shows elsewhere: in other records, or on its pages. */
const OWN: Readonly<Record<Kind, Readonly<Record<string, Read>>>> = {
  post: {
    ...TEXT_FIELDS,
    edited: (world, record) => editedAt(world, "posts", record),
    pinned: isPinned,
    media: (_world, { Photos }) =>
      listOf(Photos).map((photo) => textIn(photo, "Text")),
    quotes: (_world, record) => [
      ...[
        ...(textIn(record, "Text") ?? "").matchAll(/https?:[^\s<>()[\]]+/g),
      ].map(([address]) => address),
      ...(memberOf(record["Quote"], "State") === "accepted"
        ? [memberOf(record["Quote"], "Url")]
        : []),
    ],
    focus: (_world, { Photos }) =>
      listOf(Photos).map((photo) => {
        const focus = memberOf(photo, "Focus");
        return [memberOf(focus, "X"), memberOf(focus, "Y")];
      }),
    voters: (_world, { Poll }) => memberOf(Poll, "VotersCount"),
  },
  comment: {
    ...TEXT_FIELDS,
    edited: (world, record) => editedAt(world, "comments", record),
  },
  // A profile shows only flags that are set.
  person: {
    moved: movedTo,
    emojis: (_world, { Profile }) => shortcodesOf(Profile),
    fields: (_world, { Profile }) =>
      listOf(memberOf(Profile, "Fields")).map((field) => ({
        name: textIn(field, "Name"),
        value: wordsOf(textIn(field, "Value") ?? ""),
      })),
    header: (_world, { Profile }) => textIn(Profile, "HeaderUrl") !== undefined,
    indexable: (_world, { Profile }) => memberOf(Profile, "Indexable") === true,
    bot: (_world, { Profile }) => memberOf(Profile, "Bot") === true,
    locked: (_world, { Profile }) => memberOf(Profile, "Locked") === true,
  },
  event: {
    status: (_world, record) =>
      (textIn(record, "Status") ?? "confirmed").toUpperCase(),
    geo: placeOf,
    categories: (_world, { Categories }) => listOf(Categories),
  },
};

/** @returns undefined if nothing shows it */
export async function readOwn(
  world: World,
  kind: Kind,
  record: Json,
  name: string,
): Promise<unknown> {
  return OWN[kind][name]?.(world, record);
}

function shortcodesOf(record: unknown): string[] {
  return listOf(memberOf(record, "Emojis")).map(
    (emoji) => textIn(emoji, "Shortcode") ?? "",
  );
}

/** The text of a Markdown link. */
function wordsOf(markdown: string): string {
  return markdown.replace(/\[([^\]]*)\]\([^()\s]*\)/g, "$1");
}

function warningOf(record: Json): string {
  return textIn(record, "ContentWarning") ?? "";
}

async function editedAt(
  { services }: World,
  what: string,
  record: Json,
): Promise<unknown> {
  const history = `/${what}/${String(record["ID"])}/history`;
  const versions = await services.alice.list(history);
  return versions.length === 0 ? null : record["UpdatedAt"];
}

/** Pinned posts are public, so any viewer's page shows them. */
async function isPinned(world: World, record: Json): Promise<unknown> {
  const path = `/posts/${String(record["Guid"])}`;
  const page = await world.services.anonymous.call("GET", path);
  return page.status === 200 ? page.text.includes('class="pinned"') : undefined;
}

async function movedTo(world: World, record: Json): Promise<unknown> {
  const { services, network } = world;
  const path = `/people/${String(record["Guid"])}`;
  const page = await services.anonymous.call("GET", path);
  const link = /class="moved"[^]*?href="([^"]+)"/.exec(page.text)?.[1];
  if (page.status !== 200 || link === undefined)
    return page.status === 200 ? null : undefined;
  const name = link.slice(link.lastIndexOf("/") + 1);
  if (link.startsWith("/u/")) return localActor(world, name);
  const person = await services.alice.find(`/people/${name}`);
  return network.findActor(textIn(person, "Author") ?? "")?.id ?? null;
}

/** The location of an event is that of its announcing post. */
async function placeOf({ services }: World, record: Json): Promise<unknown> {
  const guid = String(record["Guid"]);
  const person = String(record["PersonID"]);
  const posts = await services.alice.list(`/people/${person}/stream`);
  const post = posts.find((one) => textIn(one["Event"], "Guid") === guid);
  const place = post?.["Location"];
  return post && [memberOf(place, "Lat"), memberOf(place, "Lng")];
}
