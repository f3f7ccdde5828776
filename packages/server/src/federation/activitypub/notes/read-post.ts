import { isPublicAddress, type Note } from "@kith/activitypub";
import type { Db } from "../../../db/db.ts";
import { laterOf } from "../../../features/edit-times.ts";
import type { PersonId } from "../../../features/ids.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Post, ReceivedPost } from "../../../features/posts/index.ts";
import type { Quotes } from "../../../features/quotes/index.ts";
import {
  receivedTimestamp,
  type Clock,
  type Timestamp,
} from "../../../lib/time/clock.ts";
import {
  listMentionedUsers,
  type FindLocalDeps,
} from "../records/find-local.ts";
import { readParticipants } from "../conversations/read-participants.ts";
import { findKnown, type ObjectsDeps } from "../records/objects.ts";
import { chooseGuid } from "./choose-guid.ts";
import {
  readBesideText,
  readTagNames,
  readNoteText,
} from "./read-note-text.ts";
import { readMedia } from "./read-media.ts";
import { readPlaceOf } from "./read-place-of.ts";
import type { Recipients } from "./read-recipients.ts";

type ReadPostDeps = ObjectsDeps &
  FindLocalDeps & {
    readonly db: Db;
    readonly clock: Clock;
    readonly quotes: Quotes;
    /** It is stored only because a post quotes it. */
    readonly isFetchedForQuote?: boolean;
  };

/** Reads a Note as a post, ready to be stored: everything about it has been looked up. */
export async function readPost(
  deps: ReadPostDeps,
  note: Note,
  author: Person,
  audience: Recipients,
): Promise<ReceivedPost> {
  const participants = readParticipants(note, author);
  return {
    guid: await chooseGuid(
      { db: deps.db, things: deps.posts },
      "Post",
      note,
      author,
    ),
    isGuidNew: note.guid === undefined,
    personId: author.id,
    type: "post",
    public: audience.public,
    listed: audience.listed,
    ...{ text: readNoteText(note), photos: readMedia(note) },
    ...(participants && { participants }),
    providerName: "",
    rootGuid: null,
    rootPersonId: null,
    uri: note.id,
    url: note.url ?? note.id,
    nsfw: note.sensitive,
    ...readBesideText(note),
    quotableBy: readQuotePolicy(note, author),
    location: readPlaceOf(note),
    ...readTimes(deps, note),
    recipients: audience.people,
    mentioned: participants ? audience.people : await listConcerned(deps, note),
    tags: readTagNames(note),
    ...readQuoteOf(deps, note),
  };
}

/**
 * The people who may quote a remote post, at once or after its author was asked. A post that does not say
 * it may be quoted by whoever gets its author's authorization.
 */
export function readQuotePolicy(
  { canQuote, mayAskToQuote }: Note,
  author: Person,
): Post["quotableBy"] {
  if (canQuote === undefined && mayAskToQuote === undefined) return "everyone";
  const allowed = [...(canQuote ?? []), ...(mayAskToQuote ?? [])];
  if (allowed.some(isPublicAddress)) return "everyone";
  const { actorUri } = author.addresses;
  return allowed.some((one) => one !== actorUri) ? "followers" : "nobody";
}

/** The quote that a Note declares. */
export function quotedBy({ quote, quoteAuthorization }: Note) {
  return quote === undefined
    ? undefined
    : { uri: quote, authorizationUri: quoteAuthorization ?? null };
}

function readQuoteOf(
  { quotes, isFetchedForQuote = false }: ReadPostDeps,
  note: Note,
): Pick<ReceivedPost, "attach"> {
  const quoted = quotedBy(note);
  return quoted ? { attach: quotes.attach(quoted, isFetchedForQuote) } : {};
}

/** A post edited before it arrived is as new as that edit: an older edit comes too late. */
export function readTimes(
  { clock }: Pick<ReadPostDeps, "clock">,
  { published, updated }: Note,
): { readonly createdAt: Timestamp; readonly updatedAt: Timestamp } {
  const now = clock.now();
  const createdAt = receivedTimestamp(published, now);
  const updatedAt =
    updated === undefined
      ? createdAt
      : laterOf(createdAt, receivedTimestamp(updated, now));
  return { createdAt, updatedAt };
}

/** Lists the local people whom a post mentions, or whose post it quotes. */
async function listConcerned(
  deps: ReadPostDeps,
  note: Note,
): Promise<PersonId[]> {
  const mentioned = await listMentionedUsers(deps, note);
  const { quote } = note;
  if (quote === undefined || !deps.uris.isLocal(quote)) return mentioned;
  const quoted = await findKnown(deps, quote);
  if (!quoted) return mentioned;
  const { personId } = quoted.kind === "post" ? quoted.post : quoted.comment;
  return [...new Set([...mentioned, personId])];
}
