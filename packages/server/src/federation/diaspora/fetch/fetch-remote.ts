import {
  DiasporaError,
  fetchUrl,
  parseEntity,
  parseEnvelope,
  type Entity,
} from "@kith/diaspora";
import { createLruCache } from "../../../lib/caching/lru-cache.ts";
import { findProvenSeed } from "../../remote-people/proven-origins.ts";
import { messageOf } from "../../../lib/errors.ts";
import { FetchRefused } from "../../../lib/http-client/guarded-fetch.ts";
import type { InboundResult } from "../../inbound/inbound.ts";
import type { DiasporaDeps } from "../deps.ts";
import { openEnvelope } from "../authority/open-envelope.ts";
import type { PublicKeys } from "../authority/public-keys.ts";
import {
  refused,
  type Arrival,
  type FetchRemote,
  type FetchShown,
  type Wanted,
} from "../authority/receive-context.ts";

type FetchRemoteDeps = DiasporaDeps & {
  readonly keys: PublicKeys;
  /** Processes a fetched entity like a received one. */
  readonly process: (
    entity: Entity,
    arrival: Arrival,
  ) => Promise<InboundResult>;
};

/** The fetched object, from any server. */
type Sought = Omit<Wanted, "from">;

const MAX_ENVELOPE_BYTES = 2 * 1024 * 1024;
/** A reshare needs its post, and nothing more; longer chains are made up. */
const MAX_DEPTH = 3;
const REMEMBERED_MS = 3_600_000;
const MAX_REMEMBERED = 10_000;

/**
 * Fetches a public post from the server whose page a local user visited, which
 * need not be its author's.
 * @returns the handle of its author, if it came; the caller checks whether it
 *   is stored now
 */
export function createFetchShown(deps: FetchRemoteDeps): FetchShown {
  return async ({ origin, guid, cause }) => {
    const wanted = { type: "post", guid, depth: 0, cause } as const;
    const url = fetchUrl(`${origin}/`, wanted.type, guid);
    let author: string | undefined;
    const process: FetchRemoteDeps["process"] = (entity, arrival) => {
      author = arrival.sender.handle;
      return deps.process(entity, arrival);
    };
    const result = await fetchOnce({ ...deps, process }, url, wanted);
    deps.log.debug({ url, result }, "Fetched for somebody here");
    return author;
  };
}

/** Fetches public objects that others refer to. */
export function createFetchRemote(deps: FetchRemoteDeps): FetchRemote {
  const running = new Map<string, Promise<void>>();
  const asked = createMemory(deps);
  return async (wanted) => {
    // Otherwise anyone could claim an origin and make this server request it.
    const seed = findProvenSeed(wanted.from);
    if (seed === undefined || wanted.depth >= MAX_DEPTH) return;
    const current = running.get(wanted.guid);
    // A nested fetch never waits for another one: two could wait for each
    // other.
    if (current) return wanted.depth === 0 ? current : undefined;
    const url = fetchUrl(seed, wanted.type, wanted.guid);
    if (asked.has(url)) return;
    const fetching = fetchOnce(deps, url, wanted)
      .then((result) => {
        deps.log.debug({ url, result }, "Fetched");
        if (result.kind === "done") asked.set(url, true);
      })
      .finally(() => running.delete(wanted.guid));
    running.set(wanted.guid, fetching);
    return fetching;
  };
}

async function fetchOnce(
  deps: FetchRemoteDeps,
  url: string,
  wanted: Sought,
): Promise<InboundResult> {
  try {
    const answer = await deps.fetch.request({
      method: "GET",
      url,
      maxBytes: MAX_ENVELOPE_BYTES,
      accept2xxOnly: true,
    });
    if (answer.status < 200 || answer.status >= 300)
      return refused(`answered ${answer.status}`);
    return await take(deps, answer.body, wanted);
  } catch (error) {
    if (!(error instanceof FetchRefused || error instanceof DiasporaError))
      throw error;
    return refused(messageOf(error));
  }
}

/** Any server may serve it: the envelope authenticates its author. */
async function take(
  deps: FetchRemoteDeps,
  body: Uint8Array,
  wanted: Sought,
): Promise<InboundResult> {
  const opened = await openEnvelope(deps, parseEnvelope(body), false);
  if (opened.kind !== "open") return opened;
  const entity = parseEntity(opened.payloadXml);
  const { sender } = opened;
  if (!isWanted(entity, wanted, sender.handle))
    return refused("not what was asked for");
  const depth = wanted.depth + 1;
  const { cause } = wanted;
  return deps.process(entity, { sender, owner: null, depth, cause });
}

function isWanted(
  entity: Entity,
  { type, guid, author }: Sought,
  sender: string,
): boolean {
  if (author !== undefined && author !== sender) return false;
  switch (entity.type) {
    case "status_message":
      return type === "poll"
        ? entity.poll?.guid === guid
        : type === "post" && entity.guid === guid;
    case "reshare":
      return type === "post" && entity.guid === guid;
    case "comment":
      return type === "comment" && entity.guid === guid;
    default:
      return false;
  }
}

/**
 * Recent fetches: an object still missing after one is not available by
 * another.
 */
function createMemory({ clock }: Pick<DiasporaDeps, "clock">) {
  return createLruCache<string, true>({
    ...{ max: MAX_REMEMBERED, keepMs: REMEMBERED_MS, clock },
  });
}
