import {
  ActivityPubError,
  followersDigest,
  readSynchronizationHeader,
  signedHeader,
  type Collection,
  type FollowersSynchronization,
  type ParsedSignature,
  type ReceivedRequest,
} from "@kith/activitypub";
import { createLruCache } from "../../../lib/caching/lru-cache.ts";
import type { Db } from "../../../db/db.ts";
import type { Contacts } from "../../../features/contacts/index.ts";
import type { PersonId } from "../../../features/ids.ts";
import {
  usernameOf,
  type People,
  type Person,
} from "../../../features/people/index.ts";
import { DONE, jobKind, type JobHandler } from "../../../jobs/job.ts";
import type { Jobs } from "../../../jobs/jobs.ts";
import { later, timestamp, type Clock } from "../../../lib/time/clock.ts";
import { formatHandle } from "../../../lib/handle.ts";
import { createRateLimit } from "../../../lib/limits/rate-limit.ts";
import { fetchCollection, type FetchOwnDeps } from "../authority/fetch-own.ts";
import { isOfServer, originOf } from "../authority/origins.ts";
import {
  findFollowersCheck,
  saveFollowersCheck,
} from "./followers-check-store.ts";
import type { Uris } from "../records/uris.ts";

type Payload = {
  readonly personId: PersonId;
  readonly url: string;
  readonly digest: string;
};

/** The job that fetches a remote actor's list of local followers. */
export const SYNCHRONIZE_FOLLOWERS = jobKind<Payload>("synchronize-followers", {
  maxAttempts: 3,
});

const HEADER = "collection-synchronization";
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How long a comparison is cached. */
const KEEP_MS = 10 * MINUTE_MS;
const MAX_SENDERS = 10_000;
/** Follows and their answers may be under way. */
const SETTLE_MS = MINUTE_MS;
/** The least time between two fetches, whatever is claimed or changed. */
const PAUSE_MS = HOUR_MS;
const SAME_PAUSE_MS = 24 * HOUR_MS;
/** Comparisons for one server: each reads all followers of one person. */
const EACH_SERVER = { max: 300, windowMs: 10 * MINUTE_MS };
/** Fetches from one server, and unfollows because of its lists. */
const ASKED = { max: 120, windowMs: 10 * MINUTE_MS };
const ANNOUNCED = { max: 500, windowMs: 24 * HOUR_MS };
const MAX_PAGES = 10;
const MAX_LISTED = 10_000;

type CompareDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly contacts: Pick<Contacts, "listConfirmedFollowers">;
  readonly uris: Uris;
};

export type NoteFollowersDeps = CompareDeps & { readonly jobs: Jobs };

/** Handles the followers digest of a delivery. */
export type NoteFollowers = (
  sender: Person,
  request: ReceivedRequest,
  parsed: ParsedSignature,
) => Promise<void> | undefined;

/**
 * Fetches the sender's list of followers if its digest differs from ours: once
 * per hour, and once per day if neither has changed (FEP-8fcf).
 */
export function createNoteFollowers(deps: NoteFollowersDeps): NoteFollowers {
  /** The digests that were compared last. */
  const compared = createLruCache<PersonId, string>({
    ...{ max: MAX_SENDERS, keepMs: KEEP_MS, clock: deps.clock },
  });
  const servers = createRateLimit({ ...deps, ...EACH_SERVER });
  return (sender, request, parsed) => {
    const said = readSaid(sender, request, parsed);
    if (!said) return undefined;
    const { digest, url } = said;
    if (compared.get(sender.id) === digest) return undefined;
    if (!servers.take(originOf(url))) return undefined;
    compared.set(sender.id, digest);
    const working = compare(deps, sender, said);
    // A failed comparison is repeated.
    working.catch(() => compared.delete(sender.id));
    return working;
  };
}

function isWithin(ms: number, fromMs: number, toMs: number): boolean {
  return Math.abs(toMs - fromMs) < ms;
}

/** The sender's own digest about its own followers, on its own server. */
function readSaid(
  { protocol, addresses }: Person,
  request: ReceivedRequest,
  parsed: ParsedSignature,
): FollowersSynchronization | undefined {
  const { actorUri, followersUri } = addresses;
  // Followers over diaspora* have no Follow to count.
  if (protocol !== "activitypub" || actorUri === null) return undefined;
  const value = signedHeader(request, parsed, HEADER);
  const said =
    value === undefined ? undefined : readSynchronizationHeader(value);
  return said?.collectionId === followersUri && isOfServer(said.url, actorUri)
    ? said
    : undefined;
}

async function compare(
  deps: NoteFollowersDeps,
  sender: Person,
  { url, digest }: FollowersSynchronization,
): Promise<void> {
  const { db, clock, jobs } = deps;
  const ours = await digestHere(deps, sender.id);
  if (ours === digest) return;
  const now = clock.now();
  const last = await findFollowersCheck(
    db.read,
    sender.addresses.actorUri ?? "",
  );
  const isSame = last?.theirs === digest && last.ours === ours;
  const pauseMs = isSame ? SAME_PAUSE_MS : PAUSE_MS;
  if (last && isWithin(pauseMs, Date.parse(last.checkedAt), now.getTime()))
    return;
  const payload = { personId: sender.id, url, digest };
  const options = {
    lane: `synchronize-followers:${sender.id}`,
    runAt: later(now, SETTLE_MS),
  };
  await db.transaction((tx) =>
    jobs.enqueueOnce(tx, SYNCHRONIZE_FOLLOWERS, payload, options),
  );
}

async function digestHere(
  { contacts, uris }: CompareDeps,
  personId: PersonId,
): Promise<string> {
  const followers = await contacts.listConfirmedFollowers(personId);
  return followersDigest(
    followers.map((follower) => uris.actor(usernameOf(follower))),
  );
}

export type SynchronizeFollowersDeps = CompareDeps &
  FetchOwnDeps & {
    readonly people: Pick<People, "find">;
    readonly contacts: Pick<
      Contacts,
      "listConfirmedFollowers" | "matchFollowers"
    >;
    readonly handleHost: string;
  };

/**
 * Fetches the list, and applies it if it matches the signed digest: an
 * incomplete or newer list removes no one.
 */
export function createSynchronizeFollowers(
  deps: SynchronizeFollowersDeps,
): JobHandler<Payload> {
  const { db, clock, contacts, people, uris, handleHost } = deps;
  const asked = createRateLimit({ clock, ...ASKED });
  const announced = createRateLimit({ clock, ...ANNOUNCED });
  return async ({ personId, url, digest }) => {
    const person = await people.find({ id: personId });
    const actorUri = person?.addresses.actorUri ?? null;
    if (person?.state !== "active" || actorUri === null) return DONE;
    const ours = await digestHere(deps, personId);
    if (ours === digest || person.protocol !== "activitypub") return DONE;
    const since = timestamp(clock.now());
    const check = { theirs: digest, ours, checkedAt: since };
    await db.transaction((tx) => saveFollowersCheck(tx, actorUri, check));
    const server = originOf(url);
    const mayAsk = () => asked.take(server);
    const listed = await readList({ ...deps, mayAsk }, url);
    if (!listed || followersDigest(listed) !== digest) return DONE;
    const handles = [...listed].flatMap((uri) => {
      const name = uris.usernameOf(uri);
      return name === undefined
        ? []
        : [formatHandle({ name, host: handleHost })];
    });
    await contacts.matchFollowers({
      personId,
      handles: new Set(handles),
      since,
      mayAnnounce: () => announced.take(server),
    });
    return DONE;
  };
}

/** @returns undefined if it is unavailable, or longer than our own */
async function readList(
  deps: FetchOwnDeps & { readonly mayAsk: () => boolean },
  url: string,
): Promise<ReadonlySet<string> | undefined> {
  const listed = new Set<string>();
  const seen = new Set<string>();
  for (let at: string | undefined = url; at !== undefined;) {
    if (seen.size === MAX_PAGES || seen.has(at) || !isOfServer(at, url))
      return undefined;
    seen.add(at);
    const page: Collection | undefined = deps.mayAsk()
      ? await fetchPage(deps, at)
      : undefined;
    if (!page) return undefined;
    for (const { id } of page.items) if (id !== undefined) listed.add(id);
    if (listed.size > MAX_LISTED) return undefined;
    const isStart = seen.size === 1 && page.items.length === 0;
    at = page.next ?? (isStart ? page.first : undefined);
  }
  return listed;
}

async function fetchPage(
  ...[deps, uri]: Parameters<typeof fetchCollection>
): ReturnType<typeof fetchCollection> {
  try {
    return await fetchCollection(deps, uri);
  } catch (error) {
    if (error instanceof ActivityPubError) return undefined;
    throw error;
  }
}
