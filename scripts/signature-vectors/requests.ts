import {
  ActivityPubError,
  parseHttpSignature,
  parseJson,
  readActivity,
  requireSigner,
  resolveKey,
  signCavage,
  signRfc9421,
  verifyHttpSignature,
} from "@kith/activitypub";
import type {
  ParsedSignature,
  ReceivedRequest,
  ResolvedKey,
} from "@kith/activitypub";
import { jsonLd } from "./json-ld.ts";
import { differenceOf, fetcherOf, outcomeOf, privateKeyOf } from "./file.ts";
import type { Outcome, RequestVector, VectorFile } from "./file.ts";

/**
 * Verifies a request as an inbox does, and signs it again if it has a form that we could have sent.
 * @returns the deviation from the file's expectation
 */
export async function checkRequest(
  file: VectorFile,
  vector: RequestVector,
): Promise<string | undefined> {
  const outcome = await outcomeOf(() => receive(file, vector));
  const difference = differenceOf(vector.expect, outcome);
  if (difference !== undefined || vector.expect.result !== "accept") {
    return difference;
  }
  return checkSigner(file, vector);
}

function requestOf({ receiver }: VectorFile, vector: RequestVector) {
  const { method, url, headers, body } = vector.request;
  const { pathname, search } = new URL(url);
  // Use the raw path for our own address: parsing may have rewritten it.
  const isOurs = url.startsWith(`${receiver.origin}/`);
  const path = isOurs
    ? url.slice(receiver.origin.length)
    : `${pathname}${search}`;
  const request: ReceivedRequest = { method, path, headers };
  return body === undefined ? request : { ...request, body: Buffer.from(body) };
}

async function receive(
  file: VectorFile,
  vector: RequestVector,
): Promise<Outcome> {
  const request = requestOf(file, vector);
  const parsed = parseHttpSignature(request);
  const key = await verify(file, vector, request, parsed);
  if (typeof key === "string") {
    const gone = key === "key-unavailable" && deletesItself(vector, request);
    return gone
      ? { result: "ignore", actor: gone }
      : { result: "reject", reason: key };
  }
  if (vector.level === "inbox") {
    const body = request.body ?? Buffer.from("");
    requireSigner(key.owner, readActivity(parseJson(body)));
  }
  return { result: "accept", actor: key.owner };
}

/** Tries a known key first; when it fails, as after a rotation, fetches the current one. */
async function verify(
  file: VectorFile,
  { cachedKeys = {} }: RequestVector,
  request: ReceivedRequest,
  parsed: ParsedSignature,
): Promise<ResolvedKey | string> {
  const { keyId } = parsed;
  const options = { now: new Date(file.now), origin: file.receiver.origin };
  const pem = cachedKeys[keyId];
  if (pem !== undefined) {
    try {
      await verifyHttpSignature(request, parsed, pem, options);
      return { keyId, owner: keyId.replace(/#.*/, ""), pem };
    } catch (error) {
      const isRotated =
        error instanceof ActivityPubError && error.fault === "bad-signature";
      if (!isRotated) throw error;
    }
  }
  const found = await resolveKey({
    keyId,
    fetchDocument: fetcherOf(file),
    jsonLd,
  });
  if (found.kind === "unavailable") return "key-unavailable";
  if (found.kind === "refused") return found.reason;
  await verifyHttpSignature(request, parsed, found.key.pem, options);
  return found.key;
}

/** The actor of a Delete of itself, which is answered without a key. */
function deletesItself(
  { level }: RequestVector,
  { body }: ReceivedRequest,
): string | undefined {
  if (level !== "inbox" || body === undefined) return undefined;
  const { type, actor, object } = readActivity(parseJson(body));
  return type === "Delete" && object?.id === actor ? actor : undefined;
}

async function checkSigner(
  file: VectorFile,
  vector: RequestVector,
): Promise<string | undefined> {
  const received = requestOf(file, vector);
  const parsed = parseHttpSignature(received);
  const privateKey = privateKeyOf(file, parsed.keyId);
  if (privateKey === undefined) return undefined;
  const headers = Object.fromEntries(
    received.headers.map(([name, value]) => [name.toLowerCase(), value]),
  );
  const { method, url } = vector.request;
  const { body } = received;
  const input = {
    method,
    url,
    headers,
    keyId: parsed.keyId,
    privateKey,
    ...(body !== undefined && { body }),
  };
  const sent = await signAgain(input, parsed);
  if (sent === undefined) return undefined;
  // Parameters in another order give another signature.
  if (sent["signature-input"] !== headers["signature-input"]) return undefined;
  const again = parseHttpSignature({
    ...received,
    headers: Object.entries(sent),
  });
  return Buffer.from(again.signature).equals(Buffer.from(parsed.signature))
    ? undefined
    : "the signer makes another signature of the same";
}

type Input = Omit<Parameters<typeof signCavage>[0], "now">;

/** Signs the same with the same key; undefined for `(created)`, which we never send. */
async function signAgain(
  input: Input,
  parsed: ParsedSignature,
): Promise<Record<string, string> | undefined> {
  if (parsed.scheme === "cavage") {
    if (parsed.headers.some((name) => /^\((created|expires)\)$/.test(name))) {
      return undefined;
    }
    return signCavage({
      ...input,
      signedHeaders: parsed.headers,
      now: new Date(input.headers["date"] ?? ""),
    });
  }
  const { components, label, created = 0, expires } = parsed;
  return signRfc9421({
    ...input,
    components,
    label,
    now: new Date(created * 1000),
    ...(expires !== undefined && { expires: new Date(expires * 1000) }),
  });
}
