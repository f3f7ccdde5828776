import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  TIMESTAMP,
  type AspectRecord,
  type MembershipRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const makeAspect = (by: TestPerson, name: string) =>
    by.post<AspectRecord>("/aspects", { name });
  const pathOf = (whom: TestPerson, aspect: AspectRecord) =>
    `/people/${whom.record.ID}/aspects/${aspect.ID}`;
  const contact = async (by: TestPerson, whom: TestPerson) => {
    const { UserID } = by.record;
    return kith()
      .db.read.selectFrom("contacts")
      .select(["following", "sharing"])
      .where("user_id", "=", UserID)
      .where("person_id", "=", whom.record.ID)
      .executeTakeFirst();
  };

  test("the first aspect ever made on a server has the ID 1", async () => {
    const ann = await kith().person();
    assert.deepEqual(await ann.get("/aspects"), []);
    const aspect = await ann.post<AspectRecord>("/aspects", {
      aspect_name: " test ",
    });
    assert.equal(aspect.ID, 1);
    assert.equal(aspect.Name, "test");
    assert.equal(aspect.UserID, ann.record.UserID);
    assert.equal(aspect.Default, false);
    assert.deepEqual(aspect.Memberships, []);
    assert.match(aspect.CreatedAt, TIMESTAMP);
    assert.equal(aspect.UpdatedAt, aspect.CreatedAt);
  });

  test("aspects are listed newest first, and only to their owner", async () => {
    const [bea, carl] = [await kith().person(), await kith().person()];
    const made: AspectRecord[] = [];
    for (let n = 1; n <= 12; n++) made.unshift(await makeAspect(bea, `a${n}`));
    assert.deepEqual(await bea.get("/aspects"), made.slice(0, 10));
    const rest = await bea.get("/aspects", { offset: 10 });
    assert.deepEqual(rest, made.slice(10));
    assert.deepEqual(await bea.get("/aspects", { limit: 100 }), made);
    assert.deepEqual(await bea.get("/aspects", { offset: 12 }), []);
    assert.deepEqual(await carl.get("/aspects"), []);
    const fields = "ID,Name";
    const [newest] = await bea.get<object[]>("/aspects", { fields });
    assert.deepEqual(newest, { ID: made[0]?.ID, Name: "a12" });
  });

  test("an aspect is renamed and deleted by its owner alone", async () => {
    const [dora, emil] = [await kith().person(), await kith().person()];
    const aspect = await makeAspect(dora, "before");
    const path = `/aspects/${aspect.ID}`;
    const renamed = await dora.put<AspectRecord>(path, { name: "after" });
    assert.equal(renamed.Name, "after");
    assert.equal(renamed.ID, aspect.ID);
    for (const method of ["PUT", "DELETE"]) {
      const sent = { form: { name: "mine" } };
      await emil.notFound(method, path, sent);
      for (const id of [0, -1, 999_999, "abc", "1.0", "9".repeat(40)])
        await dora.notFound(method, `/aspects/${id}`, sent);
    }
    await dora.delete(path);
    await dora.notFound("DELETE", path);
    await dora.notFound("PUT", path, { form: { name: "again" } });
  });

  test("an exclusive aspect leaves its members out of the home", async () => {
    const [ada, ben] = [await kith().person(), await kith().person()];
    const form = { name: "apart", exclusive: "true" };
    const aspect = await ada.post<AspectRecord>("/aspects", form);
    assert.equal(aspect.Exclusive, true);
    const path = `/aspects/${aspect.ID}`;
    await ada.post(pathOf(ben, aspect));
    const { Guid } = await ben.post<{ Guid: string }>("/posts", { post: "by" });
    await kith().settle();
    const home = async () => {
      const posts = await ada.get<{ Guid: string }[]>("/home");
      return posts.map((post) => post.Guid);
    };
    const change = (fields: Record<string, string>) =>
      ada.put<AspectRecord>(path, fields);
    assert.deepEqual(await home(), []);
    // Fields that are not given stay as they are.
    const renamed = await change({ name: "still" });
    assert.deepEqual([renamed.Name, renamed.Exclusive], ["still", true]);
    const opened = await change({ exclusive: "false" });
    assert.deepEqual([opened.Name, "Exclusive" in opened], ["still", false]);
    assert.deepEqual(await home(), [Guid]);
    const both = await change({ aspect_name: "both", exclusive: "1" });
    assert.deepEqual([both.Name, both.Exclusive], ["both", true]);
    assert.deepEqual(await home(), []);
    const [listed] = await ada.get<AspectRecord[]>("/aspects");
    assert.deepEqual(listed, {
      ...both,
      Memberships: listed?.Memberships,
    });
    const fields = "Exclusive";
    assert.deepEqual(await ada.get("/aspects", { fields }), [
      { Exclusive: true },
    ]);
    const before = await kith().snapshot();
    await ada.blank("PUT", path, { form: { name: " ", exclusive: "false" } });
    for (const exclusive of ["maybe", "2", " "]) {
      await ada.badRequest("PUT", path, { form: { name: "x", exclusive } });
      await ada.badRequest("POST", "/aspects", {
        form: { name: "x", exclusive },
      });
    }
    await ben.notFound("PUT", path, { form: { exclusive: "false" } });
    assert.deepEqual(await kith().snapshot(), before);
  });

  test("a name is needed, and has a limit", async () => {
    const frida = await kith().person();
    const aspect = await makeAspect(frida, "x".repeat(255));
    const calls = [
      ["POST", "/aspects"],
      ["PUT", `/aspects/${aspect.ID}`],
    ] as const;
    for (const [method, path] of calls) {
      await frida.blank(method, path);
      for (const name of ["", "   ", "\r\n\t"])
        await frida.blank(method, path, { form: { name } });
      const form = { name: "x".repeat(256) };
      await frida.badRequest(method, path, { form });
      await frida.badRequest(method, path, { json: { name: ["a"] } });
    }
    assert.equal((await makeAspect(frida, "🦌".repeat(255))).Name.length, 510);
  });

  test("a person is put into an aspect once", async () => {
    const [gus, hal] = [await kith().person(), await kith().person()];
    const aspect = await makeAspect(gus, "a");
    const membership = await gus.post<MembershipRecord>(pathOf(hal, aspect));
    assert.equal(membership.AspectID, aspect.ID);
    assert.equal(membership.PersonID, hal.record.ID);
    assert.match(membership.CreatedAt, TIMESTAMP);
    const after = await kith().snapshot();
    assert.deepEqual(await gus.post(pathOf(hal, aspect)), membership);
    const byGuid = `/people/${hal.record.Guid}/aspects/${aspect.ID}`;
    assert.deepEqual(await gus.post(byGuid), membership);
    assert.deepEqual(await kith().snapshot(), after);
    const [listed] = await gus.get<AspectRecord[]>("/aspects");
    assert.deepEqual(listed?.Memberships, [membership]);
    const holding = await gus.get(`/people/${hal.record.ID}/aspects`);
    assert.deepEqual(holding, [listed]);
    await hal.notFound("GET", `/people/${gus.record.ID}/aspects`);
  });

  test("the aspects that hold a person are listed newest first, by pages", async () => {
    const [ida, jan] = [await kith().person(), await kith().person()];
    const ids: number[] = [];
    for (let n = 0; n < 11; n++) {
      const aspect = await makeAspect(ida, `a${n}`);
      await ida.post(pathOf(jan, aspect));
      ids.unshift(aspect.ID);
    }
    await makeAspect(ida, "without");
    const path = `/people/${jan.record.Guid}/aspects`;
    const idsOf = (list: AspectRecord[]) => list.map(({ ID }) => ID);
    assert.deepEqual(idsOf(await ida.get(path)), ids.slice(0, 10));
    assert.deepEqual(idsOf(await ida.get(path, { offset: 10 })), ids.slice(10));
  });

  test("no one is added to another user's aspect, and no unknown person to one's own", async () => {
    const [kim, lou] = [await kith().person(), await kith().person()];
    const [own, other] = [
      await makeAspect(kim, "a"),
      await makeAspect(lou, "b"),
    ];
    for (const method of ["POST", "DELETE"]) {
      await kim.notFound(method, pathOf(lou, other));
      for (const id of [0, -5, 999_999, "x", "0".repeat(32)])
        await kim.notFound(method, `/people/${id}/aspects/${own.ID}`);
      for (const id of [0, -5, 999_999, "x", "%00"])
        await kim.notFound(method, `/people/${lou.record.ID}/aspects/${id}`);
    }
    await kim.badRequest("POST", pathOf(kim, own));
    await kim.notFound("DELETE", pathOf(kim, own));
  });

  test("the first aspect makes a contact, the last one ends it", async () => {
    const [mia, ned] = [await kith().person(), await kith().person()];
    const [one, two] = [await makeAspect(mia, "1"), await makeAspect(mia, "2")];
    const following = async () => Boolean((await contact(mia, ned))?.following);
    const sharing = async () => Boolean((await contact(ned, mia))?.sharing);
    await mia.post(pathOf(ned, one));
    const kept = await mia.post<MembershipRecord>(pathOf(ned, two));
    assert.ok((await following()) && (await sharing()));
    await mia.call("DELETE", pathOf(ned, one));
    assert.ok((await following()) && (await sharing()));
    const removed = await mia.call("DELETE", pathOf(ned, two));
    assert.deepEqual(JSON.parse(removed.text), kept);
    assert.ok(!(await following()) && !(await sharing()));
    await mia.notFound("DELETE", pathOf(ned, two));
    await mia.notFound("GET", `/people/${ned.record.ID}/aspects`);
  });

  test("an aspect that is deleted ends the contacts that were in no other", async () => {
    const [ola, pia, quin] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const [one, two] = [await makeAspect(ola, "1"), await makeAspect(ola, "2")];
    await ola.post(pathOf(pia, one));
    await ola.post(pathOf(quin, one));
    await ola.post(pathOf(quin, two));
    await ola.delete(`/aspects/${one.ID}`);
    assert.equal(Boolean((await contact(ola, pia))?.following), false);
    assert.equal(Boolean((await contact(ola, quin))?.following), true);
    const holding = await ola.get<AspectRecord[]>(
      `/people/${quin.record.ID}/aspects`,
    );
    assert.deepEqual(
      holding.map(({ ID }) => ID),
      [two.ID],
    );
  });

  test("aspects that are deleted at the same time leave no contact behind", async () => {
    const [rea, sam] = [await kith().person(), await kith().person()];
    for (let round = 0; round < 5; round++) {
      const made = await Promise.all(
        [1, 2, 3, 4].map(() => makeAspect(rea, "a")),
      );
      for (const aspect of made) await rea.post(pathOf(sam, aspect));
      assert.equal(Boolean((await contact(rea, sam))?.following), true);
      await Promise.all(made.map(({ ID }) => rea.delete(`/aspects/${ID}`)));
      assert.equal(Boolean((await contact(rea, sam))?.following), false);
    }
  });
});
