import { setImmediate } from "node:timers/promises";
import { serialize, withContext, type JsonObject } from "@kith/activitypub";
import type { Db } from "../../../db/db.ts";
import type { Person, Recipient } from "../../../features/people/index.ts";
import type { Relays } from "../relays/relay-list.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import {
  isInConversation,
  isRootHere,
  serverOf,
  type Outgoing,
  type ProtocolSender,
  type Rendered,
} from "../../outbound/outgoing.ts";
import type { Peers } from "../../peers/peers.ts";
import type { Uris } from "../records/uris.ts";
import { isForRelays, renderForRelays } from "../relays/send-to-relays.ts";
import { renderOutgoingActivity } from "../render/render-outgoing.ts";
import { tagReaders } from "../render/tag-readers.ts";
import { findAnswersTaken } from "./find-answers-taken.ts";
import { inboxesOf } from "./inboxes-of.ts";
import { keepSent } from "./keep-sent.ts";
import {
  groupBySoftware,
  listReadersToTag,
  listTakers,
} from "./readers-by-software.ts";
import {
  namesEverybody,
  proveDocument,
  signDocument,
  type SignDocumentDeps,
} from "./sign-document.ts";

export type SenderDeps = SignDocumentDeps & {
  readonly db: Db;
  readonly clock: Clock;
  readonly uris: Uris;
  readonly handleHost: string;
  readonly peers: Peers;
  readonly relays: Relays;
};

/** Sends messages as activities, with one document per server where the readers differ. */
export function createActivityPubSender(deps: SenderDeps): ProtocolSender {
  return {
    render: async (outgoing, recipients) => {
      const author = signerOf(outgoing);
      // Members read remote comments below local posts from the thread.
      if (author.userId === null) return [];
      const takers = await listTakers(deps, outgoing, recipients);
      const groups = isOneForAll(outgoing) ? [takers] : groupByServer(takers);
      const answersTaken = await findAnswersTaken(deps, outgoing);
      const context = { ...deps, now: deps.clock.now() };
      const addressees = urisOf(deps, recipients);
      const dispatches: Rendered[] = [];
      for (const group of groups) {
        const readers = urisOf(deps, readersOf(outgoing, group, takers));
        const addressing = { author, readers, answersTaken };
        const activity = renderOutgoingActivity(context, outgoing, addressing);
        if (!activity) continue;
        const { document, isProved } = await prove(deps, outgoing, {
          author,
          activity,
        });
        const sent = { author, activity, addressees };
        const text = serialize(document);
        await keepSent(deps, outgoing, { ...sent, document: text });
        const signing = { outgoing, author, document, text, isProved };
        dispatches.push(...(await addressTo(deps, signing, group)));
        // Rendering a long text takes a while: let other work run in between.
        await setImmediate();
      }
      return dispatches;
    },
    hasFurtherRecipients: async (outgoing) =>
      isForRelays(outgoing) && (await deps.relays.listAccepted()).length > 0,
  };
}

/** Each participant of a private conversation learns of all others. */
function readersOf(
  outgoing: Outgoing,
  group: readonly Recipient[],
  takers: readonly Recipient[],
): readonly Recipient[] {
  if (!("participants" in outgoing) || outgoing.participants === undefined)
    return group;
  const local = outgoing.participants.filter(({ userId }) => userId !== null);
  return [...local, ...takers].filter(({ id }) => id !== outgoing.by.id);
}

function urisOf({ uris }: SenderDeps, people: readonly Recipient[]): string[] {
  return people.flatMap((person) => uris.ofPerson(person) ?? []);
}

async function prove(
  deps: SenderDeps,
  outgoing: Outgoing,
  { author, activity }: { author: Person; activity: JsonObject },
): Promise<{ document: JsonObject; isProved: boolean }> {
  const isProved = namesEverybody(activity) || isSaidBelow(outgoing);
  const bare = withContext(activity);
  const document = isProved ? await proveDocument(deps, bare, author) : bare;
  return { document, isProved };
}

type Proved = {
  readonly outgoing: Outgoing;
  readonly author: Person;
  readonly document: JsonObject;
  /** The document, serialized. */
  readonly text: string;
  readonly isProved: boolean;
};

/** The forms of a document that its readers' servers, and the relays, understand. */
async function addressTo(
  deps: SenderDeps,
  { outgoing, author, document, text, isProved }: Proved,
  group: readonly Recipient[],
): Promise<Rendered[]> {
  const sign = (said: JsonObject) => signDocument(deps, said, author);
  const { friendica, others } = await groupBySoftware(deps, group);
  // Stored documents are shown to every reader, and signed ones are fixed, so
  // neither is tagged.
  const tagged = isProved
    ? document
    : tagReaders(deps.uris, document, await listReadersToTag(deps, others));
  const sent = tagged === document ? text : serialize(tagged);
  const dispatches = [toDispatch(author, others, sent)];
  if (friendica.length > 0)
    dispatches.push(
      // Friendica takes the URL of our keys for another actor.
      toDispatch(author, friendica, serialize(await sign(document))),
    );
  if (isForRelays(outgoing))
    dispatches.push(
      ...(await renderForRelays(deps, outgoing, document, author, sign)),
    );
  return dispatches;
}

/**
 * Comments on a limited post are forwarded by its author to the others, who
 * accept only proved ones. A comment on a local post can be fetched here. A
 * limited post itself never gets a proof. See
 * docs/adr/0010-proofs-below-limited-posts.md.
 */
function isSaidBelow(outgoing: Outgoing): boolean {
  switch (outgoing.kind) {
    case "comment":
      return !isRootHere(outgoing) && !isInConversation(outgoing);
    case "event_answer":
    case "like":
      return !isInConversation(outgoing);
    default:
      return false;
  }
}

/**
 * The actor of the activity. A comment or like is undone in the name of its
 * author, whichever session did it; a remote comment is removed in the name of
 * the post's author.
 */
function signerOf(outgoing: Outgoing): Person {
  if (!("author" in outgoing)) return outgoing.by;
  const { kind, author, by } = outgoing;
  return kind === "comment_retraction" && author.userId === null ? by : author;
}

/** Does every server get the same document? It names no readers. */
function isOneForAll(outgoing: Outgoing): boolean {
  switch (outgoing.kind) {
    case "event_change":
    case "photo_retraction":
    case "poll_change":
    case "post":
    case "quote_change":
    case "thread_change":
      return outgoing.post.limitedTo === "followers" || outgoing.post.public;
    case "post_retraction":
      return outgoing.details.toFollowers === true || outgoing.details.public;
    default:
      return isForEveryone(outgoing);
  }
}

function isForEveryone(outgoing: Outgoing): boolean {
  switch (outgoing.kind) {
    case "contact":
    case "block":
      return false;
    case "profile":
    case "departure":
    case "move":
      return true;
    case "post_retraction":
      return outgoing.details.public;
    case "post":
    case "event_change":
    case "pin":
    case "poll_change":
    case "post_change":
    case "quote_change":
    case "thread_change":
    case "comment":
    case "comment_retraction":
    case "event_answer":
    case "like":
    case "like_retraction":
    case "photo_retraction":
    case "vote":
    case "vote_retraction":
      return outgoing.post.public;
  }
}

function groupByServer(people: readonly Recipient[]): Recipient[][] {
  const groups = Map.groupBy(people, serverOf);
  return [...groups.values()];
}

function toDispatch(
  author: Person,
  recipients: readonly Recipient[],
  document: string,
): Rendered {
  return { document, deliveries: inboxesOf(author, recipients) };
}
