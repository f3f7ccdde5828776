import type { RemotePeople } from "../../remote-people/remote-people.ts";
import {
  ActivityPubError,
  checkHttpSignature,
  importPublicKey,
  isPublicKey,
  parseHttpSignature,
  verifyHttpSignatureSync,
  type ParsedSignature,
  type ReceivedRequest,
  type VerifyOptions,
} from "@kith/activitypub";
import type { FastifyRequest } from "fastify";
import type { Notices } from "../../../db/postgres/notices.ts";
import {
  hostsOf,
  type People,
  type Person,
} from "../../../features/people/index.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import { KithError } from "../../../lib/errors.ts";
import type {
  VerificationAttempt,
  SignatureFailureLimiter,
} from "../../inbound/signature-failure-limiter.ts";
import type { BlockedHosts } from "./blocked-hosts.ts";
import type { FetchKey, KnownKey } from "./fetch-key.ts";
import { KeptKeys } from "./kept-keys.ts";
import { originOf } from "./origins.ts";
import type { Uris } from "../records/uris.ts";

export type VerifyDeps = {
  readonly people: People;
  readonly remotePeople: RemotePeople;
  readonly clock: Clock;
  readonly fetchKey: FetchKey;
  readonly uris: Uris;
  readonly blockedHosts: BlockedHosts;
  readonly unproven: SignatureFailureLimiter;
  /** Invalidates the key caches of other processes. */
  readonly notices?: Notices;
};

/**
 * Authenticates the signer of a request.
 * @param isHeard may a suspended signer pass? No by default
 * @throws {KithError} `unauthorized`, `forbidden` for a suspended signer or a
 *   blocked server, `unavailable` if the key cannot be fetched now, or
 *   `too_many_requests` after too many invalid signatures from the address
 */
export type VerifyRequest = (
  request: FastifyRequest,
  mayBeSuspended?: (signer: Person) => boolean,
) => Promise<Person>;

const SHUT_OUT = "The signer's server is shut out";
const KEEP_KEY_MS = 10 * 60_000;
/**
 * A key whose signature fails may have been rotated; it is fetched again, but
 * not by every invalid request.
 */
const REFETCH_AFTER_MS = 5 * 60_000;

export function createVerifyRequest(deps: VerifyDeps): VerifyRequest {
  const keys = new KeptKeys();
  deps.notices?.listen("person-keys", (id) => {
    if (id === undefined) keys.clear();
    else keys.deleteOf(id);
  });
  return async (fastifyRequest, mayBeSuspended = isActive) => {
    const proving = deps.unproven.begin(fastifyRequest.network);
    const request = toReceived(fastifyRequest);
    const options = {
      now: deps.clock.now(),
      origin: originOf(deps.uris.baseUrl),
    };
    try {
      const parsed = parseHttpSignature(request);
      // Local actors do not send requests to this server, and it does not fetch
      // its own keys.
      if (deps.uris.isLocal(parsed.keyId))
        throw new KithError("unauthorized", "A key of this server.");
      const asking = URL.canParse(parsed.keyId)
        ? deps.blockedHosts.refuse([parsed.keyId], SHUT_OUT)
        : undefined;
      if (asking) await asking;
      const verify = async (): Promise<Person> => {
        const known =
          peekKey(deps, keys, parsed.keyId) ??
          (await findKey(deps, keys, parsed.keyId));
        return (
          verifyWithKnown(request, parsed, known, options) ??
          (await verifyWithFetched(deps, keys, request, parsed, {
            ...options,
            proving,
          }))
        );
      };
      let owner = await verify();
      // The current state: the cached key may be older than a suspension.
      let state = await deps.people.findState(owner.id);
      if (state === undefined) {
        // A storage rule has removed the person, to whom nothing referred.
        keys.deleteOf(String(owner.id));
        owner = await verify();
        state = await deps.people.findState(owner.id);
      }
      proving.succeed();
      // The host of a handle may differ from that of the keys.
      const askingAll = deps.blockedHosts.refuse(hostsOf(owner), SHUT_OUT);
      if (askingAll) await askingAll;
      if (state === "shut_out" && !mayBeSuspended({ ...owner, state }))
        throw new KithError("forbidden", "The signer is suspended.");
      return owner;
    } catch (error) {
      if (isUnproven(error)) proving.fail();
      if (error instanceof ActivityPubError)
        throw new KithError(
          "unauthorized",
          `The signature does not hold: ${error.code}: ${error.message}.`,
        );
      throw error;
    }
  };
}

const isActive = ({ state }: Person) => state === "active";

function isUnproven(error: unknown): boolean {
  return (
    error instanceof ActivityPubError ||
    (error instanceof KithError && error.code === "unauthorized")
  );
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

/** @returns undefined if the key must be fetched */
function verifyWithKnown(
  request: ReceivedRequest,
  parsed: ParsedSignature,
  known: KnownKey | undefined,
  options: VerifyOptions,
): Person | undefined {
  if (!known) return undefined;
  try {
    verifyHttpSignatureSync(request, parsed, known.key, options);
    return known.owner;
  } catch (error) {
    const ageMs = options.now.getTime() - known.knownAtMs;
    if (ageMs < REFETCH_AFTER_MS) throw error;
    return undefined;
  }
}

async function verifyWithFetched(
  deps: VerifyDeps,
  keys: KeptKeys,
  request: ReceivedRequest,
  parsed: ParsedSignature,
  options: VerifyOptions & { proving: VerificationAttempt },
): Promise<Person> {
  // Checks without a key come first: invalid requests must not cause fetches.
  checkHttpSignature(request, parsed, options);
  options.proving.lookUp();
  const fetched = await deps.fetchKey(parsed.keyId);
  // A key that its actor no longer lists is invalid. Cached before it is tried:
  // the next invalid request causes no fetch.
  keys.deleteOf(String(fetched.owner.id));
  deps.notices?.notify("person-keys", String(fetched.owner.id));
  keys.set(parsed.keyId, fetched);
  verifyHttpSignatureSync(request, parsed, fetched.key, options);
  return fetched.owner;
}

/** The cached key, while it is fresh. */
function peekKey(
  { clock }: VerifyDeps,
  keys: KeptKeys,
  keyId: string,
): KnownKey | undefined {
  const kept = keys.get(keyId);
  const ageMs = clock.now().getTime() - (kept?.knownAtMs ?? 0);
  return ageMs < KEEP_KEY_MS ? kept : undefined;
}

async function findKey(
  { people, remotePeople }: VerifyDeps,
  keys: KeptKeys,
  keyId: string,
): Promise<KnownKey | undefined> {
  const stored = await remotePeople.findKey(keyId);
  const owner = stored && (await people.find({ id: stored.personId }));
  if (!stored || !owner || owner.state === "closed") return undefined;
  // A key that only an older version of Kith accepted may have been replaced.
  if (!isPublicKey(stored.publicKeyPem)) return undefined;
  const known = {
    owner,
    key: importPublicKey(stored.publicKeyPem),
    knownAtMs: Date.parse(stored.fetchedAt),
  };
  keys.set(keyId, known);
  return known;
}
