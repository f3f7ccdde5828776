import type { PersonId } from "../../src/db/schema/ids.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type {
  AspectRecord,
  NotificationRecord,
  PersonRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);

  const pair = async () =>
    [await kith().person(), await kith().person()] as const;

  const follow = async (by: TestPerson, id: number): Promise<string> => {
    const aspect = await by.post<AspectRecord>("/aspects", { name: "a" });
    const path = `/people/${id}/aspects/${aspect.ID}`;
    await by.post(path);
    return path;
  };

  const notificationsOf = (who: TestPerson) =>
    who.get<NotificationRecord[]>("/notifications");

  const contactOf = (who: TestPerson, id: PersonId) =>
    kith()
      .db.read.selectFrom("contacts")
      .select(["following", "sharing"])
      .where("user_id", "=", who.record.UserID)
      .where("person_id", "=", id)
      .executeTakeFirst();

  test("a block answers the person, is listed, and is ended; both may be repeated", async () => {
    const [ann, bob] = await pair();
    const path = `/people/${bob.record.ID}/block`;
    await ann.notFound("DELETE", path);
    const blocked = await ann.post<PersonRecord>(path);
    assert.equal(blocked.Guid, bob.record.Guid);
    const listed = await ann.get<PersonRecord[]>("/blocks");
    assert.deepEqual(listed, [blocked]);
    assert.deepEqual(await bob.get("/blocks"), []);
    const unchanged = await kith().snapshot();
    await ann.post(path);
    await ann.post(`/people/${bob.record.Guid}/block`);
    assert.deepEqual(await kith().snapshot(), unchanged);
    await ann.delete(path);
    assert.deepEqual(await ann.get("/blocks"), []);
    await ann.notFound("DELETE", path);
  });

  test("people cannot block themselves, or a missing person", async () => {
    const ann = await kith().person();
    await ann.badRequest("POST", `/people/${ann.record.ID}/block`);
    await ann.badRequest("POST", `/people/${ann.record.Guid}/ignore`);
    for (const id of ["999999999", "0", "x", "0".repeat(32)])
      for (const below of ["block", "ignore"])
        for (const method of ["POST", "DELETE"])
          await ann.notFound(method, `/people/${id}/${below}`);
  });

  test("the newest block comes first, page by page", async () => {
    const ann = await kith().person();
    const others = [];
    for (let i = 0; i < 3; i += 1) {
      const other = await kith().person();
      others.unshift(other.record.ID);
      await ann.post(`/people/${other.record.ID}/block`);
      await ann.post(`/people/${other.record.ID}/ignore`);
    }
    for (const path of ["/blocks", "/ignores"]) {
      const ids = async (query: Record<string, number>) =>
        (await ann.get<PersonRecord[]>(path, query)).map(({ ID }) => ID);
      assert.deepEqual((await ids({})).toSorted(), others.toSorted());
      const whole = await ids({});
      assert.deepEqual(await ids({ offset: 1, limit: 1 }), [whole[1]]);
    }
  });

  test("a block ends the contact on both sides, and removes notifications", async () => {
    const [ann, bob] = await pair();
    await follow(ann, bob.record.ID);
    await follow(bob, ann.record.ID);
    await kith().settle();
    assert.equal((await notificationsOf(ann)).length, 1);
    await ann.post(`/people/${bob.record.ID}/block`);
    await kith().settle();
    for (const [who, other] of [
      [ann, bob],
      [bob, ann],
    ] as const) {
      const contact = await contactOf(who, other.record.ID);
      assert.ok(contact);
      assert.equal(Boolean(contact.following), false);
      assert.equal(Boolean(contact.sharing), false);
      await who.notFound("GET", `/people/${other.record.ID}/aspects`);
    }
    assert.deepEqual(await notificationsOf(ann), []);
    assert.equal(
      (await notificationsOf(bob)).length,
      1,
      "bob keeps what he knew",
    );
  });

  test("a blocked person cannot make the blocker a contact, nor the other way round", async () => {
    const [ann, bob] = await pair();
    const aspect = await bob.post<AspectRecord>("/aspects", { name: "a" });
    const mine = await ann.post<AspectRecord>("/aspects", { name: "a" });
    await ann.post(`/people/${bob.record.ID}/block`);
    const path = `/people/${ann.record.ID}/aspects/${aspect.ID}`;
    await bob.notFound("POST", path);
    const back = `/people/${bob.record.ID}/aspects/${mine.ID}`;
    await ann.badRequest("POST", back);
    await ann.delete(`/people/${bob.record.ID}/block`);
    await bob.post(path);
    await ann.post(back);
  });

  test("concurrent blocking and following never leave a contact with a block", async () => {
    for (let round = 0; round < 3; round += 1) {
      const [ann, bob] = await pair();
      const aspect = await bob.post<AspectRecord>("/aspects", { name: "a" });
      const add = `/people/${ann.record.ID}/aspects/${aspect.ID}`;
      const block = `/people/${bob.record.ID}/block`;
      const calls = Array.from({ length: 4 }, () => [
        bob.call("POST", add),
        ann.call("POST", block),
        bob.call("POST", `/people/${ann.record.ID}/block`),
      ]).flat();
      for (const { status } of await Promise.all(calls))
        assert.ok([200, 400, 404].includes(status), String(status));
      assert.equal((await ann.get<unknown[]>("/blocks")).length, 1);
      await bob.notFound("GET", `/people/${ann.record.ID}/aspects`);
      const contact = await contactOf(ann, bob.record.ID);
      assert.equal(Boolean(contact?.sharing ?? false), false);
    }
  });
});
