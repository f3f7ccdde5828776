import { tmpdir } from "node:os";
import path from "node:path";
import { randomBytes, type KeyObject } from "node:crypto";
import { after, before } from "node:test";
import {
  buildEntity,
  buildEnvelope,
  encryptEnvelope,
  type Entity,
} from "@kith/diaspora";
import { testCredentials } from "../server/credentials.ts";
import { takeRsaPair } from "../server/rsa-pairs.ts";
import { openTestDatabase, type DatabaseKind } from "../server/databases.ts";
import {
  composeFeatures,
  type Features,
} from "../../../src/compose/features.ts";
import type { Db, OnQuery } from "../../../src/db/db.ts";
import {
  NO_ADDRESSES,
  type Person,
} from "../../../src/features/people/index.ts";
import { systemClock } from "../../../src/lib/time/clock.ts";
import { createFileMediaStore } from "../../../src/lib/media/file-media-store.ts";
import { createImageProcessor } from "../../../src/lib/images/image-processor.ts";
import { createRecordingProcessor } from "../../../src/lib/recordings/recording-processor.ts";
import type { GuardedFetch } from "../../../src/lib/http-client/guarded-fetch.ts";
import { newGuid } from "../../../src/lib/guids.ts";
import { silentLog } from "../../../src/observability/log.ts";
import { createHostHealth } from "../../../src/federation/delivery/host-health.ts";
import { createInbound } from "../../../src/federation/inbound/create-inbound.ts";
import type { InboundResult } from "../../../src/federation/inbound/inbound.ts";
import { NO_LIMITS } from "../../../src/lib/limits/limits.ts";
import { createStrangers } from "../../../src/federation/inbound/strangers.ts";
import { createDispatcher } from "../../../src/federation/outbound/dispatch.ts";
import type { DiasporaDeps } from "../../../src/federation/diaspora/deps.ts";
import { createDiasporaInbound } from "../../../src/federation/diaspora/handle-inbound.ts";

const HOST = "home.example";

/** Somebody on another server, with the key that only that server has. */
export type RemotePersonWithKey = {
  readonly person: Person;
  readonly handle: string;
  readonly privateKey: KeyObject;
};

export type HomeServer = Awaited<ReturnType<typeof openHomeServer>>;

/** A server at home, alice who has an account there, and bob and eve, each on a server of their own. */
type HomeWithPeople = {
  readonly home: HomeServer;
  readonly alice: Person;
  readonly bob: RemotePersonWithKey;
  readonly eve: RemotePersonWithKey;
};

/** One town for all tests of the surrounding `describe`. @param take gets it before the first of them */
export function useHomeServer(
  kind: DatabaseKind,
  take: (town: HomeWithPeople) => void,
): void {
  let home: HomeServer | undefined;
  before(async () => {
    home = await openHomeServer(kind);
    take({
      home,
      alice: await home.signUp("alice"),
      bob: await home.remotePerson("bob"),
      eve: await home.remotePerson("eve"),
    });
  });
  after(() => home?.close());
}

/** A server at home.example that knows people elsewhere, and can fetch only what the test puts on the shelf. */
export async function openHomeServer(kind: DatabaseKind, onQuery?: OnQuery) {
  const { db, close } = await openTestDatabase(kind, onQuery);
  const shelf = new Map<string, string>();
  const fetched: string[] = [];
  const home = composeHome(db, fetchFrom(shelf, fetched));
  const { features, deps } = home;
  const receive = receiveWith(deps);
  return {
    deps,
    features,
    shelf,
    fetched,
    /** The actors whose things lie elsewhere, by the ActivityPub ids of these. */
    authors: home.authors,
    close,
    receive,
    signUp: (username: string) => signUp(deps, username),
    /** @param addresses others than those on the host of the handle */
    remotePerson: (
      name: string,
      host = `${name}.example`,
      addresses: Partial<Person["addresses"]> = {},
    ) => meet(features, name, host, addresses),
    /** What comes of an envelope at the endpoint for everyone. */
    receivePublicly: async (entity: Entity, sender: RemotePersonWithKey) =>
      receive(await seal(entity, sender), null),
    /** What comes of an envelope at a person's own endpoint. */
    receivePrivately: async (
      entity: Entity,
      sender: RemotePersonWithKey,
      { publicKeyPem, userId }: Person,
    ) => {
      const envelope = await seal(entity, sender);
      return receive(encryptEnvelope(envelope, publicKeyPem), userId);
    },
  };
}

function fetchFrom(
  shelf: Map<string, string>,
  fetched: string[],
): GuardedFetch {
  return {
    request: async ({ url }) => {
      fetched.push(url);
      const body = shelf.get(url);
      const status = body === undefined ? 404 : 200;
      return { status, headers: {}, body: Buffer.from(body ?? ""), url };
    },
    close: async () => {},
  };
}

function composeHome(db: Db, fetch: GuardedFetch) {
  const clock = systemClock;
  const secretKey = randomBytes(32);
  const baseUrl = `https://${HOST}`;
  const features = composeFeatures({
    db,
    clock,
    secretKey,
    credentials: testCredentials,
    handleHost: HOST,
    onlyAllowedHosts: false,
    speaksActivityPub: true,
    hasLinkPreviews: false,
    whoInvites: "admins",
    registration: "closed",
    baseUrl,
    media: createFileMediaStore(path.join(tmpdir(), newGuid())),
    images: createImageProcessor(),
    recordings: createRecordingProcessor({
      limits: { maxBytes: 1024 * 1024, maxDurationMs: 60_000 },
    }),
  });
  const { jobs } = features;
  const authors = new Map<string, string>();
  const hosts = createHostHealth({ db, jobs, clock, fetch });
  const log = silentLog();
  const deps: DiasporaDeps = {
    ...features,
    db,
    clock,
    log,
    fetch,
    baseUrl,
    handleHost: HOST,
    strangers: createStrangers({ ...features, limits: NO_LIMITS, factor: 1 }),
    inbound: createInbound({ db, jobs, hosts, clock, log }),
    dispatch: createDispatcher({ db, jobs, clock }),
    discover: async () => undefined,
    uriOfPost: ({ uri }) => uri,
    isAuthorOf: async (uri, actorUri) => authors.get(uri) === actorUri,
  };
  return { features, deps, authors };
}

/** What comes of a body, as the worker finds it. */
function receiveWith(deps: DiasporaDeps) {
  const handle = createDiasporaInbound(deps);
  return (
    body: string,
    recipientUserId: Person["userId"],
  ): Promise<InboundResult> =>
    handle(
      {
        id: 1,
        protocol: "diaspora",
        sender: null,
        recipientUserId,
        verified: false,
        body: Buffer.from(body),
        receivedAt: "2026-01-01T00:00:00.000Z",
      },
      1,
    );
}

/** An envelope as the sender's server makes it. */
export function seal(
  entity: Entity,
  sender: RemotePersonWithKey,
): Promise<string> {
  return buildEnvelope({
    payloadXml: buildEntity(entity),
    sender: sender.handle,
    privateKey: sender.privateKey,
  });
}

async function signUp(
  { accounts, people }: DiasporaDeps,
  username: string,
): Promise<Person> {
  await accounts.signUp({ username, password: "correct horse" });
  const person = await people.find({ handle: `${username}@${HOST}` });
  if (!person) throw new Error(`${username} could not sign up`);
  return person;
}

async function meet(
  { remotePeople }: Pick<Features, "remotePeople">,
  name: string,
  host: string,
  addresses: Partial<Person["addresses"]>,
): Promise<RemotePersonWithKey> {
  const { publicKeyPem, privateKey } = takeRsaPair();
  const person = await remotePeople.store({
    handle: `${name}@${host}`,
    guid: newGuid(),
    publicKeyPem,
    keys: [],
    protocols: ["diaspora"],
    addresses: {
      ...NO_ADDRESSES,
      seedLocation: `https://${host}/`,
      ...addresses,
    },
    profile: {},
  });
  if (!person) throw new Error(`${name} is not to be met`);
  return { person, handle: person.handle, privateKey };
}
