import { DiasporaError } from "@kith/diaspora";
import { storeConversationOf } from "./kinds/conversations.ts";
import {
  personOf,
  type ReceiveVector,
  type VectorFile,
  type VectorPerson,
} from "./file.ts";
import type { Home } from "./home.ts";
import { checkRead } from "./kinds/pure.ts";
import { checkRelayed } from "./kinds/relayed.ts";
import { checkStored, isUnkept, readAccepted } from "./kinds/stored.ts";
import type { Accepted } from "./rows.ts";
import type { KeptState } from "./tables.ts";

/** The context for judging a message. */
export type Court = {
  readonly file: VectorFile;
  readonly home: Home;
  readonly state: KeptState;
  readonly witness: VectorPerson;
};

/** The deviation from the expectation, if any, and remarks about a message that met it. */
export type Judgement = {
  readonly difference?: string | undefined;
  /** The server's outcome for a message that it accepts without storing it. */
  readonly unkept?: string;
};

/** The outcome of a message, as recorded by the server. */
type Processed = {
  /** undefined if it was dropped on receipt. */
  readonly outcome: string | undefined;
  /** It was deferred until it was given up. */
  readonly waited: boolean;
};

/** More than the attempts of any message. */
const MAX_WAITS = 20;

/** Sends a vector's body over HTTP to the server in its known state, and judges by the stored result. */
export async function judge(
  court: Court,
  vector: ReceiveVector,
): Promise<Judgement> {
  const { home, state } = court;
  const startedAt = home.clock.now();
  home.network.sent.length = 0;
  try {
    await prepare(court, vector);
    const status = await post(court, vector);
    const processed = await process(court);
    // The verdict does not depend on the answer; but a crash gives none.
    if (status >= 500) return { difference: `the answer was ${status}` };
    return vector.expected.verdict === "accept"
      ? await judgeAccepted(court, vector, processed)
      : { difference: await judgeRefused(state, processed) };
  } finally {
    home.clock.set(startedAt);
    await state.restore();
  }
}

/** A message is judged by itself, so its conversation is created first. */
async function prepare(
  { file, home, state }: Court,
  vector: ReceiveVector,
): Promise<void> {
  const { payload_xml: xml = "" } = vector.expected;
  if (!/^\s*<message>/.test(xml)) return;
  const entity = readAccepted(xml);
  if (entity.type !== "message") return;
  await storeConversationOf(home, file, vector, entity);
  await state.overlook();
}

async function post(
  { file, home }: Court,
  vector: ReceiveVector,
): Promise<number> {
  const path =
    vector.endpoint === "public"
      ? "/receive/public"
      : `/receive/users/${encodeURIComponent(personOf(file, vector.recipient ?? "").guid)}`;
  const response = await fetch(home.address + path, {
    method: "POST",
    headers: {
      "content-type": vector.content_type ?? "application/octet-stream",
    },
    body: vector.body,
  });
  await response.arrayBuffer();
  return response.status;
}

/** Runs all jobs, including those deferred for hours. */
async function process({ home, state }: Court): Promise<Processed> {
  const { db, clock, settle } = home;
  for (let waits = 0; waits < MAX_WAITS; waits += 1) {
    await settle();
    const message = await db.read
      .selectFrom("inbound_messages")
      .select(["outcome", "processed_at"])
      .executeTakeFirst();
    if (!message) return { outcome: await doneAtOnce(state), waited: false };
    if (message.processed_at !== null)
      return { outcome: message.outcome ?? undefined, waited: waits > 0 };
    const job = await db.read
      .selectFrom("jobs")
      .select("run_at")
      .where("kind", "=", "handle-inbound")
      .executeTakeFirst();
    if (!job) break;
    clock.set(new Date(job.run_at));
  }
  throw new Error("the message was never processed");
}

/** Messages that need only the database are processed in the request and not recorded; the stored result shows the outcome. */
async function doneAtOnce(state: KeptState): Promise<string | undefined> {
  return (await state.changed()).length > 0 ? "done at once" : undefined;
}

function refusalIn({ outcome, waited }: Processed): string | undefined {
  if (outcome === undefined) return "dropped at the door";
  if (waited) return `given up: ${outcome}`;
  return /^(refused|undecryptable)/.test(outcome) ? outcome : undefined;
}

async function judgeRefused(
  state: KeptState,
  processed: Processed,
): Promise<string | undefined> {
  const changed = await state.changed();
  const what = changed.length > 0 ? `; changed: ${changed.join(", ")}` : "";
  const refusal = refusalIn(processed);
  if (refusal === undefined)
    return `expected reject, got accept (${processed.outcome ?? ""}${what})`;
  return changed.length > 0
    ? `refused as expected (${refusal}), but not without traces${what}`
    : undefined;
}

async function judgeAccepted(
  { file, home, witness }: Court,
  vector: ReceiveVector,
  processed: Processed,
): Promise<Judgement> {
  const refusal = refusalIn(processed);
  if (refusal !== undefined)
    return { difference: `expected accept, got reject (${refusal})` };
  const { expected } = vector;
  const read = await readOf(file, vector);
  if (read !== undefined) return { difference: read };
  const accepted: Accepted = {
    home,
    entity: readAccepted(expected.payload_xml ?? ""),
    sender: expected.sender ?? "",
    owner:
      vector.endpoint === "private"
        ? personOf(file, vector.recipient ?? "").handle
        : undefined,
    outcome: processed.outcome ?? "",
  };
  const isKept = !isUnkept(accepted);
  const stored = isKept ? await checkStored(accepted) : undefined;
  if (stored !== undefined)
    return {
      difference: `accepted (${accepted.outcome}), but not stored as expected: ${stored}`,
    };
  const relayed =
    expected.must_relay === true
      ? await checkRelayed(file, witness, accepted.entity, home.network.sent)
      : undefined;
  return {
    difference: relayed,
    ...(isKept ? {} : { unkept: accepted.outcome }),
  };
}

async function readOf(
  file: VectorFile,
  vector: ReceiveVector,
): Promise<string | undefined> {
  try {
    return await checkRead(file, vector);
  } catch (error) {
    if (!(error instanceof DiasporaError)) throw error;
    return `accepted, but its body cannot be read again: ${error.message}`;
  }
}
