import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, beforeEach, test } from "node:test";
import { encryptEnvelope } from "@kith/diaspora";
import { FORGET_INBOUND } from "../../src/federation/inbound/inbound.ts";
import { networkOf } from "../../src/lib/http-client/addresses.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { DiasporaPod, type PodPerson } from "../support/remote/diaspora-pod.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { podPost } from "../support/remote/pod-entities.ts";
import { befriend } from "../support/remote/several-servers.ts";
import { DAY_MS } from "../support/server/test-clock.ts";

/** Behind a proxy, so that a test can come from anywhere. */
const env = { KITH_TRUSTED_PROXIES: "loopback" };
const MIB = 1024 * 1024;
/** A third longer in base64, so that so many of one network wait. */
const LARGE = MIB;
const LARGE_FIT = 23;

let serial = 0;
const newNetwork = () => `2001:db8:${(++serial).toString(16)}::1`;

/** A body of the form of a message for a 2048-bit key, which is not one. */
function garbage(bytes = 64): string {
  return JSON.stringify({
    aes_key: Buffer.concat([Buffer.alloc(1), randomBytes(255)]).toString(
      "base64",
    ),
    encrypted_magic_envelope: randomBytes(bytes).toString("base64"),
  });
}

forEachDatabase((kind) => {
  const kith = useKith(kind, { env });
  let pod: DiasporaPod;
  let ann: TestPerson;
  let bob: PodPerson;

  before(async () => {
    pod = await DiasporaPod.start();
  });
  after(() => pod.close());
  beforeEach(async () => {
    await kith().settle();
    ann = await kith().person();
    bob = pod.person(`bob-${ann.username}`);
  });

  async function send(network: string, body: string, to = ann) {
    const url = `${kith().baseUrl}/receive/users/${to.record.Guid}`;
    const response = await fetch(url, {
      method: "POST",
      headers: { "x-forwarded-for": network },
      body,
    });
    await response.arrayBuffer();
    if (response.status !== 202)
      assert.match(response.headers.get("retry-after") ?? "", /^\d+$/);
    return response.status;
  }

  async function letterOf(by: PodPerson, to = ann, post = podPost(by)) {
    const envelope = await by.seal({ ...post, public: false });
    return encryptEnvelope(envelope, to.record.SerializedPublicKey);
  }

  const tables = ["inbound_messages", "unproven_messages"] as const;
  async function countRows() {
    const counts = tables.map(async (table) => {
      const rows = await kith().db.read.selectFrom(table).selectAll().execute();
      return rows.length;
    });
    return Promise.all(counts);
  }

  async function isHere({ guid }: { readonly guid: string }) {
    const found = await kith().server.features.posts.find({ guid });
    return found !== undefined;
  }

  /** Sends until it is refused. @returns how many were taken, and how the next one was answered */
  async function flood(network: string, to = ann) {
    for (let taken = 0; ; taken += 1) {
      const status = await send(network, garbage(LARGE), to);
      if (status !== 202) return { taken, status };
      assert.ok(taken < 2 * LARGE_FIT);
    }
  }

  test("unverified messages of a network are bounded, and undecryptable ones leave nothing behind", async () => {
    const network = newNetwork();
    const [before = 0] = await countRows();
    const { taken, status } = await flood(network);
    assert.deepEqual([taken, status], [LARGE_FIT, 429]);
    const remotePerson = network.replace("::1", "::2");
    assert.equal(await send(remotePerson, garbage(LARGE)), 429, "the same /64");
    assert.equal((await countRows())[0], before + LARGE_FIT);
    await kith().settle();
    assert.deepEqual(await countRows(), [before, 0]);
    assert.equal(await send(network, garbage()), 202);
  });

  test("small ones are counted, too, by network and by recipient", async () => {
    await growOld();
    const [dan, network] = [await kith().person(), newNetwork()];
    await waitFor(ann, network, 999);
    assert.equal(await send(network, garbage()), 202);
    assert.equal(await send(network, garbage(), dan), 429);
    assert.equal(await send(newNetwork(), garbage()), 202);
    for (let n = 0; n < 3; n += 1) await waitFor(ann, newNetwork(), 1_000);
    assert.equal(await send(newNetwork(), garbage()), 503);
    assert.equal(await send(newNetwork(), garbage(), dan), 202);
    await growOld();
  });

  test("all unknown networks together have a limit", async () => {
    for (let n = 0; n < 10; n += 1)
      await waitFor(await kith().person(), newNetwork(), 1_000);
    assert.equal(await send(newNetwork(), garbage()), 503);
    await growOld();
    assert.equal(await send(newNetwork(), garbage()), 202);
  });

  test("an impossible message gets the same answer, and is not stored", async () => {
    const [before] = await countRows();
    const outer = JSON.parse(garbage()) as Record<string, string>;
    for (const body of [
      "{}",
      "<xml/>",
      JSON.stringify({ ...outer, aes_key: undefined }),
      JSON.stringify({
        ...outer,
        aes_key: randomBytes(255).toString("base64"),
      }),
      JSON.stringify({ ...outer, encrypted_magic_envelope: "AAAA" }),
      JSON.stringify({ ...outer, encrypted_magic_envelope: "<b>" }),
      garbage(17),
    ])
      assert.equal(await send(newNetwork(), body), 202);
    assert.deepEqual(await countRows(), [before, 0]);
  });

  test("an honest unknown sender gets through while another floods, and retries when many do", async () => {
    assert.equal((await flood(newNetwork())).status, 429);
    const first = podPost(bob, { public: false });
    assert.equal(
      await send(newNetwork(), await letterOf(bob, ann, first)),
      202,
    );
    for (let n = 0; n < 4; n += 1)
      await waitFor(ann, newNetwork(), 1, 32 * MIB);
    const post = podPost(bob, { public: false });
    const letter = await letterOf(bob, ann, post);
    assert.equal(
      await send(newNetwork(), letter),
      503,
      "ann's share is used up",
    );
    const dan = await kith().person();
    const other = podPost(bob, { public: false });
    assert.equal(
      await send(newNetwork(), await letterOf(bob, dan, other), dan),
      202,
    );
    await kith().settle();
    assert.ok(await isHere(first));
    assert.ok(await isHere(other));
    assert.ok(!(await isHere(post)), "it was not acknowledged");
    await growOld();
    assert.equal(await send(newNetwork(), letter), 202);
    await kith().settle();
    assert.ok(await isHere(post));
  });

  test("a flood from many networks does not keep out networks of followed people", async () => {
    const [home, stranger] = [newNetwork(), newNetwork()];
    await befriend(ann, bob.handle);
    await kith().settle();
    assert.equal(await send(home, await letterOf(bob)), 202);
    const eve = pod.person("eve");
    assert.equal(await send(stranger, await letterOf(eve)), 202);
    await kith().settle();
    for (let n = 0; n < 4; n += 1)
      await waitFor(ann, newNetwork(), 1, 32 * MIB);
    assert.equal(await send(newNetwork(), garbage()), 503);
    const isMore = "to be somebody is not enough";
    assert.equal(await send(stranger, await letterOf(eve)), 503, isMore);
    const post = podPost(bob, { public: false });
    assert.equal(await send(home, await letterOf(bob, ann, post)), 202);
    assert.equal(await send(home, garbage()), 202);
    await kith().settle();
    assert.ok(await isHere(post));
    await forgetAfter(31);
    const known = kith().db.read.selectFrom("known_networks").selectAll();
    assert.deepEqual(await known.execute(), []);
  });

  test("an unverified message counts until its sender is known, and is then removed", async () => {
    pod.serves.set("/.well-known/webfinger", (response) =>
      response.writeHead(503).end(),
    );
    const post = podPost(bob, { public: false });
    assert.equal(await send(newNetwork(), await letterOf(bob, ann, post)), 202);
    await kith().settle();
    assert.equal((await countRows())[1], 1);
    pod.serves.clear();
    kith().clock.advance(DAY_MS / 12);
    await kith().settle();
    assert.ok(await isHere(post));
    assert.equal((await countRows())[1], 0);
    pod.serves.set("/.well-known/webfinger", (response) =>
      response.writeHead(404).end(),
    );
    const [before] = await countRows();
    const nobody = pod.person("nobody");
    assert.equal(await send(newNetwork(), await letterOf(nobody)), 202);
    for (let day = 0; day < 12; day += 1) {
      kith().clock.advance(DAY_MS);
      await kith().settle();
    }
    pod.serves.clear();
    assert.deepEqual(await countRows(), [before, 0]);
  });

  /** Many small ones as if sent from there to a person, without sending each. */
  async function waitFor(
    to: TestPerson,
    network: string,
    count: number,
    bytes = 500,
  ) {
    const { clock, db } = kith();
    const receivedAt = clock.now().toISOString();
    const recipient = to.record.UserID;
    const messages = Array.from({ length: count }, () => ({
      protocol: "diaspora",
      recipient_user_id: recipient,
      verified: false,
      body: Buffer.from(garbage()),
      received_at: receivedAt,
    }));
    await db.transaction(async (tx) => {
      const stored = await tx
        .insertInto("inbound_messages")
        .values(messages)
        .returning("id")
        .execute();
      const waiting = stored.map(({ id }) => ({
        message_id: id,
        recipient_user_id: recipient,
        network: networkOf(network) ?? assert.fail(),
        known: false,
        bytes,
        received_at: receivedAt,
      }));
      await tx.insertInto("unproven_messages").values(waiting).execute();
    });
  }

  async function forgetAfter(days: number) {
    const { clock, db, server } = kith();
    clock.advance(days * DAY_MS);
    await db.transaction((tx) =>
      server.features.jobs.ensureRecurring(tx, [FORGET_INBOUND]),
    );
    await kith().settle();
  }

  /** Unverified messages without a job are removed by age. */
  async function growOld() {
    await forgetAfter(31);
    assert.equal((await countRows())[1], 0);
  }
});
