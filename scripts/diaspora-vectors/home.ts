import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import {
  createTestDatabase,
  type DatabaseKind,
} from "../../packages/server/test/support/server/databases.ts";
import {
  compose,
  type Server,
} from "../../packages/server/src/compose/server.ts";
import { readConfig } from "../../packages/server/src/config/config.ts";
import type { Db } from "../../packages/server/src/db/db.ts";
import { lockInstance } from "../../packages/server/src/db/locks/instance-lock.ts";
import { migrate } from "../../packages/server/src/db/migrate.ts";
import { openDatabase } from "../../packages/server/src/db/open-database.ts";
import {
  createKeySeal,
  type KeySeal,
} from "../../packages/server/src/features/accounts/index.ts";
import type { UserId } from "../../packages/server/src/features/ids.ts";
import { silentLog } from "../../packages/server/src/observability/log.ts";
import { BadVectorFile, type VectorFile, type VectorPerson } from "./file.ts";
import { privateKey } from "./kinds/pure.ts";
import {
  createFrozenNetwork,
  serverOf,
  type FrozenNetwork,
} from "./network.ts";

/** A clock that advances only on request. */
class StoppedClock {
  #now: Date;

  constructor(now: Date) {
    this.#now = now;
  }

  now(): Date {
    return this.#now;
  }

  set(now: Date): void {
    this.#now = now;
  }
}

/** The receiving server: a whole Kith in this process, on a loopback port, with only the file's people. */
export type Home = {
  readonly db: Db;
  readonly features: Server["features"];
  readonly clock: StoppedClock;
  readonly network: FrozenNetwork;
  /** Its base URL, without a trailing slash. */
  readonly address: string;
  readonly keySeal: KeySeal;
  /** Runs due jobs until there are none. */
  readonly settle: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/**
 * Starts the server of the file's local people, and lets it discover all
 * discoverable people.
 * @param kind of database
 * @param witness an additional local person
 * @throws {BadVectorFile} if the file's people cannot be on one server
 */
export async function openHome(
  file: VectorFile,
  witness: VectorPerson,
  kind: DatabaseKind,
): Promise<Home> {
  const people = [...file.people, witness];
  const database = await createTestDatabase(kind);
  const lock = await lockInstance(database.location);
  const db = await openDatabase(database.location);
  const clock = new StoppedClock(new Date());
  await migrate(db, clock);
  const { config } = readConfig(
    {
      KITH_BASE_URL: baseUrlOf(people),
      KITH_DATA_DIR: database.dataDir,
      // All messages come from one address.
      KITH_RATE_LIMITS: "off",
    },
    {},
  );
  const network = createFrozenNetwork(people);
  const secretKey = randomBytes(32);
  const server = compose({
    config,
    db,
    clock,
    log: silentLog(),
    secretKey,
    version: "0",
    fetch: network.fetch,
  });
  const worker = server.createWorker(lock);
  const app = await server.createApp();
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const home: Home = {
    db,
    features: server.features,
    clock,
    network,
    keySeal: createKeySeal(secretKey),
    address: `http://127.0.0.1:${port}`,
    settle: () => worker.settle(),
    close: async () => {
      await app.close();
      await worker.stop();
      await server.close();
      await db.close();
      await lock.release();
      await database.remove();
    },
  };
  try {
    await moveIn(home, server, people);
  } catch (error) {
    await home.close();
    throw error;
  }
  return home;
}

function baseUrlOf(people: readonly VectorPerson[]): string {
  const [first, ...others] = new Set(
    people.filter(({ local }) => local).map(serverOf),
  );
  if (first === undefined || others.length > 0)
    throw new BadVectorFile("its local people are not on one server");
  return first;
}

async function moveIn(
  home: Home,
  { discovery }: Server,
  people: readonly VectorPerson[],
): Promise<void> {
  for (const [at, person] of people.entries()) {
    if (person.local) await signUp(home, person, `local${at}`);
    else if (person.discoverable && !(await discovery.byHandle(person.handle)))
      throw new BadVectorFile(`${person.handle} cannot be discovered`);
  }
}

/** Creates an account with the name, the Guid and the key from the file. */
async function signUp(
  { db, features, keySeal }: Home,
  person: VectorPerson,
  username: string,
): Promise<void> {
  await features.accounts.signUp({ username, password: "correct horse" });
  const account = await features.accounts.find(username);
  if (!account) throw new Error(`${username} could not sign up`);
  const pem = privateKey(person).export({ type: "pkcs8", format: "pem" });
  const owner = { userId: account.id, kind: "rsa" } as const;
  const sealed = keySeal.seal(String(pem), owner);
  await db.transaction(async (tx) => {
    const { handle, guid, public_key_pem } = person;
    await tx
      .updateTable("users")
      .set({ username: handle.slice(0, handle.indexOf("@")) })
      .where("id", "=", account.id)
      .execute();
    await tx
      .updateTable("people")
      .set({ handle, guid, public_key_pem })
      .where("user_id", "=", account.id)
      .execute();
    await tx
      .updateTable("user_keys")
      .set({ rsa_private_key: sealed })
      .where("user_id", "=", account.id)
      .execute();
  });
}

/** A local person's account. */
export async function userIdOf(home: Home, handle: string): Promise<UserId> {
  const person = await home.features.people.find({ handle });
  if (person?.userId == null) throw new Error(`${handle} is not here`);
  return person.userId;
}
