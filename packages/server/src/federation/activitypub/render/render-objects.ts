import { createPublicKey } from "node:crypto";
import {
  buildActor,
  buildAudience,
  buildNote,
  encodeMultikey,
  PUBLIC,
  type ActorInput,
  type AttachmentInput,
  type JsonObject,
  type NoteInput,
  type Place,
} from "@kith/activitypub";
import type { Accounts } from "../../../features/accounts/index.ts";
import type { Comment, Comments } from "../../../features/comments/index.ts";
import {
  detailsFor,
  fieldsFor,
  givenName,
  usernameOf,
  type People,
  type Person,
  type ProfileField,
} from "../../../features/people/index.ts";
import type { Photos } from "../../../features/photos/index.ts";
import type { Likes } from "../../../features/likes/index.ts";
import type {
  Post,
  PostLocation,
  Posts,
} from "../../../features/posts/index.ts";
import {
  buildObject,
  loadAttachment,
  type RenderObjectDeps,
} from "./render-attachment.ts";
import { renderQuote, type RenderQuoteDeps } from "./render-quote.ts";
import { renderText } from "./render-text.ts";
import type { Uris } from "../records/uris.ts";

export type RenderDeps = RenderObjectDeps &
  RenderQuoteDeps & {
    readonly accounts: Accounts;
    readonly people: People;
    readonly comments: Comments;
    readonly likes: Likes;
    readonly posts: Posts;
    readonly photos: Photos;
    readonly uris: Uris;
    readonly handleHost: string;
  };

/** Whom a document is addressed to. */
type Address = { readonly to: string[]; readonly cc: string[] };

/** The text and its HTML stand twice in a long Note; peers refuse bodies over 64 KiB. */
const MAX_SOURCE_LENGTH = 20_000;
/** The same of what stands there in its language besides. */
const MAX_HTML_TWICE = 10_000;

/** Everybody gets leave to quote what is public (FEP-044f). */
const MAY_BE_QUOTED = { canQuote: [PUBLIC] };

/** The actor document of a person here. */
export async function renderActor(
  deps: RenderDeps,
  person: Person,
): Promise<JsonObject> {
  const { accounts, uris, handleHost, people } = deps;
  const movedTo = await findMovedTo(deps, person);
  const username = usernameOf(person);
  const id = uris.actor(username);
  const { profile } = person;
  const isSuspended = person.state === "shut_out";
  const { bio } = detailsFor(profile, "stranger");
  const { html } = await renderText({ people, uris }, bio);
  const actor = buildActor({
    id,
    preferredUsername: username,
    ...(isSuspended ? { suspended: true } : {}),
    name: givenName(person),
    ...(bio === "" ? {} : { summaryHtml: html }),
    url: uris.profilePage(username),
    inbox: `${id}/inbox`,
    outbox: `${id}/outbox`,
    followers: `${id}/followers`,
    following: `${id}/following`,
    featured: `${id}/featured`,
    sharedInbox: uris.sharedInbox,
    publicKey: { id: uris.key(username), pem: person.publicKeyPem },
    ...(await renderProofKey({ accounts, uris }, person)),
    acceptsRfc9421: true,
    guid: person.guid,
    ...(profile.imageUrl === "" ? {} : { icon: { url: profile.imageUrl } }),
    published: person.createdAt,
    ...(await renderFields(deps, fieldsFor(profile, "stranger"))),
    discoverable: profile.searchable,
    ...(profile.indexable && { indexable: true }),
    webfinger: `${username}@${handleHost}`,
    ...(person.alsoKnownAs.length === 0
      ? {}
      : { alsoKnownAs: [...person.alsoKnownAs] }),
    ...(movedTo === undefined ? {} : { movedTo }),
  });
  // What it says of itself is shown to nobody.
  return isSuspended ? reduceActor(actor) : actor;
}

async function renderFields(
  { people, uris }: RenderDeps,
  fields: readonly ProfileField[],
): Promise<Pick<ActorInput, "fields">> {
  if (fields.length === 0) return {};
  const rendered = [];
  for (const { name, value } of fields) {
    const { html } = await renderText({ people, uris }, value);
    rendered.push({ name, valueHtml: unwrapped(html) });
  }
  return { fields: rendered };
}

/** One line stands in no paragraph: peers show it within a line. */
function unwrapped(html: string): string {
  const [, inner = html] = /^<p>((?:(?!<p>)[^])*)<\/p>$/.exec(html) ?? [];
  return inner;
}

const REDUCED = [
  "id",
  "type",
  "preferredUsername",
  "inbox",
  "outbox",
  "endpoints",
  "publicKey",
  "assertionMethod",
  "suspended",
] as const;

/** What everybody must see of an actor: how to write to it, and its keys. */
export function reduceActor(actor: JsonObject): JsonObject {
  return Object.fromEntries(
    REDUCED.flatMap((name) => {
      const value = actor[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The key by which others verify the person's integrity proofs (FEP-521a). */
async function renderProofKey(
  { accounts, uris }: Pick<RenderDeps, "accounts" | "uris">,
  person: Person,
): Promise<Pick<ActorInput, "assertionKeys">> {
  if (person.userId === null) return {};
  const key = createPublicKey(await accounts.getProofKey(person.userId));
  const id = uris.proofKey(usernameOf(person));
  return { assertionKeys: [{ id, publicKeyMultibase: encodeMultikey(key) }] };
}

/** As whom somebody from here goes on, where that is an actor. */
async function findMovedTo(
  { people, uris }: RenderDeps,
  { movedToId }: Person,
): Promise<string | undefined> {
  if (movedToId === null) return undefined;
  const to = await people.find({ id: movedToId });
  return to && (uris.ofPerson(to) ?? undefined);
}

/** To whom a public thing of a person here goes. What is not listed names everybody second. */
export function publicAddress(
  uris: Uris,
  author: Person,
  others: readonly string[],
  isListed = true,
): Address {
  const followersUri = `${uris.actor(usernameOf(author))}/followers`;
  const scope = isListed ? "public" : "unlisted";
  return buildAudience({ scope, followersUri, addressed: [...others] });
}

/**
 * A post of a person here.
 * @param recipients actor ids, of a post that is not public
 * @param isForSomebodyHere do the pictures ask who their viewer is?
 */
export async function renderPost(
  deps: RenderDeps,
  post: Post,
  author: Person,
  recipients: readonly string[],
  isForSomebodyHere = false,
): Promise<JsonObject> {
  const { uris } = deps;
  const { load, text: said } = await loadAttachment(deps, post, author);
  const quote = await renderQuote(deps, post);
  const source = quote.withLink(said);
  const text = await renderText(deps, source);
  const address = post.public
    ? publicAddress(uris, author, text.mentioned)
    : { to: [...recipients], cc: [] };
  const note: NoteInput = {
    id: uris.object(post.guid),
    attributedTo: uris.actor(usernameOf(author)),
    contentHtml: text.html + quote.fallbackHtml,
    ...sourceOf(source),
    ...languageOf(post, text.html),
    ...address,
    ...quote.members,
    published: post.createdAt,
    url: uris.page(post.guid),
    context: uris.context(post.guid),
    guid: post.guid,
    tags: text.tags,
    sensitive: post.nsfw || post.warning !== null,
    ...(post.warning !== null && { summary: post.warning }),
    attachments: await renderPhotos(deps, post, isForSomebodyHere),
    ...(post.public && MAY_BE_QUOTED),
    ...(post.location && { place: renderPlace(post.location) }),
    ...(await renderThread(deps, post)),
  };
  return buildObject(deps, note, load, post.id);
}

/** Where others find what was said about it, and how many like it and pass it on. */
async function renderThread(
  { uris, likes, posts }: RenderDeps,
  post: Post,
): Promise<Pick<NoteInput, "repliesUri" | "likes" | "shares">> {
  const id = uris.object(post.guid);
  const liked = (await likes.count("Post", [post.id])).get(post.id);
  const shared = (await posts.countReshares([post.guid], null)).get(post.guid);
  return {
    repliesUri: `${id}/replies`,
    likes: { id: `${id}/likes`, totalItems: liked?.likes ?? 0 },
    shares: { id: `${id}/shares`, totalItems: shared ?? 0 },
  };
}

function renderPlace({ address, lat, lng }: PostLocation): Place {
  return {
    ...(address === "" ? {} : { name: address }),
    latitude: Number(lat),
    longitude: Number(lng),
  };
}

/** Those of a limited post are found by the secret in their address, which people here need not be told. */
async function renderPhotos(
  { photos }: RenderDeps,
  post: Post,
  isForSomebodyHere: boolean,
): Promise<AttachmentInput[]> {
  const found = (await photos.listOf([post.id])).get(post.id) ?? [];
  return found.map((photo) => ({
    mediaType: photo.mediaType,
    url: isForSomebodyHere
      ? photos.urlOf(photo)
      : photos.sentUrlOf(photo, post),
    name: photo.text,
    width: photo.width,
    height: photo.height,
    blurhash: photo.blurhash,
  }));
}

/** A comment of a person here. */
export async function renderComment(
  deps: RenderDeps,
  comment: Comment,
  author: Person,
  on: { post: Post; postAuthor: Person },
  recipients: readonly string[],
): Promise<JsonObject | undefined> {
  const { uris, people, comments } = deps;
  const { post, postAuthor } = on;
  const parent =
    comment.parentGuid === null
      ? undefined
      : await comments.find({ guid: comment.parentGuid });
  const parentAuthor = parent && (await people.find({ id: parent.personId }));
  const inReplyTo =
    (parent && parentAuthor && uris.ofComment(parent, parentAuthor)) ??
    uris.ofPost(post, postAuthor);
  if (inReplyTo === null) return undefined;
  const text = await renderText(deps, comment.text);
  const answered = [postAuthor, parentAuthor]
    .flatMap((person) => (person ? uris.ofPerson(person) : null) ?? [])
    .filter((uri) => uri !== uris.ofPerson(author));
  const address = post.public
    ? { to: [PUBLIC], cc: [...new Set([...answered, ...text.mentioned])] }
    : { to: [...new Set(recipients)], cc: [] };
  return buildNote({
    id: uris.object(comment.guid),
    attributedTo: uris.actor(usernameOf(author)),
    contentHtml: text.html,
    ...sourceOf(comment.text),
    ...languageOf(comment, text.html),
    ...address,
    published: comment.createdAt,
    ...(comment.warning !== null && {
      summary: comment.warning,
      sensitive: true,
    }),
    url: uris.page(post.guid),
    inReplyTo,
    context: uris.context(post.guid),
    guid: comment.guid,
    repliesUri: `${uris.object(comment.guid)}/replies`,
    tags: [...text.tags, ...mentionTags(answered, text.mentioned)],
    ...(post.public && MAY_BE_QUOTED),
  });
}

/** Without a tag for whom it answers, Mastodon and GoToSocial do not tell that person. */
function mentionTags(
  answered: readonly string[],
  mentioned: readonly string[],
): { type: "Mention"; name: string; href: string }[] {
  return answered
    .filter((uri) => !mentioned.includes(uri))
    .map((uri) => ({
      type: "Mention",
      name: `@${uri.slice(uri.lastIndexOf("/") + 1)}@${new URL(uri).host}`,
      href: uri,
    }));
}

/** It stands beside the whole HTML once more, so that a long text goes without. */
function languageOf(
  { language }: Pick<Post, "language">,
  html: string,
): { language?: string } {
  return language === null || html.length > MAX_HTML_TWICE ? {} : { language };
}

function sourceOf(text: string): { source?: string } {
  return text.length > MAX_SOURCE_LENGTH ? {} : { source: text };
}
