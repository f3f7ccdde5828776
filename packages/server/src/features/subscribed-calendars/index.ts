import { newGuid } from "../../lib/guids.ts";
import type { Db, Reader, Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import type { SubscriptionFault } from "../../db/schema/schema-events.ts";
import { KithError } from "../../lib/errors.ts";
import { later, timestamp, type Clock } from "../../lib/time/clock.ts";
import { storableText } from "../../lib/well-formed.ts";
import type { Range } from "../../lib/icalendar/occurrences.ts";
import type { Accounts } from "../accounts/index.ts";
import type { CalendarChanges } from "../calendars/index.ts";
import {
  lookChanges,
  type CalendarLook,
} from "../../lib/icalendar/calendar-look.ts";
import { withChanges } from "../../lib/properties.ts";
import { rulesBudget } from "../events/index.ts";
import type { SubscriptionId, UserId } from "../ids.ts";
import { occurrencesOf, type SubscribedOccurrence } from "./occurrences-in.ts";
import type { ReadElsewhere } from "./read-calendar.ts";
import { lockSubscription, refresh, understand, usualMs } from "./refresh.ts";
import { storeCalendar, type CalendarText } from "./store-calendar.ts";
import {
  listSubscribedByName,
  listSubscribedChanges,
  listSubscribedIn,
  listSubscribedObjects,
  type PartOfSubscribed,
  type SubscribedObject,
} from "./subscribed-object-store.ts";
import {
  deleteOneSubscriptionOf,
  deleteSubscribedCalendar,
  findSubscription,
  findSubscriptionState,
  insertSubscription,
  listSubscriptions,
  updateLook,
  updateTried,
  type SubscriptionKey,
} from "./subscription-store.ts";
import {
  MAX_SUBSCRIBED,
  SUBSCRIBED_PREFIX,
  understandingIn,
  type Subscription,
} from "./subscription.ts";

export { MAX_SUBSCRIBED } from "./subscription.ts";
export { createReadElsewhere, type ReadElsewhere } from "./read-calendar.ts";
export { createRefreshCalendars, REFRESH_CALENDARS } from "./refresh-job.ts";
export type { SubscribedOccurrence } from "./occurrences-in.ts";
export type { SubscribedObject } from "./subscribed-object-store.ts";
export type { Subscription } from "./subscription.ts";
export type { SubscriptionFault } from "../../db/schema/schema-events.ts";

export type SubscribedCalendarsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly accounts: Pick<Accounts, "getSettings">;
};

/** A subscription as a user enters it. */
export type Subscribe = { readonly url: string; readonly name?: string };

/** Calendars of other servers that users read here, and see alone. */
export type SubscribedCalendars = ReturnType<typeof createSubscribedCalendars>;

const MAX_NAME_LENGTH = 255;
const MAX_URL_LENGTH = 2048;
const MOST_EVENTS = 300;
/** Nobody makes this server read the same calendar again and again. */
const LEAST_BETWEEN_MS = 30_000;

export function createSubscribedCalendars(deps: SubscribedCalendarsDeps) {
  const { db, clock } = deps;
  return {
    /** Those of a user, oldest first. */
    list: (userId: UserId) => listSubscriptions(db.read, userId),
    find: (userId: UserId, key: SubscriptionKey) =>
      findSubscription(db.read, userId, key),
    /** @throws {KithError} `not_found`, also for another user's */
    get: (userId: UserId, id: SubscriptionId) =>
      getSubscription(db.read, userId, { id }),
    /** Is it a path that subscribed calendars have in the homes of their readers? */
    isSubscribedPath: (pathName: string) =>
      pathName.startsWith(SUBSCRIBED_PREFIX),
    /**
     * Reads a calendar, and subscribes to it if it is one.
     * @returns why it could not be read
     * @throws {KithError} `bad_request` for what is no address, `conflict` for one that the
     *   user has already, or for too many
     */
    subscribe: (userId: UserId, given: Subscribe, read: ReadElsewhere) =>
      subscribe(deps, userId, given, read),
    /**
     * Subscribes to a calendar that is read later, as one of an archive.
     * @throws {KithError} as `subscribe`
     */
    subscribeLater: (
      userId: UserId,
      given: Subscribe & Pick<Subscription, "properties">,
    ) => subscribeLater(deps, userId, given),
    /** Is there one of this address? @throws {KithError} `bad_request` for what is no address */
    isSubscribed: async (userId: UserId, url: string) => {
      const known = await listSubscriptions(db.read, userId);
      return known.some((it) => it.url === readUrl(url));
    },
    /**
     * Gives one a name, blank for its own, or a colour.
     * @throws {KithError} `not_found`, `bad_request`
     */
    change: async (userId: UserId, id: SubscriptionId, given: CalendarLook) => {
      const changes = lookChanges(given);
      const named = given.name !== undefined && { name: readName(given.name) };
      return db.transaction(async (tx) => {
        await lockSubscription(deps, tx, id);
        const found = await getSubscription(tx, userId, { id });
        const properties = withChanges(found.properties, changes);
        const now = timestamp(clock.now());
        await updateLook(tx, found, { ...named, properties }, now);
        return getSubscription(tx, userId, { id });
      });
    },
    /** Changes the look by a program. @throws {KithError} `not_found`, `bad_request` */
    changeLook: (userId: UserId, pathName: string, change: CalendarChanges) =>
      db.transaction(async (tx) => {
        const { id } = await getSubscription(tx, userId, { pathName });
        await lockSubscription(deps, tx, id);
        const found = await getSubscription(tx, userId, { id });
        const { name } = change;
        const look = {
          ...(name !== undefined && { name: readName(name) }),
          properties: withChanges(found.properties, change.properties),
        };
        await updateLook(tx, found, look, timestamp(clock.now()));
      }),
    /** Forgets it with all that was read. @throws {KithError} `not_found` */
    unsubscribe: (userId: UserId, id: SubscriptionId) =>
      db.transaction(async (tx) => {
        if (!(await deleteSubscribedCalendar(tx, userId, id)))
          throw new KithError("not_found", "No such calendar.");
      }),
    /**
     * Reads one again now, unless that was done a moment ago.
     * @returns why it could not be read
     * @throws {KithError} `not_found`
     */
    refresh: async (
      userId: UserId,
      id: SubscriptionId,
      read: ReadElsewhere,
    ): Promise<SubscriptionFault | null> => {
      const { fault } = await getSubscription(db.read, userId, { id });
      const state = await findSubscriptionState(db.read, id);
      const soonest = timestamp(later(clock.now(), -LEAST_BETWEEN_MS));
      return state === undefined || state.triedAt > soonest
        ? fault
        : refresh(deps, read, state);
    },
    /** Lists the events in a range, of all calendars of a user, by their start. */
    listOccurrences: async (
      userId: UserId,
      range: Range,
      budget = rulesBudget(),
    ): Promise<SubscribedOccurrence[]> => {
      const found = await listSubscribedIn(db.read, userId, range, MOST_EVENTS);
      return occurrencesOf(found, range, budget);
    },
    /** When one takes place in a range. */
    occurrencesOf: (object: SubscribedObject, range: Range) =>
      occurrencesOf([object], range, rulesBudget()),
    /** The caller has found the calendar of the user. */
    objects: {
      list: (id: SubscriptionId, part: PartOfSubscribed) =>
        listSubscribedObjects(db.read, id, part),
      listByName: (id: SubscriptionId, names: readonly string[]) =>
        listSubscribedByName(db.read, id, names),
      listChanges: (id: SubscriptionId, after: number, limit: number) =>
        listSubscribedChanges(db.read, id, after, limit),
    },
    /** Deletes one of a person who has left. @returns true if more may remain */
    removeOneOf: (userId: UserId) =>
      db.transaction((tx) => deleteOneSubscriptionOf(tx, userId)),
  };
}

async function getSubscription(
  reader: Reader,
  userId: UserId,
  key: SubscriptionKey,
): Promise<Subscription> {
  const found = await findSubscription(reader, userId, key);
  if (!found) throw new KithError("not_found", "No such calendar.");
  return found;
}

async function subscribe(
  deps: SubscribedCalendarsDeps,
  userId: UserId,
  { url: given, name = "" }: Subscribe,
  read: ReadElsewhere,
): Promise<Subscription | SubscriptionFault> {
  const { db, clock, accounts } = deps;
  const url = readUrl(given);
  const ownName = readName(name);
  await refuseMore(db.read, userId, url);
  const { timeZone: zone } = await accounts.getSettings(userId);
  const answer = await read(url);
  if (answer.kind === "unchanged") return "unreachable";
  const text =
    answer.kind === "read" ? await understand(answer, zone, clock) : answer;
  if (text.kind === "failed") return text.fault;
  return db.transaction(async (tx) => {
    await lockKey(tx, db.dialect, `subscriptions:${userId}`);
    await refuseMore(tx, userId, url);
    const understanding = understandingIn(zone);
    const subscription = {
      ...{ guid: newGuid(), userId, url, name: ownName, understanding },
    };
    return store(deps, tx, subscription, text);
  });
}

async function subscribeLater(
  { db, clock, accounts }: SubscribedCalendarsDeps,
  userId: UserId,
  given: Subscribe & Pick<Subscription, "properties">,
): Promise<Subscription> {
  const url = readUrl(given.url);
  const name = readName(given.name ?? "");
  const { timeZone: zone } = await accounts.getSettings(userId);
  return db.transaction(async (tx) => {
    await lockKey(tx, db.dialect, `subscriptions:${userId}`);
    await refuseMore(tx, userId, url);
    const now = timestamp(clock.now());
    const understanding = understandingIn(zone);
    const kept = { guid: newGuid(), userId, url, name, understanding };
    const id = await insertSubscription(tx, kept, now);
    const { properties } = given;
    await updateLook(tx, { id, changes: 0 }, { properties }, now);
    return getSubscription(tx, userId, { id });
  });
}

async function store(
  { clock }: SubscribedCalendarsDeps,
  tx: Tx,
  subscription: Parameters<typeof insertSubscription>[1],
  text: CalendarText,
): Promise<Subscription> {
  const now = clock.now();
  const at = timestamp(now);
  const id = await insertSubscription(tx, subscription, at);
  const state = await findSubscriptionState(tx, id);
  if (!state) throw new KithError("not_found", "No such account.");
  await storeCalendar(tx, state, text, at);
  const dueAt = timestamp(later(now, usualMs(text.parsed?.refreshMs)));
  await updateTried(tx, id, { at, dueAt, failures: 0, fault: null });
  return getSubscription(tx, subscription.userId, { id });
}

async function refuseMore(
  reader: Reader,
  userId: UserId,
  url: string,
): Promise<void> {
  const known = await listSubscriptions(reader, userId);
  if (known.some((it) => it.url === url))
    throw new KithError("conflict", "You read this calendar already.");
  if (known.length >= MAX_SUBSCRIBED)
    throw new KithError(
      "conflict",
      `You may subscribe to at most ${MAX_SUBSCRIBED} calendars.`,
    );
}

/** @throws {KithError} `bad_request` */
function readUrl(given: string): string {
  const url = URL.parse(given.trim().replace(/^webcals?:(?=\/\/)/i, "https:"));
  const isPossible =
    url !== null &&
    ["http:", "https:"].includes(url.protocol) &&
    url.username === "" &&
    url.password === "";
  if (!isPossible)
    throw new KithError(
      "bad_request",
      "The parameter “url” must be the address of a calendar, such as https://example.org/calendar.ics.",
    );
  url.hash = "";
  if (url.href.length > MAX_URL_LENGTH)
    throw new KithError(
      "bad_request",
      `The parameter “url” must have at most ${MAX_URL_LENGTH} characters.`,
    );
  return url.href;
}

/** @returns null for the name that the calendar gives itself */
function readName(given: string): string | null {
  const name = storableText(given).trim();
  if ([...name].length > MAX_NAME_LENGTH)
    throw new KithError(
      "bad_request",
      `The parameter “name” must have at most ${MAX_NAME_LENGTH} characters.`,
    );
  return name === "" ? null : name;
}
