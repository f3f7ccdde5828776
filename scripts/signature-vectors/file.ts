import { createPrivateKey } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { ActivityPubError } from "@kith/activitypub";
import type { FetchDocument, JsonObject } from "@kith/activitypub";

type Expectation = { result: string; actor?: string; reason?: string };

export type RequestVector = {
  name: string;
  scheme: "cavage" | "rfc9421";
  level: "signature" | "key" | "inbox";
  request: {
    method: string;
    url: string;
    headers: [string, string][];
    body?: string;
  };
  cachedKeys?: Record<string, string>;
  expect: Expectation;
};

export type ProofVector = {
  name: string;
  kind: string;
  document: JsonObject;
  expect: Expectation;
};

/** A file of vectors; the README of test/vectors/activitypub describes it. */
export type VectorFile = {
  now: string;
  receiver: { origin: string };
  keys: { keyId: string; privateKeyPkcs8?: string }[];
  documents: Record<
    string,
    { status: number; contentType?: string; body: unknown }
  >;
  vectors?: RequestVector[];
  documentProofs?: ProofVector[];
};

/** The outcome of a check. */
export type Outcome =
  | { result: "accept"; actor: string }
  | { result: "ignore"; actor: string }
  | { result: "reject"; reason: string };

/** Serves only the documents of the file. */
export function fetcherOf({ documents }: VectorFile): FetchDocument {
  return async (url) => {
    const document = Object.hasOwn(documents, url) ? documents[url] : undefined;
    const { body, contentType, status } = document ?? {
      status: 404,
      body: null,
    };
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return {
      status,
      body: Buffer.from(text),
      ...(contentType !== undefined && { contentType }),
    };
  };
}

/** The private half of a key; of a key rotated under its id, the last one. */
export function privateKeyOf(
  { keys }: VectorFile,
  keyId: string,
): KeyObject | undefined {
  const known = keys.findLast((key) => key.keyId === keyId)?.privateKeyPkcs8;
  if (known === undefined) return undefined;
  const key = Buffer.from(known, "base64");
  return createPrivateKey({ key, format: "der", type: "pkcs8" });
}

/** Runs a check to its outcome: our own error is a refusal, any other one is a bug. */
export async function outcomeOf(
  check: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof ActivityPubError)) throw error;
    return { result: "reject", reason: error.fault ?? error.code };
  }
}

/** Describes the deviation of an outcome from the file's expectation; undefined if there is none. */
export function differenceOf(
  expect: Expectation,
  outcome: Outcome,
): string | undefined {
  // Either answer is right, or it is accepted only by a fallback, which ours may lack.
  const isAccept =
    expect.result === "accept" || expect.result === "accept-legacy";
  if (expect.result === "accept-optional" && outcome.result === "reject") {
    return undefined;
  }
  const wanted =
    isAccept || expect.result === "accept-optional" ? "accept" : expect.result;
  const got =
    outcome.result === "reject"
      ? `reject (${outcome.reason})`
      : `${outcome.result} (${outcome.actor})`;
  const detail = wanted === "reject" ? expect.reason : expect.actor;
  const expected = detail === undefined ? wanted : `${wanted} (${detail})`;
  const isSame =
    detail === undefined ? outcome.result === wanted : got === expected;
  return isSame ? undefined : `expected ${expected}, got ${got}`;
}
