import assert from "node:assert/strict";
import type { DatabaseKind } from "../../../packages/server/test/support/server/databases.ts";
import { eventually, KithProcess } from "../../support/kith-process.ts";
import { Resident } from "../../support/resident.ts";

export type WalkProtocol = "diaspora" | "activitypub";

/**
 * Three servers. Ann has mutual contacts with Bob and Cid, who do not know each other.
 * Abe, Bea and Cat are on the same servers, without contacts.
 */
export type Servers = {
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
  /** Guids of changed events, of which people are notified again. */
  readonly changed: Set<string>;
  remove(): Promise<void>;
};

/** One action of a person, and its visible effect everywhere. */
export type Step = {
  readonly name: string;
  readonly walk: (town: Servers) => Promise<void>;
};

/** Starts three servers, whose users do not know each other yet. */
export async function startServers(
  database: DatabaseKind,
  protocol: WalkProtocol,
): Promise<Servers> {
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

/** The people without a contact to Ann. */
export function strangers({ abe, bea, cat }: Servers): Resident[] {
  return [abe, bea, cat];
}

/**
 * Waits until all of Ann's previous actions have reached the other servers: messages
 * of one person to one server keep their order.
 */
export async function settleAnn({
  ann,
  bob,
  cid,
  friends,
}: Servers): Promise<void> {
  const last = await ann.publish("That was all", { aspect: friends });
  for (const { api } of [bob, cid])
    await eventually(() => api.getRecord(`/posts/${last}`));
  await ann.removePost(last);
  for (const { api } of [bob, cid])
    await eventually(async () => {
      assert.equal((await api.call("GET", `/posts/${last}`)).status, 404);
    });
}
