import type { KeyObject } from "node:crypto";
import {
  DiasporaError,
  parseEnvelope,
  verifyEnvelope,
  type UnverifiedEnvelope,
} from "@kith/diaspora";
import { findOwnSeedOrigin } from "../../remote-people/proven-origins.ts";
import type {
  VerificationAttempt,
  SignatureFailureLimiter,
} from "../../inbound/signature-failure-limiter.ts";
import type { DiasporaDeps } from "../deps.ts";
import {
  createKnownSenders,
  type FindSender,
} from "../authority/known-senders.ts";
import { readImmediateEnvelope } from "./receive-at-once.ts";
import { hostOf } from "../render/wire-values.ts";

export type ReceivePublicDeps = {
  readonly unproven: SignatureFailureLimiter;
} & Pick<
  DiasporaDeps,
  | "contacts"
  | "db"
  | "jobs"
  | "clock"
  | "people"
  | "photos"
  | "posts"
  | "strangers"
  | "comments"
  | "events"
  | "polls"
  | "inbound"
  | "handleHost"
  | "isAuthorOf"
  | "hostPolicies"
>;

/**
 * Accepts one public envelope. @param network of the sender, by which limits
 * count
 */
export type ReceivePublic = (
  body: Buffer | undefined,
  network: string,
) => Promise<void>;

/**
 * Verifies public envelopes of senders with known keys, and stores or applies
 * them; others are stored until the worker has found the key. Everything is
 * durable when it resolves. Invalid envelopes are dropped, without a different
 * response.
 */
export function createReceivePublic(deps: ReceivePublicDeps): ReceivePublic {
  const findSender = createKnownSenders(deps);
  return async (body, network) => {
    const proving = deps.unproven.begin(network);
    if (body) await takePublic(deps, findSender, body, proving);
  };
}

async function takePublic(
  deps: ReceivePublicDeps,
  findSender: FindSender,
  body: Buffer,
  proving: VerificationAttempt,
): Promise<void> {
  const envelope = parseOrDrop(body);
  if (!envelope) return proving.fail();
  if (hostOf(envelope.claimedSender) === deps.handleHost) return;
  const sender = envelope.claimedSender;
  // A blocked server gets the same response.
  if (!(await deps.hostPolicies.isHostAllowed(hostOf(sender)))) return;
  const known = await findSender(sender);
  if (known && !(await isSignedWith(envelope, known.key)))
    return proving.fail();
  if (known) proving.succeed();
  // A retry may be accepted later.
  else proving.lookUp();
  const message = {
    protocol: "diaspora",
    // The same envelope may have a new meaning: sharing, not sharing, sharing
    // again.
    messageId: null,
    sender,
    recipientUserId: null,
    verified: known !== undefined,
    body,
  } as const;
  const immediate =
    known && (await readImmediateEnvelope(deps, envelope, known.person));
  // Envelopes have no time: anyone may replay them for ever.
  const provesWhereNew = known && findOwnSeedOrigin(known.person);
  const proven = immediate && { ...immediate, provesWhereNew };
  await deps.inbound.store(message, sender, undefined, proven);
}

function parseOrDrop(body: Buffer): UnverifiedEnvelope | undefined {
  try {
    return parseEnvelope(body);
  } catch (error) {
    if (error instanceof DiasporaError) return undefined;
    throw error;
  }
}

async function isSignedWith(
  envelope: UnverifiedEnvelope,
  key: KeyObject,
): Promise<boolean> {
  try {
    await verifyEnvelope(envelope, key);
    return true;
  } catch (error) {
    if (error instanceof DiasporaError) return false;
    throw error;
  }
}
