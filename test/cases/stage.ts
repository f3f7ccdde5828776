import { cpSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Case, CaseFolder } from "./case-file.ts";
import { createAuthority, type Authority } from "./network/certificates.ts";
import { KeyRing } from "./network/keys.ts";
import { Network } from "./network/network.ts";
import { playCase, type Played, type Tokens } from "./play-case.ts";
import {
  createDatabase,
  makeDataFolder,
  type DataKind,
  type PreparedDatabase,
} from "./prepared-database.ts";
import { ServerProcesses } from "./server/server-process.ts";
import { ServerUnderTest } from "./server/server-under-test.ts";
import { Service } from "./shown/service.ts";

/** The initial state of all cases: the data of a server on which alice, bob and the operator have just signed up. */
export type Prepared = {
  readonly folder: CaseFolder;
  readonly authority: Authority;
  readonly keys: KeyRing;
  readonly tokens: Tokens;
  readonly dataDir: string;
  readonly database: PreparedDatabase;
  readonly processes: ServerProcesses;
  remove(): Promise<void>;
};

const PASSWORD = "correct horse battery";

/** Signs the users up on a new server, and keeps its data. */
export async function prepare(
  folder: CaseFolder,
  kind: DataKind,
): Promise<Prepared> {
  const authority = createAuthority();
  const processes = new ServerProcesses(authority.certificate);
  const keys = new KeyRing();
  const network = await Network.start(authority, keys);
  const database = await createDatabase(kind);
  const networkPort = network.port;
  const options = { database, networkPort, processes };
  const dataDir = makeDataFolder("kith-cases-");
  let server: ServerUnderTest | undefined;
  try {
    server = await ServerUnderTest.start(options);
    const tokens = {
      alice: await signUp(folder, server, "alice"),
      bob: await signUp(folder, server, "bob"),
      operator: await signUp(folder, server, "operator"),
    };
    await server.command("account", "promote", "operator");
    await server.stop();
    cpSync(server.dataDir, dataDir, { recursive: true });
    rmSync(server.folder, { recursive: true });
    await makeKeys(folder, keys);
    const remove = async () => {
      await processes.end();
      await database.remove();
      rmSync(dataDir, { recursive: true, force: true });
    };
    return {
      ...{ folder, authority, keys, tokens, dataDir },
      ...{ database, processes, remove },
    };
  } catch (error) {
    await (server ?? database).remove();
    await processes.end();
    rmSync(dataDir, { recursive: true, force: true });
    throw error;
  } finally {
    await network.close();
  }
}

/** @returns a token */
async function signUp(
  folder: CaseFolder,
  server: ServerUnderTest,
  username: keyof Tokens,
): Promise<string> {
  const anybody = new Service(server.caller);
  const form = { username, password: PASSWORD, confirm: PASSWORD };
  const signedUp = await anybody.call("POST", "/users/sign_up", form);
  if (signedUp.status !== 302)
    throw new Error(`${username} cannot sign up: ${signedUp.status}`);
  const { token } = await anybody.change("POST", "/oauth/tokens", {
    grant_type: "password",
    username,
    password: PASSWORD,
    client_id: "cases",
  });
  const user = new Service(server.caller, String(token));
  for (const aspect_name of folder.index.defaults.aspects[username] ?? [])
    await user.change("POST", "/aspects", { aspect_name });
  return String(token);
}

/** The keys of people in the index, created in advance. */
async function makeKeys({ index }: CaseFolder, keys: KeyRing): Promise<void> {
  const ids = Object.values(index.actors).map(({ keyId }) => keyId);
  await Promise.all(ids.map((id) => keys.get(id)));
}

export type PlayOptions = {
  /** Keeps the data of the server, its log and the network's. */
  readonly keep: boolean;
};

/** The outcome of a case, and the place of its data, if kept. */
export type Result = Played & { readonly kept?: string };

/** Plays a case against its own server. */
export async function playOnStage(
  prepared: Prepared,
  theCase: Case,
  { keep }: PlayOptions,
): Promise<Result> {
  const { authority, keys, folder, tokens } = prepared;
  const network = await Network.start(authority, keys);
  const database = await createDatabase(
    prepared.database.kind,
    prepared.database,
  );
  let server: ServerUnderTest | undefined;
  try {
    server = await ServerUnderTest.start({
      copyOf: prepared.dataDir,
      database,
      networkPort: network.port,
      processes: prepared.processes,
    });
    const stage = { folder, theCase, keys, network, server, tokens };
    const played = await playCase(stage);
    if (!keep) return played;
    const log = path.join(server.folder, "network.json");
    writeFileSync(log, JSON.stringify(network.log, null, 1));
    return { ...played, kept: server.folder };
  } finally {
    if (keep) await server?.stop();
    else await (server ?? database).remove();
    await network.close();
  }
}
