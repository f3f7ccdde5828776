import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { DatabaseKind } from "../../packages/server/test/support/server/databases.ts";
import {
  DiasporaPod,
  type PodPerson,
} from "../../packages/server/test/support/remote/diaspora-pod.ts";
import {
  useKith,
  type KithOptions,
  type KithServer,
  type TestPerson,
} from "../../packages/server/test/support/server/kith-server.ts";
import {
  takeSnapshot,
  type Snapshot,
} from "../../packages/server/test/support/server/snapshot.ts";

/** Tables that are written for every message, whatever its outcome. */
const MAIL = new Set([
  "creations",
  "delivery_receipts",
  "inbound_messages",
  "jobs",
  "job_documents",
  "known_networks",
  "remote_hosts",
  "unproven_messages",
  "waiting_messages",
]);

/** A server under attack, two others with people, and one local person. */
export type Siege = {
  readonly kith: () => KithServer;
  readonly pod: () => DiasporaPod;
  readonly far: () => DiasporaPod;
  readonly ann: () => TestPerson;
  /** A new person on the pod. */
  readonly newPerson: () => PodPerson;
  /** A person on the pod known to the server. */
  readonly knownPerson: () => Promise<PodPerson>;
  /** A person on the other one known to the server. */
  readonly farPerson: () => Promise<PodPerson>;
  /**
   * Runs an attack, and asserts that no user data has changed, and that
   * the server still answers.
   */
  readonly unharmed: (attack: () => Promise<unknown>) => Promise<void>;
};

let serial = 0;

/** For the tests of the surrounding `describe`. */
export function besiege(kind: DatabaseKind, options: KithOptions = {}): Siege {
  const kith = useKith(kind, options);
  let pods: [DiasporaPod, DiasporaPod] | undefined;
  let person: TestPerson | undefined;
  before(async () => {
    pods = [await DiasporaPod.start(), await DiasporaPod.start()];
    person = await kith().person({ handle: "ann" });
    // The server's own key is created at its first use.
    await fetch(`${kith().baseUrl}/api/v1/ap/instance`);
  });
  after(() => Promise.all((pods ?? []).map((pod) => pod.close())));
  const ann = () => person ?? assert.fail();
  const at = (index: 0 | 1) => (pods ?? assert.fail())[index];
  const newPerson = (pod = at(0)) => {
    serial += 1;
    return pod.person(`p${serial}`);
  };
  const known = async (pod: DiasporaPod) => {
    const one = newPerson(pod);
    assert.ok(await kith().server.discovery.byHandle(one.handle));
    return one;
  };
  return {
    kith,
    pod: () => at(0),
    far: () => at(1),
    ann,
    newPerson: () => newPerson(),
    knownPerson: () => known(at(0)),
    farPerson: () => known(at(1)),
    unharmed: async (attack) => {
      const unchanged = await contentOf(kith());
      await attack();
      await kith().settle();
      const content = await contentOf(kith());
      const changed = Object.keys(content).filter(
        (table) => content[table]?.digest !== unchanged[table]?.digest,
      );
      assert.deepEqual(changed, []);
      const { status } = await ann().call("GET", "/posts");
      assert.equal(status, 200);
    },
  };
}

/** User data, without the inbound messages. */
export async function contentOf({ db }: KithServer): Promise<Snapshot> {
  const whole = await takeSnapshot(db);
  return Object.fromEntries(
    Object.entries(whole).filter(([table]) => !MAIL.has(table)),
  );
}
