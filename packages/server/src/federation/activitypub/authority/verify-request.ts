import {
  ActivityPubError,
  checkHttpSignature,
  importPublicKey,
  parseHttpSignature,
  resolveKey,
  verifyHttpSignature,
  type FetchDocument,
  type ParsedSignature,
  type ReceivedRequest,
} from "@kith/activitypub";
import type { KeyObject } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { People, Person } from "../../../features/people/index.ts";
import type { Notices } from "../../../db/notices.ts";
import type { Clock } from "../../../lib/clock.ts";
import { KithError } from "../../../lib/errors.ts";
import { originOf } from "./origins.ts";
import type { Uris } from "../uris.ts";

export type VerifyDeps = {
  readonly people: People;
  readonly clock: Clock;
  readonly fetchDocument: FetchDocument;
  readonly discoverActor: (
    uri: string,
    options?: { refresh?: boolean },
  ) => Promise<Person | undefined>;
  readonly uris: Uris;
  /** Other processes keep keys of people in their memory, too. */
  readonly notices?: Notices;
};

/** Tells who signed a request. @throws {KithError} `unauthorized`, or `unavailable` where the key cannot be had just now */
export type VerifyRequest = (request: FastifyRequest) => Promise<Person>;

type KnownKey = {
  readonly owner: Person;
  readonly key: KeyObject;
  readonly knownAtMs: number;
};

const MAX_KEYS = 10_000;
const KEEP_KEY_MS = 10 * 60_000;
/** A key whose signature fails may have been rotated; it is asked for again, but not by every bad request. */
const REFETCH_AFTER_MS = 5 * 60_000;

export function createVerifyRequest(deps: VerifyDeps): VerifyRequest {
  const keys = new Map<string, KnownKey>();
  deps.notices?.listen("person-keys", (id) => {
    for (const [keyId, { owner }] of keys)
      if (id === undefined || String(owner.id) === id) keys.delete(keyId);
  });
  return async (fastifyRequest) => {
    const request = toReceived(fastifyRequest);
    const options = {
      now: deps.clock.now(),
      origin: originOf(deps.uris.baseUrl),
    };
    try {
      const parsed = parseHttpSignature(request);
      // Whatever needs no key comes first: rubbish must not make us ask other servers.
      checkHttpSignature(request, parsed, options);
      const known = await findKey(deps, keys, parsed.keyId);
      return await verifyWith(deps, keys, request, parsed, known, options);
    } catch (error) {
      if (error instanceof ActivityPubError)
        throw new KithError("unauthorized", `${error.code}: ${error.message}`);
      throw error;
    }
  };
}

/** Node gives headers as a flat list of names and values. */
export function toReceived(request: FastifyRequest): ReceivedRequest {
  const { rawHeaders } = request.raw;
  const headers: [string, string][] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    headers.push([rawHeaders[i] ?? "", rawHeaders[i + 1] ?? ""]);
  return {
    method: request.method,
    path: request.raw.url ?? request.url,
    headers,
    ...(Buffer.isBuffer(request.body) ? { body: request.body } : {}),
  };
}

async function verifyWith(
  deps: VerifyDeps,
  keys: Map<string, KnownKey>,
  request: ReceivedRequest,
  parsed: ParsedSignature,
  known: KnownKey | undefined,
  options: { now: Date; origin: string },
): Promise<Person> {
  if (known) {
    try {
      await verifyHttpSignature(request, parsed, known.key, options);
      return known.owner;
    } catch (error) {
      const ageMs = options.now.getTime() - known.knownAtMs;
      if (ageMs < REFETCH_AFTER_MS) throw error;
    }
  }
  const fetched = await fetchKey(deps, parsed.keyId);
  // What its actor no longer lists is no key any more. Remembered before it is tried: the next bad request asks nobody.
  for (const [keyId, { owner }] of keys)
    if (owner.id === fetched.owner.id) keys.delete(keyId);
  deps.notices?.tell("person-keys", String(fetched.owner.id));
  rememberKey(keys, parsed.keyId, fetched);
  await verifyHttpSignature(request, parsed, fetched.key, options);
  return fetched.owner;
}

async function findKey(
  { people, clock }: VerifyDeps,
  keys: Map<string, KnownKey>,
  keyId: string,
): Promise<KnownKey | undefined> {
  const nowMs = clock.now().getTime();
  const kept = keys.get(keyId);
  if (kept && nowMs - kept.knownAtMs < KEEP_KEY_MS) return kept;
  const stored = await people.findKey(keyId);
  const owner = stored && (await people.find({ id: stored.personId }));
  if (!stored || owner?.state !== "active") return undefined;
  const known = {
    owner,
    key: importPublicKey(stored.publicKeyPem),
    knownAtMs: Date.parse(stored.fetchedAt),
  };
  rememberKey(keys, keyId, known);
  return known;
}

/**
 * Fetches a key, of HTTP or document signatures, with the owner that confirms it.
 * @throws {KithError} `unavailable`, or `unauthorized` where it is nobody's
 */
export async function fetchKey(
  deps: VerifyDeps,
  keyId: string,
): Promise<KnownKey> {
  const { fetchDocument, discoverActor, clock } = deps;
  const resolution = await resolveKey({ keyId, fetchDocument });
  if (resolution.kind === "unavailable" && resolution.reason === "unreachable")
    throw new KithError("unavailable", "The key cannot be fetched");
  if (resolution.kind !== "resolved")
    throw new KithError("unauthorized", `The key: ${resolution.reason}`);
  const { owner, pem } = resolution.key;
  const person = await discoverActor(owner, { refresh: true });
  if (person?.addresses.actorUri !== owner || person.state !== "active")
    throw new KithError("unauthorized", "The key's owner cannot be confirmed");
  return {
    owner: person,
    key: importPublicKey(pem),
    knownAtMs: clock.now().getTime(),
  };
}

function rememberKey(
  keys: Map<string, KnownKey>,
  keyId: string,
  known: KnownKey,
): void {
  if (keys.size >= MAX_KEYS) keys.clear();
  keys.set(keyId, known);
}
