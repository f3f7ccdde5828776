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
} from "../records/known-senders.ts";
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

/** Takes one public envelope. @param network where it comes from, as limits count it */
export type ReceivePublic = (
  body: Buffer | undefined,
  network: string,
) => Promise<void>;

/**
 * Verifies public envelopes of senders whose keys are known, and stores them or
 * carries them out; those of others are stored until the worker has found the key.
 * When it resolves, all of it is durable. What is wrong is dropped: the answer
 * tells nobody.
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
  // Whatever is said of blocked servers is said to nobody: the answer is the same.
  if (!(await deps.hostPolicies.isHostAllowed(hostOf(sender)))) return;
  const known = await findSender(sender);
  if (known && !(await isSignedWith(envelope, known.key)))
    return proving.fail();
  if (known) proving.succeed();
  // Later it may be welcome: whoever means it sends it again.
  else proving.lookUp();
  const message = {
    protocol: "diaspora",
    // The same envelope may mean something new: sharing, not sharing, sharing again.
    messageId: null,
    sender,
    recipientUserId: null,
    verified: known !== undefined,
    body,
  } as const;
  const immediate =
    known && (await readImmediateEnvelope(deps, envelope, known.person));
  // An envelope carries no time: the same may come again for ever, from anybody.
  const provesWhereNew = known && findOwnSeedOrigin(known.person);
  const carriedOut = immediate && { ...immediate, provesWhereNew };
  await deps.inbound.store(message, sender, undefined, carriedOut);
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
