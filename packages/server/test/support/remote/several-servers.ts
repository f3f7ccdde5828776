import type { AspectId } from "../../../src/db/schema/ids.ts";
import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { DatabaseKind } from "../server/databases.ts";
import {
  startKith,
  type KithServer,
  type TestPerson,
} from "../server/kith-server.ts";
import type { AspectRecord, PersonRecord } from "../server/wire.ts";

/**
 * Servers that speak these protocols with each other, for all tests of the
 * surrounding `describe`.
 * @returns gives the servers, once a test runs
 */
export function useServers(
  kind: DatabaseKind,
  protocols: string,
  count: number,
): () => KithServer[] {
  let servers: KithServer[] = [];
  before(async () => {
    const settings = { KITH_PROTOCOLS: protocols };
    const starts = await Promise.allSettled(
      Array.from({ length: count }, () => startKith(kind, { env: settings })),
    );
    // If one does not start, the others are closed: they would keep the process alive.
    servers = starts.flatMap((it) =>
      it.status === "fulfilled" ? [it.value] : [],
    );
    for (const it of starts) if (it.status === "rejected") throw it.reason;
  });
  after(() => Promise.all(servers.map((server) => server.close())));
  return () => servers;
}

/** Runs due jobs on all servers until there are none. */
export async function settleAll(servers: readonly KithServer[]): Promise<void> {
  for (let round = 0; round < 6; round += 1)
    for (const server of servers) await server.settle();
}

/** A person of any server, as known to this person's server. */
export function seen(by: TestPerson, handle: string): Promise<PersonRecord> {
  return by.post<PersonRecord>("/search", { handle });
}

/** Adds a person of any server to a new aspect. @returns its id */
export async function befriend(
  by: TestPerson,
  handle: string,
  name = "friends",
): Promise<AspectId> {
  const { ID } = await by.post<AspectRecord>("/aspects", { name });
  const person = await seen(by, handle);
  assert.notEqual(person.ID, by.record.ID);
  await by.post(`/people/${person.ID}/aspects/${ID}`);
  return ID;
}

/** The handles of those in an aspect of this person's. */
export async function membersOf(
  by: TestPerson,
  kith: KithServer,
  aspectId: AspectId,
): Promise<string[]> {
  const rows = await kith.db.read
    .selectFrom("aspect_memberships")
    .innerJoin("people", "people.id", "aspect_memberships.person_id")
    .innerJoin("aspects", "aspects.id", "aspect_memberships.aspect_id")
    .select("people.handle")
    .where("aspect_id", "=", aspectId)
    .where("aspects.user_id", "=", by.record.UserID)
    .orderBy("people.handle")
    .execute();
  return rows.map(({ handle }) => handle);
}
