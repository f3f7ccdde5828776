import assert from "node:assert/strict";
import { test } from "node:test";
import {
  decryptEnvelope,
  parseEntity,
  parseEnvelope,
  verifyEnvelope,
  type Contact,
} from "@kith/diaspora";
import { createPrivateKey } from "node:crypto";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import { LEAVE } from "../../features/leaving/index.ts";
import type { Person } from "../../features/people/index.ts";
import { loadOutgoing } from "../outbound/load/load-outgoing.ts";
import type { Rendered, Outgoing } from "../outbound/outgoing.ts";
import { createDiasporaSender } from "./create-sender.ts";
import { stored } from "../delivery/deliver.ts";
import { createDiasporaDelivery } from "./delivery-protocol.ts";
import {
  assertDone,
  assertRefused,
  commentBy,
  publish,
  statusMessage,
} from "./entities.fixture.ts";
import {
  useHomeServer,
  type RemotePersonWithKey,
  type HomeServer,
} from "../../../test/support/remote/home-server.ts";

forEachDatabase((kind) => {
  let home: HomeServer;
  let alice: Person;
  let bob: RemotePersonWithKey;
  let eve: RemotePersonWithKey;
  useHomeServer(kind, (town) => ({ home, alice, bob, eve } = town));

  const userOf = ({ id, userId }: Person) => ({
    personId: id,
    userId: userId ?? assert.fail(),
  });

  const contactBy = (
    by: RemotePersonWithKey,
    sharing: boolean,
    blocking = false,
  ): Contact => ({
    type: "contact",
    author: by.handle,
    recipient: alice.handle,
    following: sharing,
    sharing,
    blocking,
  });

  const render = (outgoing: Outgoing | undefined, to: RemotePersonWithKey[]) =>
    createDiasporaSender(home.deps).render(
      outgoing ?? assert.fail("Nothing to send"),
      to.map(({ person }) => person),
    );

  /** Decrypts an entity that was sent to one remote person. */
  const entityFor = async (
    reader: RemotePersonWithKey,
    { document, deliveries }: Rendered,
  ) => {
    const [first] = deliveries;
    const { place: _, ...delivery } = first ?? assert.fail();
    const delivering = createDiasporaDelivery(home.deps);
    const request = await delivering.prepare(stored(document), delivery);
    const envelope = parseEnvelope(
      await decryptEnvelope(
        Buffer.from(request?.body ?? ""),
        createPrivateKey(
          reader.privateKey.export({ type: "pkcs8", format: "pem" }),
        ),
      ),
    );
    const { payloadXml } = await verifyEnvelope(envelope, alice.publicKeyPem);
    return parseEntity(payloadXml);
  };

  test("a block goes to the blocked person alone, encrypted, and so does its end", async () => {
    for (const type of ["person.blocked", "person.unblocked"] as const) {
      const since = "2026-01-02T03:04:05.678Z";
      const personId = bob.person.id;
      const fact = { type, personId, since, by: alice.id };
      const outgoing = await loadOutgoing(home.features, fact);
      const [dispatch, ...more] = await render(outgoing, [bob]);
      assert.deepEqual(more, []);
      const entity = await entityFor(bob, dispatch ?? assert.fail());
      assert.equal(entity.type, "contact");
      assert.equal(entity.blocking, type === "person.blocked");
      assert.equal(entity.sharing, false);
      assert.equal(entity.following, false);
    }
  });

  test("a block from elsewhere ends the contact until the person shares again", async () => {
    const { aspects, contacts } = home.features;
    const user = userOf(alice);
    const aspect = await aspects.create(user.userId, "a");
    await home.receivePrivately(contactBy(bob, true), bob, alice);
    await aspects.addPerson(user, aspect.id, bob.person.id);
    const block = contactBy(bob, false, true);
    assertRefused(await home.receivePublicly(block, bob));
    assertDone(await home.receivePrivately(block, bob, alice), "blocked");
    const contact = await contacts.find(user.userId, bob.person.id);
    assert.equal(contact?.sharing, false);
    assert.equal(contact.following, false);
    const add = () => aspects.addPerson(user, aspect.id, bob.person.id);
    await assert.rejects(add(), { code: "not_found" });
    await home.receivePrivately(contactBy(bob, true), bob, alice);
    await add();
  });

  test("a blocked person does not share with the blocker, nor comment on the blocker's posts", async () => {
    const { blocks, comments, contacts } = home.features;
    const user = userOf(alice);
    await blocks.block(user, eve.person.id);
    assertRefused(
      await home.receivePrivately(contactBy(eve, true), eve, alice),
    );
    assert.notEqual(
      (await contacts.find(user.userId, eve.person.id))?.sharing,
      true,
    );
    const post = await publish(home, alice);
    const comment = await commentBy(eve, post.guid);
    assertRefused(await home.receivePublicly(comment, eve));
    const { guid } = comment;
    assert.equal(await comments.find({ guid }), undefined);
    await blocks.unblock(user, eve.person.id);
    assertDone(
      await home.receivePrivately(contactBy(eve, true), eve, alice),
      "shares",
    );
  });

  test("a departure is announced once to each server, in public", async () => {
    const rita = await home.remotePerson("rita", "bob.example");
    const people = [bob, rita, eve];
    const audience = people.map(({ person }) => person.id);
    const outgoing = { kind: "departure", by: alice, audience } as const;
    const [dispatch, ...more] = await render(outgoing, people);
    assert.deepEqual(more, []);
    assert.deepEqual(
      dispatch?.deliveries.map(({ url }) => url),
      [
        "https://bob.example/receive/public",
        "https://eve.example/receive/public",
      ],
    );
    const envelope = parseEnvelope(dispatch.document);
    const { payloadXml } = await verifyEnvelope(envelope, alice.publicKeyPem);
    const entity = parseEntity(payloadXml);
    assert.equal(entity.type, "account_deletion");
    assert.equal(entity.author, alice.handle);
  });

  test("an account that says it has left is closed, and a job removes its data; nobody can say so for another", async () => {
    const { people } = home.features;
    const carol = await home.remotePerson("carol");
    await home.receivePublicly(statusMessage(carol), carol);
    const deletion = {
      type: "account_deletion",
      author: carol.handle,
    } as const;
    assertRefused(await home.receivePublicly(deletion, bob));
    const key = { id: carol.person.id };
    assert.equal((await people.find(key))?.state, "active");
    assertDone(await home.receivePublicly(deletion, carol), "left");
    assert.equal((await people.find(key))?.state, "closed");
    const jobs = await home.deps.db.read
      .selectFrom("jobs")
      .select("payload")
      .where("kind", "=", LEAVE.name)
      .execute();
    assert.equal(jobs.length, 1);
    assert.equal(
      (JSON.parse(jobs[0]?.payload ?? "") as { personId: number }).personId,
      carol.person.id,
    );
    assertRefused(await home.receivePublicly(statusMessage(carol), carol));
    assertRefused(await home.receivePublicly(deletion, carol));
  });
});
