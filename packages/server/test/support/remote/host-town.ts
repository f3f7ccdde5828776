import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { JsonObject } from "@kith/activitypub";
import type { DatabaseKind } from "../server/databases.ts";
import { DiasporaPod } from "./diaspora-pod.ts";
import {
  useKith,
  type KithOptions,
  type KithServer,
} from "../server/kith-server.ts";
import { idOf } from "./proving-actor.ts";
import { resolveHost } from "../server/resolve-host.ts";
import { RemoteServer } from "./remote-server.ts";
import type { Decision } from "../../../src/features/suspensions/index.ts";
import type { PolicyChange } from "../../../src/features/host-policies/index.ts";

/** A server of ours, two hosts that speak ActivityPub, and two pods: one of each below `evil.localhost`. */
export type HostServers = {
  readonly kith: () => KithServer;
  readonly good: () => RemoteServer;
  readonly evil: () => RemoteServer;
  readonly goodPod: () => DiasporaPod;
  readonly evilPod: () => DiasporaPod;
  /** Decides something of a host, as the command does. */
  readonly decide: (host: string, policy: PolicyChange) => Promise<void>;
  readonly forgive: (host: string) => Promise<void>;
  /** Decides something of one person, as the command does. */
  readonly decideOn: (handle: string, decision: Decision) => Promise<void>;
  /** Blocks the evil host, in a spelling that an admin might type. */
  readonly block: () => Promise<void>;
  /**
   * Asserts that an action causes no request to evil hosts, and stores nothing of them.
   * @param written the tables that may change all the same
   */
  readonly withoutEffect: (
    what: () => Promise<unknown>,
    written?: ReadonlySet<string>,
  ) => Promise<void>;
};

/** Records of a message without any other effect: its receipt, and its job. */
export const MAIL: ReadonlySet<string> = new Set([
  "creations",
  "inbound_messages",
  "jobs",
  "job_documents",
  "unproven_messages",
  "waiting_messages",
]);

export const EVIL = "evil.localhost";

/** For the tests of the surrounding `describe`. */
export function useHostServers(
  kind: DatabaseKind,
  options: KithOptions = {},
): HostServers {
  const kith = useKith(kind, { resolveHost, ...options });
  let town:
    readonly [RemoteServer, RemoteServer, DiasporaPod, DiasporaPod] | undefined;
  before(async () => {
    town = await Promise.all([
      RemoteServer.start("good.localhost"),
      RemoteServer.start(`social.${EVIL}`),
      DiasporaPod.start("pod.good.localhost"),
      DiasporaPod.start(`pod.${EVIL}`),
    ]);
  });
  after(() => Promise.all((town ?? []).map((server) => server.close())));
  const at = <T>(find: (all: NonNullable<typeof town>) => T) => {
    if (!town) throw new Error("The servers run inside of tests only");
    return find(town);
  };
  const features = () => kith().server.features;
  const decide = async (host: string, policy: PolicyChange) => {
    await features().hostPolicies.set(null, host, policy);
    await features().applyHostPolicies();
  };
  const traffic = () =>
    at(([, evil, , pod]) => [
      evil.asked.length,
      evil.delivered.length,
      pod.asked.length,
      pod.posted.length,
    ]);
  return {
    kith,
    good: () => at(([server]) => server),
    evil: () => at(([, server]) => server),
    goodPod: () => at(([, , pod]) => pod),
    evilPod: () => at(([, , , pod]) => pod),
    decide,
    block: () =>
      decide(`https://${EVIL.toUpperCase()}.:8443/about`, { blocked: true }),
    withoutEffect: async (what, written = MAIL) => {
      const kept = async () =>
        Object.entries(await kith().snapshot()).filter(
          ([table]) => !written.has(table),
        );
      const { clock } = kith();
      // Jobs deferred to another time, such as thread announcements, are not its effects.
      clock.stopAt(clock.now());
      try {
        await kith().settle();
        const before = { traffic: traffic(), kept: await kept() };
        await what();
        await kith().settle();
        assert.deepEqual({ traffic: traffic(), kept: await kept() }, before);
      } finally {
        clock.goOn();
      }
    },
    decideOn: (handle, decision) => decideOn(kith(), handle, decision),
    forgive: async (host) => {
      await features().hostPolicies.forgive(null, host);
      await features().applyHostPolicies();
    },
  };
}

/** Decides about a known person, as on the command line. */
export async function decideOn(
  kith: KithServer,
  handle: string,
  decision: Decision,
): Promise<void> {
  const { people, suspensions } = kith.server.features;
  const person = await people.find({ handle });
  assert.ok(person, handle);
  await suspensions.decide({ by: null, personId: person.id, decision });
}

/** The local id of a remote post. */
export async function guidOf(
  kith: KithServer,
  note: JsonObject,
): Promise<string> {
  const uri = idOf(note);
  const post = await kith.server.features.posts.find({ uri });
  return post?.guid ?? "0".repeat(32);
}
