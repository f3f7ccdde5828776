import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import { befriend, seen } from "../support/remote/several-servers.ts";
import type { NotificationRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let names = 0;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  const stranger = (): RemoteActor => remote.actor(`news${++names}`);
  const follow = async (by: TestPerson, who: RemoteActor) => {
    const aspect = await befriend(by, who.handle);
    await kith().settle();
    return aspect;
  };
  const lastFollow = () => {
    const id = remote.ofType("Follow").at(-1)?.activity["id"];
    assert.ok(typeof id === "string");
    return id;
  };
  const answer = (who: RemoteActor, type: "Accept" | "Reject", id: string) =>
    who.deliver(kith(), who.activity(type, { object: id }));
  const renderFor = async (by: TestPerson, type: string) => {
    const all = await by.get<NotificationRecord[]>("/notifications");
    return all.filter(({ ShareableType }) => ShareableType === type);
  };

  test("a refused follow is notified once, and again when a new one is refused", async () => {
    const [ann, eve] = [await kith().person(), stranger()];
    const aspect = await follow(ann, eve);
    const first = lastFollow();
    await answer(eve, "Reject", first);
    await answer(eve, "Reject", first);
    const [notification, ...more] = await renderFor(ann, "Refusal");
    assert.equal(more.length, 0);
    assert.equal(notification?.Person.Author, eve.handle);
    assert.equal(notification.Unread, true);
    assert.equal(notification.TargetType, "Refusal");
    assert.equal(
      notification.ShareableGuid,
      first.slice(first.lastIndexOf("/") + 1),
    );
    assert.equal(notification.TargetGuid, notification.ShareableGuid);
    const path = `/people/${notification.PersonID}/aspects/${aspect}`;
    await ann.call("DELETE", path);
    await kith().settle();
    await answer(eve, "Reject", first);
    assert.equal((await renderFor(ann, "Refusal")).length, 1);
    await ann.post(path);
    await kith().settle();
    await answer(eve, "Reject", lastFollow());
    assert.equal((await renderFor(ann, "Refusal")).length, 2);
  });

  test("that a follow is agreed to is no news; that it is ended later is", async () => {
    const [ann, eve, mal] = [await kith().person(), stranger(), stranger()];
    await follow(ann, eve);
    const id = lastFollow();
    await answer(eve, "Accept", id);
    await answer(mal, "Reject", id);
    assert.deepEqual(await renderFor(ann, "Refusal"), []);
    await answer(eve, "Reject", id);
    assert.equal((await renderFor(ann, "Refusal")).length, 1);
  });

  test("followers are notified of a contact's new account, others are not", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const [from, to] = [stranger(), stranger()];
    await follow(ann, from);
    await seen(bob, from.handle);
    to.profile = { alsoKnownAs: [from.id] };
    const old = await seen(ann, from.handle);
    const move = () =>
      from.deliver(
        kith(),
        from.activity("Move", { object: from.id, target: to.id }),
      );
    await move();
    await move();
    const [notification, ...more] = await renderFor(ann, "Move");
    assert.equal(more.length, 0);
    assert.equal(notification?.Person.Author, to.handle);
    assert.equal(notification.ShareableGuid, old.Guid);
    assert.deepEqual(await renderFor(bob, "Move"), []);
  });

  test("a follower who has blocked the new account is not notified", async () => {
    const ann = await kith().person();
    const [from, to] = [stranger(), stranger()];
    await follow(ann, from);
    const { ID } = await seen(ann, to.handle);
    await ann.post(`/people/${ID}/block`);
    to.profile = { alsoKnownAs: [from.id] };
    await from.deliver(
      kith(),
      from.activity("Move", { object: from.id, target: to.id }),
    );
    assert.deepEqual(await renderFor(ann, "Move"), []);
  });
});
