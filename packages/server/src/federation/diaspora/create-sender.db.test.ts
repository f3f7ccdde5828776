import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  decryptEnvelope,
  parseEntity,
  parseEnvelope,
  verifyEnvelope,
  type Entity,
} from "@kith/diaspora";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import type { Person } from "../../features/people/index.ts";
import { loadOutgoing } from "../outbound/load/load-outgoing.ts";
import type { Rendered, Outgoing } from "../outbound/outgoing.ts";
import { createDiasporaSender } from "./create-sender.ts";
import { stored } from "../delivery/deliver.ts";
import { createDiasporaDelivery } from "./delivery-protocol.ts";
import { commentBy, publish, statusMessage } from "./entities.fixture.ts";
import {
  openHomeServer,
  type RemotePersonWithKey,
  type HomeServer,
} from "../../../test/support/remote/home-server.ts";

forEachDatabase((kind) => {
  let home: HomeServer;
  let alice: Person;
  let bob: RemotePersonWithKey;
  let rita: RemotePersonWithKey;
  let eve: RemotePersonWithKey;

  before(async () => {
    home = await openHomeServer(kind);
    alice = await home.signUp("alice");
    bob = await home.remotePerson("bob");
    rita = await home.remotePerson("rita", "bob.example");
    eve = await home.remotePerson("eve");
  });
  after(() => home.close());

  const render = (outgoing: Outgoing | undefined, to: RemotePersonWithKey[]) =>
    createDiasporaSender(home.deps).render(
      outgoing ?? assert.fail("Nothing to send"),
      to.map(({ person }) => person),
    );
  const describe = (fact: Parameters<typeof loadOutgoing>[1]) =>
    loadOutgoing(home.features, fact);
  const describePost = (postId: Awaited<ReturnType<typeof publish>>["id"]) =>
    describe({ type: "post.published", postId, by: alice.id });

  test("a public post is rendered once, always alike, for each server", async () => {
    const post = await publish(home, alice);
    const outgoing = await describePost(post.id);
    const dispatches = await render(outgoing, [bob, rita, eve]);
    assert.deepEqual(urlsOf(dispatches), [
      [
        "https://bob.example/receive/public",
        "https://eve.example/receive/public",
      ],
    ]);
    assert.deepEqual(await render(outgoing, [bob, rita, eve]), dispatches);
    const entity = await entityBy(alice, dispatches[0]);
    assert.equal(entity.type, "status_message");
    assert.equal(entity.public, true);
    assert.equal(entity.createdAt, `${post.createdAt.slice(0, 19)}Z`);
  });

  test("a public post is signed once, however many servers get it", async () => {
    const post = await publish(home, alice);
    const outgoing = await describePost(post.id);
    let signatures = 0;
    const accounts = {
      ...home.deps.accounts,
      getPrivateKey: async (...user: [NonNullable<Person["userId"]>]) => {
        signatures += 1;
        return home.deps.accounts.getPrivateKey(...user);
      },
    };
    const deps = { ...home.deps, accounts };
    const people = [bob, rita, eve].map(({ person }) => person);
    const dispatches = await createDiasporaSender(deps).render(
      outgoing ?? assert.fail("Nothing to send"),
      people,
    );
    assert.equal(dispatches.length, 1);
    const protocol = createDiasporaDelivery(deps);
    const bodies = new Set<string>();
    for (const { document, deliveries } of dispatches)
      for (const { place: _, ...delivery } of deliveries)
        bodies.add(
          String((await protocol.prepare(stored(document), delivery))?.body),
        );
    assert.deepEqual([...bodies], [dispatches[0]?.document]);
    assert.equal(signatures, 1);
  });

  test("a limited post goes to each person, encrypted on its way", async () => {
    const post = await publish(home, alice, bob.person);
    const dispatches = await render(await describePost(post.id), [bob, rita]);
    const [first, ...others] = dispatches;
    assert.deepEqual(others, []);
    assert.deepEqual(
      first?.deliveries.map(({ recipientId }) => recipientId),
      [bob.person.id, rita.person.id],
    );
    const { place: _, ...delivery } = first.deliveries[0] ?? assert.fail();
    const protocol = createDiasporaDelivery(home.deps);
    const request = await protocol.prepare(stored(first.document), delivery);
    assert.equal(request?.headers["content-type"], "application/json");
    const opened = await decryptEnvelope(
      Buffer.from(request.body),
      bob.privateKey,
    );
    assert.equal(opened, first.document);
  });

  test("a comment from elsewhere is passed on as it was signed, in the name of the post's author", async () => {
    const post = await publish(home, alice);
    const comment = await commentBy(bob, post.guid);
    await home.receivePublicly(comment, bob);
    const dispatches = await render(await describeComment(comment.guid), [eve]);
    const passedOn = await entityBy(alice, dispatches[0]);
    assert.deepEqual(passedOn, comment);
  });

  test("a comment without a signature cannot be passed on", async () => {
    const post = await publish(home, alice);
    const received = await home.features.comments.receive({
      guid: "a-comment-over-another-protocol",
      postId: post.id,
      personId: bob.person.id,
      text: "Hello",
      parentGuid: null,
      uri: "https://bob.example/notes/1",
      createdAt: post.createdAt,
    });
    assert.equal(received.kind, "stored");
    const outgoing = await describeComment("a-comment-over-another-protocol");
    assert.deepEqual(await render(outgoing, [eve]), []);
  });

  test("commenting on a post from elsewhere subscribes to it", async () => {
    const post = statusMessage(bob);
    await home.receivePublicly(post, bob);
    const { comments } = home.features;
    const userId = alice.userId ?? assert.fail();
    const { guid } = await comments.create({
      author: { userId, personId: alice.id },
      on: { guid: post.guid },
      text: "Tell me more",
    });
    const outgoing = await describeComment(guid);
    const dispatches = await render(outgoing, [bob]);
    assert.deepEqual(urlsOf(dispatches), [
      ["https://bob.example/receive/public"],
      [`https://bob.example/receive/users/${bob.person.guid}`],
    ]);
    const participation = await entityBy(alice, dispatches[1]);
    assert.equal(participation.type, "participation");
    assert.equal(participation.parentGuid, post.guid);
    assert.deepEqual(await render(outgoing, [bob]), dispatches);
  });

  test("a new contact gets the profile, too", async () => {
    const contact = {
      kind: "contact",
      by: alice,
      recipient: bob.person,
      requestGuid: "",
    } as const;
    const start = await render({ ...contact, following: true }, [bob]);
    const entities = await Promise.all(
      start.map((dispatch) => entityBy(alice, dispatch)),
    );
    assert.deepEqual(
      entities.map(({ type }) => type),
      ["contact", "profile"],
    );
    const stop = await render({ ...contact, following: false }, [bob]);
    assert.equal(stop.length, 1);
    const entity = await entityBy(alice, stop[0]);
    assert.equal(entity.type, "contact");
    assert.deepEqual([entity.sharing, entity.following], [false, false]);
  });

  async function describeComment(guid: string) {
    const comment = await home.features.comments.find({ guid });
    if (!comment) assert.fail("No such comment");
    const { id: commentId, personId: by } = comment;
    return describe({ type: "comment.created", commentId, by });
  }
});

function urlsOf(dispatches: readonly Rendered[]): string[][] {
  return dispatches.map(({ deliveries }) => deliveries.map(({ url }) => url));
}

async function entityBy(
  sender: Person,
  dispatch: Rendered | undefined,
): Promise<Entity> {
  const envelope = parseEnvelope(dispatch?.document ?? assert.fail());
  assert.equal(envelope.claimedSender, sender.handle);
  const { payloadXml } = await verifyEnvelope(envelope, sender.publicKeyPem);
  return parseEntity(payloadXml);
}
