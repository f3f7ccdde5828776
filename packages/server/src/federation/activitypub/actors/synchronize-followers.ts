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

/** The job that asks for the followers that somebody elsewhere counts here. */
export const SYNCHRONIZE_FOLLOWERS = jobKind<Payload>("synchronize-followers", {
  maxAttempts: 3,
});

const HEADER = "collection-synchronization";
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** What was compared once is so for as long, for as many senders. */
const KEEP_MS = 10 * MINUTE_MS;
const MAX_SENDERS = 10_000;
/** Follows and answers to them may be on their way. */
const SETTLE_MS = MINUTE_MS;
/** How long nothing is asked for again: whatever is said, and where nothing has changed on either side. */
const PAUSE_MS = HOUR_MS;
const SAME_PAUSE_MS = 24 * HOUR_MS;
/** What one server has compared: each reads all who follow one person. */
const EACH_SERVER = { max: 300, windowMs: 10 * MINUTE_MS };
/** What one server is asked for, and told because of what it lists, whoever of it. */
const ASKED = { max: 120, windowMs: 10 * MINUTE_MS };
const TOLD = { max: 500, windowMs: 24 * HOUR_MS };
const MAX_PAGES = 10;
const MAX_LISTED = 10_000;

type CompareDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly contacts: Pick<Contacts, "listConfirmedFollowers">;
  readonly uris: Uris;
};

export type NoteFollowersDeps = CompareDeps & { readonly jobs: Jobs };

/** Hears what the sender of a delivery says of its followers here. */
export type NoteFollowers = (
  sender: Person,
  request: ReceivedRequest,
  parsed: ParsedSignature,
) => Promise<void> | undefined;

/**
 * Where a delivery says that its sender has other followers here than are known, its
 * list of them is asked for: once in an hour, and once in a day where nothing else is
 * said (FEP-8fcf).
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
    // What failed once is compared again.
    working.catch(() => compared.delete(sender.id));
    return working;
  };
}

function isWithin(ms: number, fromMs: number, toMs: number): boolean {
  return Math.abs(toMs - fromMs) < ms;
}

/** What the sender itself says of its own followers, on its own server. */
function readSaid(
  { protocol, addresses }: Person,
  request: ReceivedRequest,
  parsed: ParsedSignature,
): FollowersSynchronization | undefined {
  const { actorUri, followersUri } = addresses;
  // Who follows over diaspora* has no Follow that could be counted.
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
 * Asks for the list, and takes it over where it is the one whose digest the sender
 * signed: one that cannot be had whole, or has changed since, takes nobody away.
 */
export function createSynchronizeFollowers(
  deps: SynchronizeFollowersDeps,
): JobHandler<Payload> {
  const { db, clock, contacts, people, uris, handleHost } = deps;
  const asked = createRateLimit({ clock, ...ASKED });
  const told = createRateLimit({ clock, ...TOLD });
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
      mayTell: () => told.take(server),
    });
    return DONE;
  };
}

/** @returns undefined where it is not to be had, or longer than anybody's here */
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
