import assert from "node:assert/strict";
import type { DatabaseKind } from "../../../packages/server/test/support/server/databases.ts";
import { eventually, KithProcess } from "../../support/kith-process.ts";
import { Resident } from "../../support/resident.ts";

export type WalkProtocol = "diaspora" | "activitypub";

/**
 * Three servers. Ann shares with Bob and Cid, who share with her and know nothing
 * of each other. Abe, Bea and Cat live with them and share with nobody.
 */
export type Town = {
  readonly protocol: WalkProtocol;
  readonly one: KithProcess;
  readonly two: KithProcess;
  readonly three: KithProcess;
  readonly servers: readonly KithProcess[];
  readonly ann: Resident;
  readonly bob: Resident;
  readonly cid: Resident;
  readonly abe: Resident;
  readonly bea: Resident;
  readonly cat: Resident;
  /** Aspects of Ann's: Bob and Cid; Bob alone. */
  friends: string;
  family: string;
  /** Guids of events that were changed, of which people are told anew. */
  readonly changed: Set<string>;
  remove(): Promise<void>;
};

/** One thing that people do, and what is seen of it everywhere. */
export type Step = {
  readonly name: string;
  readonly walk: (town: Town) => Promise<void>;
};

/** Starts three servers, whose users know nobody yet. */
export async function buildTown(
  database: DatabaseKind,
  protocol: WalkProtocol,
): Promise<Town> {
  const options = { database, protocols: protocol };
  const servers = await KithProcess.startAll([
    options,
    { ...options, host: "127.0.0.1" },
    options,
  ]);
  const [one, two, three] = servers;
  assert.ok(one && two && three);
  const settle = async (server: KithProcess, names: readonly string[]) => {
    const people: Resident[] = [];
    for (const name of names) people.push(await Resident.settle(server, name));
    return people as [Resident, Resident];
  };
  const [[ann, abe], [bob, bea], [cid, cat]] = await Promise.all([
    settle(one, ["ann", "abe"]),
    settle(two, ["bob", "bea"]),
    settle(three, ["cid", "cat"]),
  ]);
  return {
    protocol,
    ...{ one, two, three, servers, ann, bob, cid, abe, bea, cat },
    friends: "",
    family: "",
    changed: new Set(),
    remove: async () => {
      await Promise.all(servers.map((server) => server.remove()));
    },
  };
}

/** Those whom Ann shares with nothing. */
export function strangers({ abe, bea, cat }: Town): Resident[] {
  return [abe, bea, cat];
}

/**
 * Waits until everything that Ann did before has reached the other servers: what
 * one person tells one server keeps its order.
 */
export async function settleAnn({
  ann,
  bob,
  cid,
  friends,
}: Town): Promise<void> {
  const last = await ann.publish("That was all", { aspect: friends });
  for (const { api } of [bob, cid])
    await eventually(() => api.getRecord(`/posts/${last}`));
  await ann.removePost(last);
  for (const { api } of [bob, cid])
    await eventually(async () => {
      assert.equal((await api.call("GET", `/posts/${last}`)).status, 404);
    });
}
