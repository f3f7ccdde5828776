import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import {
  HOSTILE_KINDS,
  hostileJsonLd,
} from "../../packages/activitypub/test/hostile-json-ld.ts";
import { openDatabase } from "../../packages/server/src/db/open-database.ts";
import { HANDLE_INBOUND } from "../../packages/server/src/federation/inbound/inbound.ts";
import { insertInbound } from "../../packages/server/src/federation/inbound/inbound-store.ts";
import { createJobs } from "../../packages/server/src/jobs/jobs.ts";
import {
  systemClock,
  timestamp,
} from "../../packages/server/src/lib/time/clock.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../../packages/server/test/support/remote/remote-server.ts";
import { eventually, KithProcess } from "../support/kith-process.ts";
import { Resident } from "../support/resident.ts";

const DOCUMENTS = 20;
const BYTES = 250_000;
const MAX_MS = 1_000;
const MAX_RESIDENT_KB = 600 * 1024;
const LOOK_EVERY_MS = 50;

describe("the most expensive JSON-LD documents", () => {
  let kith: KithProcess;
  let remote: RemoteServer;
  let eve: RemoteActor;
  let bob: RemoteActor;
  const here = () => ({ baseUrl: kith.baseUrl, clock: systemClock });

  before(async () => {
    remote = await RemoteServer.start();
    [eve, bob] = [remote.actor("eve"), remote.actor("bob")];
    kith = await KithProcess.start({
      database: "sqlite",
      protocols: "activitypub",
      settings: { KITH_AUTHORIZED_FETCH: "true" },
    });
    const ann = await Resident.settle(kith, "ann");
    // Only a followed actor may announce objects.
    const found = await ann.api.post("/search", { handle: eve.handle });
    const { ID } = await ann.api.post("/aspects", { aspect_name: "known" });
    await ann.api.post(`/people/${String(found.ID)}/aspects/${String(ID)}`);
    const [follow] = await eventually(async () => {
      const follows = remote.ofType("Follow");
      assert.equal(follows.length, 1);
      return follows;
    });
    const accept = eve.activity("Accept", { object: follow?.activity ?? {} });
    assert.equal((await eve.send(here(), accept)).status, 202);
  });
  after(async () => {
    await kith.remove();
    await remote.close();
  });

  /** A document of each kind in turn, served at its own id. */
  function serveHostile(at: number, members: JsonObject): string {
    const kind = HOSTILE_KINDS[at % HOSTILE_KINDS.length] ?? "";
    const id = remote.newId("hostile");
    remote.documents.set(id, hostileJsonLd(kind, BYTES, { id, ...members }));
    return id;
  }

  const many = <T>(make: (at: number) => T): T[] =>
    Array.from({ length: DOCUMENTS }, (_, at) => make(at));

  /** Alleged keys in hostile documents. */
  const hostileKeys = () =>
    many((at) => `${serveHostile(at, { type: "Person" })}#main-key`);

  const said = (by: RemoteActor, at: number): JsonObject => ({
    ...by.activity("Create", { to: [PUBLIC] }),
    object: { ...by.note(), name: `${at}` },
  });

  /** The ways in which such a document arrives. */
  const ways: Readonly<Record<string, () => Promise<number>[]>> = {
    "as the key of a POST": () =>
      hostileKeys().map(async (keyId) => {
        const like = eve.activity("Like", { object: kith.baseUrl });
        return (await eve.send(here(), like, { keyId })).status;
      }),
    "as the key of a GET": () =>
      hostileKeys().map(async (keyId) => {
        const url = `${kith.baseUrl}/api/v1/ap/person/ann/outbox?page=1`;
        return (await eve.get(here(), url, { keyId })).status;
      }),
    "as an activity": () =>
      many(async (at) => {
        const kind = HOSTILE_KINDS[at % HOSTILE_KINDS.length] ?? "";
        const hostile = hostileJsonLd(kind, BYTES, said(eve, at));
        return (await eve.send(here(), hostile)).status;
      }),
    "behind an Announce": () =>
      many(async (at) => {
        const object = serveHostile(at, { type: "Note", attributedTo: bob.id });
        const announce = eve.activity("Announce", { to: [PUBLIC], object });
        return (await eve.send(here(), announce)).status;
      }),
    "below the signature of a document that is passed on": () =>
      many(async (at) => {
        const kind = HOSTILE_KINDS[at % HOSTILE_KINDS.length] ?? "";
        const { "@context": context, ...filled } = hostileJsonLd(kind, BYTES);
        const hostile: JsonObject = {
          ...said(bob, at),
          attachment: [{ "@context": withoutRenaming(context), ...filled }],
          signature: {
            type: "RsaSignature2017",
            creator: bob.keyId,
            created: "2026-06-15T10:00:00Z",
            signatureValue: "x".repeat(344),
          },
        };
        return (await eve.send(here(), hostile)).status;
      }),
  };

  for (const [way, send] of Object.entries(ways))
    test(`leave the server alive: ${way}`, async () => {
      await staysHealthy(kith, async () => {
        const statuses = await Promise.all(send());
        for (const status of statuses)
          assert.ok(status >= 200 && status < 500, `${status}`);
        await eventually(() => allProcessed(kith));
      });
    });

  test("leave the server alive when stored jobs contain them at its start", async () => {
    await kith.stop();
    const db = await openDatabase(kith.location);
    const jobs = createJobs({ db, clock: systemClock });
    for (let at = 0; at < DOCUMENTS; at += 1) {
      const kind = HOSTILE_KINDS[at % HOSTILE_KINDS.length] ?? "";
      const activity = hostileJsonLd(kind, BYTES, said(eve, at));
      await db.transaction(async (tx) => {
        const messageId = await insertInbound(tx, {
          protocol: "activitypub",
          messageId: `stored ${at}`,
          sender: eve.id,
          recipientUserId: null,
          verified: at % 2 === 0,
          body: Buffer.from(JSON.stringify(activity)),
          receivedAt: timestamp(systemClock.now()),
        });
        assert.ok(messageId !== undefined);
        await jobs.enqueue(tx, HANDLE_INBOUND, { messageId });
      });
    }
    await db.close();
    await kith.start();
    await staysHealthy(kith, () => eventually(() => allProcessed(kith)));
  });
});

/** It renames no term, so that the activity itself is read unchanged. */
function withoutRenaming(context: unknown): JsonObject {
  const text = JSON.stringify(context).replaceAll(
    '"as:content"',
    '"https://u.example/content"',
  );
  return JSON.parse(text) as JsonObject;
}

async function allProcessed(kith: KithProcess): Promise<void> {
  assert.ok(kith.isRunning, kith.output.slice(-2_000));
  const db = await openDatabase(kith.location);
  try {
    const open = await db.read
      .selectFrom("jobs")
      .select(["id", "state"])
      .where("kind", "=", HANDLE_INBOUND.name)
      .execute();
    assert.deepEqual(open, []);
  } finally {
    await db.close();
  }
}

/**
 * Polls during `attack`, and once after it, whether the server is alive. Measures the processor
 * time of the server's main thread before each answer, which does not include waiting for a
 * processor.
 */
async function staysHealthy(
  kith: KithProcess,
  attack: () => Promise<void>,
): Promise<void> {
  let isOver = false;
  const attacking = attack().finally(() => (isOver = true));
  let slowestMs = 0;
  const look = async () => {
    slowestMs = Math.max(slowestMs, await askHealth(kith));
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  };
  const looking = (async () => {
    while (!isOver) await look();
    await look();
  })();
  await Promise.all([attacking, looking]);
  assert.ok(slowestMs < MAX_MS, `health took ${slowestMs.toFixed(0)} ms`);
  const residentKb = readPeakKb(kith.pid);
  assert.ok(residentKb < MAX_RESIDENT_KB, `${residentKb} kB were resident`);
}

/** @returns milliseconds of the main thread until the answer */
async function askHealth({ baseUrl, pid }: KithProcess): Promise<number> {
  const startedAtMs = readMainThreadMs(pid);
  assert.equal((await fetch(`${baseUrl}/healthz`)).status, 200);
  return readMainThreadMs(pid) - startedAtMs;
}

/** Processor time of the main thread; wall clock time if the system does not report it. */
function readMainThreadMs(pid: number): number {
  if (process.platform !== "linux") return performance.now();
  const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, "latin1");
  // After the name, which may contain anything; in hundredths of a second (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The peak memory of the process; 0 if the system does not report it. */
function readPeakKb(pid: number): number {
  if (process.platform !== "linux") return 0;
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]);
}
