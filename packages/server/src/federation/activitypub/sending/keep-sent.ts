import type { JsonObject } from "@kith/activitypub";
import type { Db } from "../../../db/db.ts";
import type { Person } from "../../../features/people/index.ts";
import { timestamp, type Clock } from "../../../lib/time/clock.ts";
import { isRootHere, type Outgoing } from "../../outbound/outgoing.ts";
import { saveSentActivity } from "../records/sent-activity-store.ts";
import { saveProved } from "../records/proved-store.ts";
import { namesEverybody } from "./sign-document.ts";

type KeepDeps = { readonly db: Db; readonly clock: Clock };

/** One activity as it is sent. */
type Sent = {
  readonly author: Person;
  readonly activity: JsonObject;
  /** JSON, with its proofs. */
  readonly document: string;
  /** Actor ids. */
  readonly addressees: readonly string[];
};

/** Stores an activity that could not be rendered again from the database. */
export async function keepSent(
  deps: KeepDeps,
  outgoing: Outgoing,
  sent: Sent,
): Promise<void> {
  if (isKept(outgoing)) await keep(deps, sent);
  await keepBelow(deps, outgoing, sent.document);
}

/** Stores local activities below a local limited post beside the remote ones. */
async function keepBelow(
  { db }: KeepDeps,
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

const KEPT: ReadonlySet<Outgoing["kind"]> = new Set([
  "contact",
  "block",
  "departure",
  "event_answer",
  "event_change",
  "move",
  "pin",
  "poll_change",
  "post_change",
  "profile",
  "quote_change",
  "thread_change",
  "vote",
]);

/**
 * Follow, Block, Undo, Delete, Update, answers and votes cannot be rendered again from the
 * database.
 */
function isKept(outgoing: Outgoing): boolean {
  const { kind } = outgoing;
  if (kind === "comment") return outgoing.isEdit;
  return KEPT.has(kind) || kind.endsWith("_retraction");
}

async function keep(
  { db, clock }: KeepDeps,
  { author, activity, document, addressees }: Sent,
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
