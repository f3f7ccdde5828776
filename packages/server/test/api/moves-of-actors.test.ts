import type { AspectId } from "../../src/db/schema/ids.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { COOL_DOWN_MS } from "../../src/features/moves/index.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import { befriend, membersOf } from "../support/remote/several-servers.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let count = 0;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  const actors = () => {
    count += 1;
    return {
      from: remote.actor(`from${count}`),
      to: remote.actor(`to${count}`),
      third: remote.actor(`third${count}`),
    };
  };

  const move = (from: RemoteActor, target: string, object = from.id) =>
    from.deliver(kith(), from.activity("Move", { object, target }));

  const find = async ({ id }: RemoteActor) =>
    kith().server.features.people.find({ uri: id });

  const follow = async (by: TestPerson, who: RemoteActor) => {
    const aspect = await befriend(by, who.handle);
    await kith().settle();
    return aspect;
  };

  const members = (by: TestPerson, aspect: AspectId) =>
    membersOf(by, kith(), aspect);

  test("followers follow the new actor, which names the old one, and no longer the old one", async () => {
    const { from, to } = actors();
    const reader = await kith().person();
    const aspect = await follow(reader, from);
    to.profile = { alsoKnownAs: [from.id] };
    await move(from, to.id);
    assert.deepEqual(await members(reader, aspect), [to.handle]);
    const follows = remote
      .ofType("Follow")
      .filter(({ activity }) => activity["object"] === to.id);
    assert.equal(follows.length, 1);
    const undone = remote
      .ofType("Undo")
      .filter(({ path }) => path.includes(from.name));
    assert.equal(undone.length, 1);
    const old = await find(from);
    assert.equal(old?.state, "active", "it is there, and what it wrote is its");
    assert.equal(old.movedToId, (await find(to))?.id);
    // Once more, under another id.
    await move(from, to.id);
    assert.deepEqual(await members(reader, aspect), [to.handle]);
    assert.equal(
      remote.ofType("Follow").filter((it) => it.activity["object"] === to.id)
        .length,
      1,
    );
  });

  test("the page of a moved person leads to the new one", async () => {
    const { from, to } = actors();
    const reader = await kith().person();
    await follow(reader, from);
    const pageOf = async (actor: RemoteActor) => {
      const guid = (await find(actor))?.guid;
      assert.ok(guid);
      const page = await fetch(`${kith().baseUrl}/people/${guid}`);
      return { path: `/people/${guid}`, html: await page.text() };
    };
    assert.doesNotMatch((await pageOf(from)).html, /has moved/);
    to.profile = { alsoKnownAs: [from.id] };
    await move(from, to.id);
    const [old, its] = [await pageOf(from), await pageOf(to)];
    assert.match(old.html, /has moved/);
    assert.ok(old.html.includes(`href="${its.path}"`));
    assert.doesNotMatch(its.html, /has moved/);
  });

  test("without the alias, and of somebody else, nobody moves", async () => {
    const { from, to, third } = actors();
    const reader = await kith().person();
    const aspect = await follow(reader, from);
    await move(from, to.id);
    to.profile = { alsoKnownAs: [third.id] };
    await move(from, to.id);
    to.profile = { alsoKnownAs: [from.id] };
    await move(third, to.id, from.id);
    await move(from, from.id);
    await move(from, `${remote.origin}/nobody`);
    assert.deepEqual(await members(reader, aspect), [from.handle]);
    assert.equal((await find(from))?.movedToId, null);
  });

  test("a local account becomes no one's successor without naming the old one", async () => {
    const { from } = actors();
    const reader = await kith().person();
    const victim = await kith().person();
    const aspect = await follow(reader, from);
    const uri = `${kith().baseUrl}/api/v1/ap/person/${victim.username}`;
    await move(from, uri);
    assert.deepEqual(await members(reader, aspect), [from.handle]);
    await victim.put("/users/self/aliases", { aliases: from.handle });
    await move(from, uri);
    assert.deepEqual(await members(reader, aspect), [victim.handle]);
  });

  test("the blocked do not escape: neither by moving to where one follows, nor out of sight", async () => {
    const { from, to } = actors();
    const blocker = await kith().person();
    const other = await kith().person();
    const aspect = await follow(blocker, to);
    const theirs = await follow(other, from);
    const known = await blocker.post<{ ID: number }>("/search", {
      handle: from.handle,
    });
    await blocker.post(`/people/${known.ID}/block`);
    to.profile = { alsoKnownAs: [from.id] };
    await move(from, to.id);
    assert.deepEqual(await members(blocker, aspect), []);
    assert.deepEqual(await members(other, theirs), [to.handle]);
    const object = `${kith().baseUrl}/api/v1/ap/person/${blocker.username}`;
    await to.deliver(kith(), to.activity("Follow", { object }));
    const answer = remote.ofType("Reject").at(-1)?.activity;
    assert.equal((answer?.["object"] as { actor?: string }).actor, to.id);
  });

  test("an account that moves to and fro does no harm, and waits in between", async () => {
    const { from, to, third } = actors();
    const reader = await kith().person();
    const aspect = await follow(reader, from);
    for (const actor of [to, third]) actor.profile = { alsoKnownAs: [from.id] };
    from.profile = { alsoKnownAs: [to.id, third.id] };
    await move(from, to.id);
    assert.deepEqual(await members(reader, aspect), [to.handle]);
    await move(from, third.id);
    assert.equal((await find(from))?.movedToId, (await find(to))?.id);
    // Back again: the old one's own document no longer says that it has moved.
    await move(to, from.id);
    assert.deepEqual(await members(reader, aspect), [from.handle]);
    assert.equal((await find(from))?.movedToId, null);
    // An account that has moved itself cannot be a successor.
    third.profile = { alsoKnownAs: [from.id], movedTo: to.id };
    await move(from, third.id);
    assert.deepEqual(await members(reader, aspect), [from.handle]);
    third.profile = { alsoKnownAs: [to.id] };
    await move(to, third.id);
    assert.equal((await find(to))?.movedToId, (await find(from))?.id);
    kith().clock.advance(COOL_DOWN_MS + 1);
    await move(to, third.id);
    assert.equal((await find(to))?.movedToId, (await find(third))?.id);
  });
});
