import type { Db, Tx } from "../../db/db.ts";
import { KithError } from "../../lib/errors.ts";
import { timestamp, type Clock, type Timestamp } from "../../lib/time/clock.ts";
import type { Facts } from "../facts.ts";
import type { PersonId, UserId } from "../ids.ts";
import type { Page } from "../page.ts";
import type { People, Person } from "../people/index.ts";
import { findContact, saveConfirmed, saveSharing } from "./contact-store.ts";
import {
  countRequests,
  deleteRequest,
  deleteRequestsFrom,
  deleteRequestsOf,
  findRequest,
  listAskingAmong,
  listRequests,
  type StoredRequest,
} from "./follow-request-store.ts";
import { lockContactsOf } from "./lock-contacts.ts";
import { MAX_REQUESTS } from "./receive-sharing.ts";
import type { Follower } from "./set-following.ts";

export type FollowRequestsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly facts: Facts;
  readonly people: Pick<People, "find" | "listById">;
};

/** A person who waits for a user's answer. */
export type FollowRequest = {
  readonly person: Person;
  readonly createdAt: Timestamp;
};

/** Accepted in one transaction. */
const AT_ONCE = 50;

/** Requests to follow users who approve each follower, and their answers. */
export function createFollowRequests(deps: FollowRequestsDeps) {
  const { db, people } = deps;
  return {
    list: async (userId: UserId, page: Page): Promise<FollowRequest[]> => {
      const rows = await listRequests(db.read, userId, page);
      const found = await people.listById(rows.map((row) => row.personId));
      return rows.flatMap(({ personId, createdAt }) => {
        const person = found.get(personId);
        return person ? [{ person, createdAt }] : [];
      });
    },
    /** Counts them up to `most`. */
    count: (userId: UserId, most: number) =>
      countRequests(db.read, userId, most),
    /** Those of these people who wait for the user's answer. */
    listAmong: (userId: UserId, personIds: readonly PersonId[]) =>
      listAskingAmong(db.read, userId, personIds),
    isPending: async (userId: UserId, personId: PersonId) =>
      (await findRequest(db.read, userId, personId)) !== undefined,
    /** @throws {KithError} `not_found` without a request of that person */
    accept: (by: Follower, id: PersonId) => answer(deps, by, id, true),
    /** The person may ask again. @throws {KithError} `not_found` without its request */
    refuse: (by: Follower, id: PersonId) => answer(deps, by, id, false),
    /** Accepts all that are pending. @returns how many */
    acceptAll: (by: Follower) => acceptAll(deps, by),
    /** Ends the requests by a person, and those to its account, without an answer. */
    endAllOf: (
      tx: Tx,
      person: { readonly id: PersonId; readonly userId: UserId | null },
    ) => deleteRequestsOf(tx, person),
    /** Ends the requests to a user by people on a host, without an answer. */
    endFrom: (tx: Tx, userId: UserId, host: string) =>
      deleteRequestsFrom(tx, userId, host),
  };
}

async function answer(
  deps: FollowRequestsDeps,
  by: Follower,
  id: PersonId,
  isAccepted: boolean,
): Promise<Person> {
  return deps.db.transaction(async (tx) => {
    const person = await deps.people.find({ id }, tx);
    const isAnswered =
      person?.state === "active" &&
      (await answerAll(deps, tx, by, [person], isAccepted)) > 0;
    if (!isAnswered) throw new KithError("not_found", "No such request.");
    return person;
  });
}

async function acceptAll(
  deps: FollowRequestsDeps,
  by: Follower,
): Promise<number> {
  const { db, people } = deps;
  let accepted = 0;
  while (accepted < MAX_REQUESTS) {
    const some = await listRequests(db.read, by.userId, {
      offset: 0,
      limit: AT_ONCE,
    });
    const ids = some.map(({ personId }) => personId);
    const found = await people.listById(ids);
    const count = await db.transaction((tx) =>
      answerAll(deps, tx, by, [...found.values()], true),
    );
    if (count === 0) break;
    accepted += count;
  }
  return accepted;
}

/** @returns how many of these people had asked */
async function answerAll(
  deps: FollowRequestsDeps,
  tx: Tx,
  by: Follower,
  people: readonly Person[],
  isAccepted: boolean,
): Promise<number> {
  const local = people.flatMap(({ userId }) => userId ?? []);
  await lockContactsOf(deps.db, tx, [by.userId, ...local]);
  let answered = 0;
  for (const person of people) {
    const request = await deleteRequest(tx, by.userId, person.id);
    if (!request) continue;
    answered += 1;
    const now = timestamp(deps.clock.now());
    if (isAccepted)
      await saveSharing(tx, by.userId, person.id, true, now, request.uri);
    await announceAnswer(deps, tx, by, person, { ...request, isAccepted });
  }
  return answered;
}

/** Between two local people, the other side changes at once. */
export async function announceAnswer(
  { clock, facts }: FollowRequestsDeps,
  tx: Tx,
  by: Follower,
  { id, userId }: Person,
  {
    uri,
    isAccepted,
  }: Pick<StoredRequest, "uri"> & { readonly isAccepted: boolean },
): Promise<void> {
  const { personId } = by;
  if (userId === null) {
    await facts.record(tx, {
      type: "follow.answered",
      ...{ personId: id, isAccepted, uri, by: personId },
    });
    return;
  }
  const now = timestamp(clock.now());
  await saveConfirmed(tx, userId, personId, isAccepted, now);
  const requestGuid = (await findContact(tx, userId, personId))?.requestGuid;
  if (isAccepted || requestGuid == null) return;
  const refused = { type: "follow.refused", userId, requestGuid } as const;
  await facts.record(tx, { ...refused, by: personId });
}
