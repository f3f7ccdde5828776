import { serialize, withContext, type JsonObject } from "@kith/activitypub";
import type { Person } from "../../../features/people/index.ts";
import type { Relays } from "../../../features/relays/index.ts";
import { timestamp } from "../../../lib/time/clock.ts";
import type {
  Rendered,
  Outgoing,
  ProtocolSender,
} from "../../outbound/outgoing.ts";
import {
  isInConversation,
  isRootHere,
  serverOf,
} from "../../outbound/outgoing.ts";
import type { Peers } from "../../peers/peers.ts";
import { inboxesOf } from "./inboxes-of.ts";
import {
  renderOutgoing,
  type RenderOutgoingDeps,
} from "../render/render-outgoing.ts";
import { saveProved } from "../threads/proved-store.ts";
import { isForRelays, renderForRelays } from "../relays/send-to-relays.ts";
import { saveSentActivity } from "../records/sent-activity-store.ts";
import {
  namesEverybody,
  proveDocument,
  signDocument,
  type SignDocumentDeps,
} from "./sign-document.ts";
import { tagReaders } from "../render/tag-readers.ts";

export type SenderDeps = RenderOutgoingDeps &
  SignDocumentDeps & {
    readonly peers: Peers;
    readonly relays: Relays;
  };

/** Renders things to tell as activities, one document for each server where the readers differ. */
export function createActivityPubSender(deps: SenderDeps): ProtocolSender {
  const urisOf = (people: readonly Person[]) =>
    people.flatMap((person) => deps.uris.ofPerson(person) ?? []);
  return {
    render: async (outgoing, recipients) => {
      const author = signerOf(outgoing);
      // What people elsewhere say here, members read from the thread.
      if (author.userId === null) return [];
      const takers = await listTakers(deps, outgoing, recipients);
      const groups = isForEveryone(outgoing) ? [takers] : groupByServer(takers);
      const dispatches: Rendered[] = [];
      for (const group of groups) {
        const readers = urisOf(group);
        const activity = await renderOutgoing(deps, outgoing, author, readers);
        if (!activity) continue;
        const isProved = namesEverybody(activity) || isSaidBelow(outgoing);
        const bare = withContext(activity);
        const document = isProved
          ? await proveDocument(deps, bare, author)
          : bare;
        const text = serialize(document);
        if (isKept(outgoing))
          await keep(deps, author, activity, text, urisOf(recipients));
        await keepBelow(deps, outgoing, text);
        const { friendica, others } = await groupBySoftware(deps, group);
        // Not what is kept: that is shown to every reader; nor what was signed.
        const tagged = isProved
          ? document
          : await tagReaders(deps, document, others);
        const sent = tagged === document ? text : serialize(tagged);
        dispatches.push(toDispatch(author, others, sent));
        if (friendica.length > 0)
          dispatches.push(
            toDispatch(
              author,
              friendica,
              // It takes the address of our keys for another actor.
              serialize(await signDocument(deps, document, author)),
            ),
          );
        if (isForRelays(outgoing))
          dispatches.push(
            ...(await renderForRelays(
              deps,
              outgoing,
              document,
              author,
              (said) => signDocument(deps, said, author),
            )),
          );
      }
      return dispatches;
    },
    isHeardByOthers: async (outgoing) =>
      isForRelays(outgoing) && (await deps.relays.listAccepted()).length > 0,
  };
}

/**
 * What is said about somebody's limited post its author hands on to the others who
 * got it, who believe nothing without a proof. A comment on one of ours they can ask
 * for here. A limited post itself never gets one. See
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

/** Keeps what people here said below a limited post of ours beside what others said. */
async function keepBelow(
  { db }: SenderDeps,
  outgoing: Outgoing,
  document: string,
): Promise<void> {
  const { kind } = outgoing;
  if (kind !== "like" && kind !== "event_answer") return;
  const { post } = outgoing;
  if (post.public || !isRootHere(outgoing)) return;
  const of =
    kind === "like"
      ? { likeId: outgoing.like.id }
      : { participationId: outgoing.answer.id };
  await db.transaction((tx) => saveProved(tx, post.id, of, document));
}

async function groupBySoftware(
  { peers }: SenderDeps,
  people: readonly Person[],
): Promise<{ friendica: Person[]; others: Person[] }> {
  const friendica: Person[] = [];
  const others: Person[] = [];
  const known = new Map<string, boolean>();
  for (const person of people) {
    const origin = serverOf(person) ?? "";
    const isFriendica =
      known.get(origin) ?? (await peers.softwareOf(origin)) === "friendica";
    known.set(origin, isFriendica);
    (isFriendica ? friendica : others).push(person);
  }
  return { friendica, others };
}

/**
 * That a comment from elsewhere is taken out of a thread here, its own server does not
 * take from us: only its author deletes it there, and GoToSocial 0.20 answers 500 to
 * anybody else for ever. Another Kith does, and one of which nothing is known may be one.
 */
async function listTakers(
  { peers }: SenderDeps,
  outgoing: Outgoing,
  recipients: readonly Person[],
): Promise<Person[]> {
  const isOfOthers =
    outgoing.kind === "comment_retraction" && outgoing.author.userId === null;
  const origin = isOfOthers ? serverOf(outgoing.author) : undefined;
  const isThere = (person: Person) => serverOf(person) === origin;
  if (origin === undefined || !recipients.some(isThere)) return [...recipients];
  const software = await peers.softwareOf(origin);
  const takes = software === null || software === "kith";
  return recipients.filter((person) => takes || !isThere(person));
}

/**
 * Whose activity it is. A comment or like is undone in the name of its author,
 * whoever did it here; a comment of somebody elsewhere that is taken out of a
 * thread in the name of the post's author, who did it.
 */
function signerOf(outgoing: Outgoing): Person {
  if (!("author" in outgoing)) return outgoing.by;
  const { kind, author, by } = outgoing;
  return kind === "comment_retraction" && author.userId === null ? by : author;
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
    case "poll_change":
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

const KEPT: ReadonlySet<Outgoing["kind"]> = new Set([
  "contact",
  "block",
  "departure",
  "event_answer",
  "event_change",
  "move",
  "poll_change",
  "profile",
  "quote_change",
  "thread_change",
  "vote",
]);

/** Follow, Block, Undo, Delete, Update, answers and votes cannot be rendered again from what is stored. */
function isKept(outgoing: Outgoing): boolean {
  const { kind } = outgoing;
  return KEPT.has(kind) || kind.endsWith("_retraction");
}

async function keep(
  { db, clock }: SenderDeps,
  author: Person,
  activity: JsonObject,
  document: string,
  addressees: readonly string[],
): Promise<void> {
  const { "diaspora:guid": guid } = activity;
  if (typeof guid !== "string") return;
  await db.transaction((tx) =>
    saveSentActivity(
      tx,
      {
        guid,
        personId: author.id,
        public: namesEverybody(activity),
        addressees,
        document,
      },
      timestamp(clock.now()),
    ),
  );
}

function groupByServer(people: readonly Person[]): Person[][] {
  const groups = Map.groupBy(people, serverOf);
  return [...groups.values()];
}

function toDispatch(
  author: Person,
  recipients: readonly Person[],
  document: string,
): Rendered {
  return { document, deliveries: inboxesOf(author, recipients) };
}
