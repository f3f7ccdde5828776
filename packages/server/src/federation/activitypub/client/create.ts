import { readNote, type JsonObject, type Note } from "@kith/activitypub";
import type { Audience } from "../../../features/audiences/index.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Attach } from "../../../features/posts/index.ts";
import { KithError } from "../../../lib/errors.ts";
import { readLanguageTag } from "../../../lib/language-tag.ts";
import { findKnown } from "../records/objects.ts";
import { listLocal } from "../records/find-local.ts";
import { readWholeText } from "../notes/read-note-text.ts";
import {
  isAddressedToPublic,
  isOwner,
  type ClientActivity,
} from "./client-activity.ts";
import { createEventFromObject } from "./create-event.ts";
import type { ClientDeps, Owner } from "./deps.ts";

type Create = (
  deps: ClientDeps,
  owner: Owner,
  activity: ClientActivity,
  object: JsonObject,
) => Promise<string>;

/**
 * The supported objects by type; each function returns the id of the Create.
 */
const CREATORS: Readonly<Partial<Record<string, Create>>> = {
  Event: createEventFromObject,
  Note: createNote,
};

/** @throws {KithError} `not_implemented` for an object that cannot be created here */
export async function create(
  deps: ClientDeps,
  owner: Owner,
  activity: ClientActivity,
): Promise<string> {
  const object = activity.object.embedded;
  if (!object)
    throw new KithError(
      "bad_request",
      "A Create must carry its whole object, not only the id.",
    );
  const { type } = object;
  if (typeof type !== "string")
    throw new KithError("bad_request", "The object must have a type.");
  const creator = Object.hasOwn(CREATORS, type) ? CREATORS[type] : undefined;
  if (!creator) throw new KithError("not_implemented", "Of another type.");
  const { attributedTo } = object;
  if (
    typeof attributedTo === "string" &&
    !isOwner(deps.uris, owner.person, attributedTo)
  )
    throw new KithError(
      "bad_request",
      "The object must be attributed to the owner of the outbox.",
    );
  return creator(deps, owner, activity, object);
}

async function createNote(
  deps: ClientDeps,
  owner: Owner,
  activity: ClientActivity,
  object: JsonObject,
): Promise<string> {
  const { uris, posts } = deps;
  const actor = uris.actor(owner.username);
  // Its id and author are replaced: the server assigns the id, and the author
  // is the owner.
  const note = readNote({ ...object, id: actor, attributedTo: actor });
  refuseWhatIsMissing(note);
  // The quote is shown beside the text.
  const { quote: _, ...written } = note;
  const text = readWholeText(written);
  if (note.inReplyTo !== undefined)
    return createComment(deps, owner, activity, note, text);
  const attach = await readQuote(deps, owner, note);
  const post = await posts.publish({
    author: owner,
    text,
    ...(attach && { attach }),
    language: readLanguageTag(note.language) ?? null,
    audience: await readAudienceOf(deps, owner, activity),
  });
  return uris.activity(post.guid);
}

/**
 * The quoted post must be known. @throws {KithError} `not_found`, `bad_request`
 */
async function readQuote(
  deps: ClientDeps,
  owner: Owner,
  { quote }: Note,
): Promise<Attach | undefined> {
  if (quote === undefined) return undefined;
  const known = await findKnown(deps, quote);
  if (known?.kind !== "post")
    throw new KithError("not_found", "No such post to quote.");
  return deps.quotes.quote(owner, { id: known.post.id });
}

/**
 * Unsupported parts are refused: a post without its pictures or its content
 * warning, or a comment without its quote, is not what the client asked for.
 */
function refuseWhatIsMissing(note: Note): void {
  if (note.attachments.length > 0 || note.sensitive || note.summary)
    throw new KithError("not_implemented", "Attachments and warnings.");
  if (note.quote !== undefined && note.inReplyTo !== undefined)
    throw new KithError("not_implemented", "Quotes in comments.");
}

/**
 * The audience that the addresses name. The public collection in `cc` alone means unlisted; a
 * post without addressees is its author's alone.
 * @throws {KithError} `bad_request` for an unknown addressee
 */
async function readAudienceOf(
  deps: ClientDeps,
  owner: Owner,
  activity: ClientActivity,
): Promise<Audience> {
  const { addresses } = activity;
  if (isAddressedToPublic(activity))
    return { kind: activity.isUnlisted ? "unlisted" : "everyone" };
  if (addresses.length === 0) return { kind: "self" };
  if (addresses.every((address) => isFollowers(deps, owner, address)))
    return { kind: "followers" };
  const personIds = await findReaders(deps, owner, activity);
  return personIds.length === 0
    ? { kind: "self" }
    : { kind: "people", personIds };
}

/**
 * The addressees of a limited post. @throws {KithError} `bad_request` for an
 * unknown one
 */
async function findReaders(
  deps: ClientDeps,
  owner: Owner,
  { addresses }: ClientActivity,
): Promise<Person["id"][]> {
  const single = new Set(
    addresses.filter((address) => !isFollowers(deps, owner, address)),
  );
  const found = await listAddressed(deps, single);
  const readers = new Set<Person["id"]>();
  if (addresses.some((address) => isFollowers(deps, owner, address)))
    for (const id of await deps.contacts.listFollowerIds(owner.userId))
      readers.add(id);
  for (const person of found)
    if (person.id !== owner.personId) readers.add(person.id);
  return [...readers];
}

function isFollowers(
  { uris }: ClientDeps,
  { username }: Owner,
  address: string,
): boolean {
  return (
    address === `${uris.actor(username)}/followers` ||
    address === `${uris.baseUrl}/api/v0/ap/user/${username}/followers`
  );
}

/**
 * @throws {KithError} `bad_request` for an unknown addressee: without that one,
 *   the post would not reach its audience
 */
async function listAddressed(
  deps: ClientDeps,
  addresses: ReadonlySet<string>,
): Promise<Person[]> {
  const isOurs = (address: string) =>
    deps.uris.usernameOf(address) !== undefined;
  const ours = [...addresses].filter(isOurs);
  const others = [...addresses].filter((address) => !isOurs(address));
  const here = await listLocal(deps, ours);
  const known = await deps.people.listByUri(others);
  const elsewhere = [...known.values()].filter(
    ({ state }) => state === "active",
  );
  const names = new Set(ours.map(deps.uris.usernameOf));
  if (here.length < names.size || elsewhere.length < others.length)
    throw new KithError(
      "bad_request",
      "An addressee is unknown: address the public, the followers, or people in the text.",
    );
  return [...here, ...elsewhere];
}

/** A comment is visible to the post's audience, whatever it addresses. */
async function createComment(
  deps: ClientDeps,
  owner: Owner,
  activity: ClientActivity,
  note: Note,
  text: string,
): Promise<string> {
  const { posts, comments, uris } = deps;
  const known = await findKnown(deps, note.inReplyTo ?? "");
  const postId =
    known?.kind === "comment" ? known.comment.postId : known?.post.id;
  const post = postId && (await posts.findVisible({ id: postId }, owner));
  if (!known || !post) throw new KithError("not_found", "Nothing to answer.");
  // A limited comment must not become public.
  if (
    post.public &&
    activity.addresses.length > 0 &&
    !isAddressedToPublic(activity)
  )
    throw new KithError(
      "bad_request",
      "A reply to a public post must be public, too.",
    );
  const comment = await comments.create({
    author: owner,
    on: { id: post.id },
    text,
    language: readLanguageTag(note.language) ?? null,
    ...(known.kind === "comment" ? { parentGuid: known.comment.guid } : {}),
  });
  return uris.activity(comment.guid);
}
