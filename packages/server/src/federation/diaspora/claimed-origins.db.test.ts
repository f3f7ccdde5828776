import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  encryptEnvelope,
  parseEnvelope,
  signRelayable,
  type StatusMessage,
} from "@kith/diaspora";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import type { Person } from "../../features/people/index.ts";
import { newGuid } from "../../lib/guids.ts";
import { NO_LIMITS } from "../../lib/limits/limits.ts";
import { DELIVER } from "../delivery/deliver.ts";
import { createHostHealth } from "../delivery/host-health.ts";
import { createSignatureFailureLimiter } from "../inbound/signature-failure-limiter.ts";
import {
  assertDone,
  commentOf,
  publish,
  statusMessage,
} from "./entities.fixture.ts";
import {
  openHomeServer,
  seal,
  type RemotePersonWithKey,
  type HomeServer,
} from "../../../test/support/remote/home-server.ts";
import { readImmediateEnvelope } from "./receive/receive-at-once.ts";
import { createReceiveContext } from "./handle-inbound.ts";
import { createReceivePublic } from "./receive/receive-public.ts";
import { dispatchEntity } from "./records/envelopes.ts";
import { renderAccountDeletion } from "./render/render-person.ts";
import { hostOf } from "./render/wire-values.ts";

const FAILURES = 5;

forEachDatabase((kind) => {
  let home: HomeServer;
  let alice: Person;
  let serial = 0;

  before(async () => {
    home = await openHomeServer(kind);
    alice = await home.signUp("alice");
  });
  after(() => home.close());

  const newHost = () => `victim${++serial}.example`;

  /** A person whose WebFinger names the server of another host. */
  const mallory = (victim: string): Promise<RemotePersonWithKey> =>
    home.remotePerson(`mallory${++serial}`, `evil${serial}.example`, {
      seedLocation: `https://${victim}/`,
    });

  const noteOf = (host: string) => `https://${host}/notes/${newGuid()}`;

  const withUri = (
    by: RemotePersonWithKey,
    activitypubId: string,
  ): StatusMessage => ({
    ...statusMessage(by),
    activitypubId,
  });

  async function postOf(entity: { readonly guid: string }) {
    const { guid } = entity;
    return (await home.features.posts.find({ guid })) ?? assert.fail();
  }

  async function uriOfPost(by: RemotePersonWithKey, uri: string) {
    const entity = withUri(by, uri);
    assertDone(await home.receivePublicly(entity, by), "stored");
    return (await postOf(entity)).uri;
  }

  /** A comment on a post of alice's, and whether its ActivityPub id was accepted. */
  async function uriOfComment(by: RemotePersonWithKey, uri: string) {
    const { guid } = await publish(home, alice);
    const unsigned = { ...commentOf(by, guid), activitypubId: uri };
    const comment = await signRelayable(unsigned, by.privateKey);
    assertDone(await home.receivePublicly(comment, by), "stored");
    const { comments } = home.features;
    return ((await comments.find(comment)) ?? assert.fail()).uri;
  }

  /** A host that has failed: a delivery to it is held, and one of its inboxes is gone. */
  async function breakDown(host: string): Promise<string> {
    const { db, jobs } = home.deps;
    const origin = `https://${host}`;
    const url = `${origin}/receive/public`;
    const hosts = createHostHealth(home.deps);
    const delivery = {
      protocol: "diaspora",
      url,
      senderUserId: alice.userId,
      recipientId: null,
    } as const;
    await db.transaction((tx) =>
      jobs.enqueue(tx, DELIVER, delivery, { lane: host, host: origin }),
    );
    for (let n = 0; n < FAILURES; n += 1)
      await hosts.recordFailure(origin, "Refused the connection", true);
    await hosts.recordGone(`${origin}/gone`, origin, "Answered 410");
    assert.deepEqual(await stateOf(host), HELD);
    return origin;
  }

  const HELD = { isFailing: true, gone: 1, due: 0 };
  const RELEASED = { isFailing: true, gone: 0, due: 1 };

  async function stateOf(name: string) {
    const host = `https://${name}`;
    const { read } = home.deps.db;
    const health = await read
      .selectFrom("remote_hosts")
      .select("failing_since")
      .where("host", "=", host)
      .executeTakeFirst();
    const gone = await read
      .selectFrom("gone_inboxes")
      .select("url")
      .where("host", "=", host)
      .execute();
    const due = await read
      .selectFrom("jobs")
      .select("id")
      .where("host", "=", host)
      .where("run_at", "<=", home.deps.clock.now().toISOString())
      .execute();
    return {
      isFailing: health?.failing_since != null,
      gone: gone.length,
      due: due.length,
    };
  }

  /** The shared inbox, which verifies known senders at once. */
  test("no server is asked before a message is answered", async () => {
    const shared = newHost();
    const actorUri = `https://${shared}/users/carol`;
    const carol = await home.remotePerson("carol2", newHost(), { actorUri });
    const [uri, own] = [noteOf(shared), noteOf(hostOf(carol.handle))];
    home.authors.set(uri, actorUri);
    const read = async (activitypubId: string) => {
      const entity = withUri(carol, activitypubId);
      const envelope = parseEnvelope(Buffer.from(await seal(entity, carol)));
      return readImmediateEnvelope(home.deps, envelope, carol.person);
    };
    assert.equal(await read(uri), undefined, "left to the worker");
    assert.ok(await read(own), "which the handle's host has the say over");
  });

  async function receiveAtOnce(
    by: RemotePersonWithKey,
    text: string,
  ): Promise<void> {
    const { clock } = home.deps;
    const unproven = createSignatureFailureLimiter({
      limits: NO_LIMITS,
      clock,
    });
    const receivePublic = createReceivePublic({ ...home.deps, unproven });
    const body = await seal({ ...statusMessage(by), text }, by);
    await receivePublic(Buffer.from(body), "192.0.2.1");
  }

  test("a post under an id of the server that its author's seed location names is stored without it", async () => {
    const victim = newHost();
    const uri = noteOf(victim);
    assert.equal(await uriOfPost(await mallory(victim), uri), null);
    const bob = await home.remotePerson("bob", victim);
    assert.equal(await uriOfPost(bob, uri), uri);
    const post = await home.features.posts.find({ uri });
    assert.equal(post?.personId, bob.person.id);
  });

  test("a comment under such an id is, too", async () => {
    const victim = newHost();
    const uri = noteOf(victim);
    assert.equal(await uriOfComment(await mallory(victim), uri), null);
    const bob = await home.remotePerson("bob", victim);
    assert.equal(await uriOfComment(bob, uri), uri);
  });

  test("ids beside a confirmed actor are believed where the object names the actor, and no others", async () => {
    const [shared, victim] = [newHost(), newHost()];
    const actorUri = `https://${shared}/users/carol`;
    const split = await home.remotePerson("carol", newHost(), {
      actorUri,
      seedLocation: `https://${victim}/`,
    });
    const [uri, other] = [noteOf(shared), noteOf(shared)];
    for (const one of [uri, other]) home.authors.set(one, actorUri);
    assert.equal(await uriOfPost(split, uri), uri);
    assert.equal(await uriOfComment(split, other), other);
    // Other people live on that server, too.
    const dan = `https://${shared}/users/dan`;
    for (const one of [noteOf(shared), noteOf(shared)]) {
      assert.equal(await uriOfPost(split, one), null);
      home.authors.set(one, dan);
      assert.equal(await uriOfComment(split, one), null);
    }
    assert.equal(await uriOfPost(split, noteOf(victim)), null);
    assert.equal(await uriOfComment(split, noteOf(victim)), null);
  });

  test("an id that nobody could confirm at first is taken when the same thing comes again", async () => {
    const shared = newHost();
    const actorUri = `https://${shared}/users/carol`;
    const carol = await home.remotePerson("carol3", newHost(), { actorUri });
    const [uri, other] = [noteOf(shared), noteOf(shared)];
    const entity = withUri(carol, uri);
    assertDone(await home.receivePublicly(entity, carol), "stored");
    const { guid } = await publish(home, alice);
    const unsigned = { ...commentOf(carol, guid), activitypubId: other };
    const comment = await signRelayable(unsigned, carol.privateKey);
    assertDone(await home.receivePublicly(comment, carol), "stored");
    const { posts, comments } = home.features;
    const uris = async () => [
      (await posts.find(entity))?.uri,
      (await comments.find(comment))?.uri,
    ];
    assert.deepEqual(await uris(), [null, null]);
    for (const one of [uri, other]) home.authors.set(one, actorUri);
    assertDone(await home.receivePublicly(entity, carol), "known");
    // As it arrives over ActivityPub.
    const known = (await comments.find(comment)) ?? assert.fail();
    const received = await comments.receive({ ...known, uri: other });
    assert.equal(received.kind, "known");
    assert.deepEqual(await uris(), [uri, other]);
  });

  test("the link to the original leads to a proven server alone", async () => {
    const victim = newHost();
    const by = await mallory(victim);
    const forged = statusMessage(by);
    assertDone(await home.receivePublicly(forged, by), "stored");
    assert.equal((await postOf(forged)).url, null);
    const bob = await home.remotePerson("dora", victim);
    const real = statusMessage(bob);
    assertDone(await home.receivePublicly(real, bob), "stored");
    assert.equal(
      (await postOf(real)).url,
      `https://${victim}/posts/${real.guid}`,
    );
  });

  test("a message for everyone says of no other host that it lives", async () => {
    const victim = newHost();
    await breakDown(victim);
    const by = await mallory(victim);
    await home.receivePublicly(statusMessage(by), by);
    assert.deepEqual(await stateOf(victim), HELD);
    const bob = await home.remotePerson("bob", victim);
    await home.receivePublicly(statusMessage(bob), bob);
    assert.deepEqual(await stateOf(victim), RELEASED);
  });

  test("nor does one whose signature is verified in the request and that is applied at once", async () => {
    const victim = newHost();
    await breakDown(victim);
    await receiveAtOnce(await mallory(victim), "plain");
    assert.deepEqual(await stateOf(victim), HELD);
    await receiveAtOnce(await home.remotePerson("bob", victim), "plain");
    assert.deepEqual(await stateOf(victim), RELEASED);
  });

  test("one that is left to the worker says so when it has brought something new", async () => {
    const text = "see diaspora://a@b.example/post/12345678901234567";
    const victim = newHost();
    await breakDown(victim);
    await receiveAtOnce(await home.remotePerson("bob", victim), text);
    assert.deepEqual(await stateOf(victim), HELD);
  });

  test("nor does an encrypted one", async () => {
    const victim = newHost();
    await breakDown(victim);
    const whisper = async (by: RemotePersonWithKey) => {
      const envelope = await seal({ ...statusMessage(by), public: false }, by);
      const body = encryptEnvelope(envelope, alice.publicKeyPem);
      assertDone(await home.receive(body, alice.userId), "stored");
    };
    await whisper(await mallory(victim));
    assert.deepEqual(await stateOf(victim), HELD);
    await whisper(await home.remotePerson("bob", victim));
    assert.deepEqual(await stateOf(victim), RELEASED);
  });

  test("a delivery to a claimed server waits in a lane of its own and counts for nothing", async () => {
    const victim = newHost();
    const by = await mallory(victim);
    const bob = await home.remotePerson("bob", victim);
    const dispatched = async (
      isPublic: boolean,
      to: readonly RemotePersonWithKey[],
    ) => {
      const { userId } = alice;
      const recipients = to.map(({ person }) => person);
      const [one] = await dispatchEntity(
        home.deps,
        renderAccountDeletion(alice),
        { person: alice, userId: userId ?? assert.fail() },
        { recipients, isPublic },
      );
      return (one ?? assert.fail()).deliveries.map(
        ({ place, isHostClaimed = false }) => ({ place, isHostClaimed }),
      );
    };
    const suffix = ` ${by.handle.slice(by.handle.indexOf("@") + 1)}`;
    const inboxOf = (guid: string) =>
      `https://${victim}/receive/users/${encodeURIComponent(guid)}`;
    const toAll = `https://${victim}/receive/public`;
    const claimed = { isHostClaimed: true };
    const proven = { isHostClaimed: false };
    assert.deepEqual(await dispatched(false, [by, bob]), [
      { place: `${inboxOf(by.person.guid)}${suffix}`, ...claimed },
      { place: inboxOf(bob.person.guid), ...proven },
    ]);
    assert.deepEqual(await dispatched(true, [by]), [
      { place: `${toAll}${suffix}`, ...claimed },
    ]);
    const toBob = { place: toAll, ...proven };
    // Once for all people of the server, which is certain to be bob's.
    assert.deepEqual(await dispatched(true, [by, bob]), [toBob]);
    assert.deepEqual(await dispatched(true, [bob, by]), [toBob]);
  });

  test("nor does somebody whose actor is on a server with others say that it lives, or have deliveries to it held", async () => {
    const shared = newHost();
    await breakDown(shared);
    const tenant = await home.remotePerson("tenant", newHost(), {
      actorUri: `https://${shared}/users/tenant`,
      seedLocation: `https://${shared}/`,
    });
    await home.receivePublicly(statusMessage(tenant), tenant);
    assert.deepEqual(await stateOf(shared), HELD);
    const [one] = await dispatchEntity(
      home.deps,
      renderAccountDeletion(alice),
      { person: alice, userId: alice.userId ?? assert.fail() },
      { recipients: [tenant.person], isPublic: true },
    );
    assert.equal(one?.deliveries[0]?.isHostClaimed, true);
  });

  test("nothing is asked for, and nobody sent, where somebody only claims to live", async () => {
    const victim = newHost();
    const by = await mallory(victim);
    const wanted = { type: "post", guid: newGuid(), depth: 0 } as const;
    const cause = { userId: null, personId: null };
    const { fetchRemote } = createReceiveContext(home.deps);
    const askedOf = async (from: Person) => {
      home.fetched.length = 0;
      await fetchRemote({ ...wanted, from, cause });
      return home.fetched.length;
    };
    assert.equal(await askedOf(by.person), 0);
    const bob = await home.remotePerson("bert", victim);
    assert.equal(await askedOf(bob.person), 1);
  });
});
