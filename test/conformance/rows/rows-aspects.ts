import assert from "node:assert/strict";
import { needsToken, type Rec, type Rows, type Stage } from "../stage.ts";

const listsAspects = async (stage: Stage): Promise<void> => {
  const { ann, bob, friends } = stage;
  await needsToken(stage, "GET", "/aspects");
  const aspect = await stage.aspect(ann);
  const list = await ann.get<Rec[]>("/aspects");
  assert.equal(list[0]?.ID, aspect.ID);
  const theirs = await bob.get<Rec[]>("/aspects");
  assert.ok(!theirs.some(({ ID }) => ID === friends.ID));
  const named = await ann.get<Rec[]>("/aspects", { fields: "Name" });
  assert.deepEqual(named[0], { Name: aspect.Name });
};

const createsAspects = async (stage: Stage): Promise<void> => {
  const { ann } = stage;
  await needsToken(stage, "POST", "/aspects");
  for (const form of [{ name: "kin" }, { aspect_name: "kin" }]) {
    const aspect = await ann.post<Rec>("/aspects", form);
    assert.equal(aspect.Name, "kin");
    assert.equal(aspect["UserID"], ann.record.UserID);
    assert.deepEqual(aspect["Memberships"], []);
  }
  await ann.blank("POST", "/aspects");
  await ann.blank("POST", "/aspects", { form: { name: " " } });
  await stage.failsToSave("aspects", ann, "POST", "/aspects", { name: "x" });
};

const showsHoldingAspects = async (stage: Stage): Promise<void> => {
  const { ann, bob, friends } = stage;
  const path = `/people/${bob.record.ID}/aspects`;
  await needsToken(stage, "GET", path);
  const list = await ann.get<Rec[]>(path);
  assert.ok(list.some(({ ID }) => ID === friends.ID));
  const stranger = await stage.kith.person();
  await ann.notFound("GET", `/people/${stranger.record.ID}/aspects`);
  await stage.cam.notFound("GET", path);
};

const addsToAspects = async (stage: Stage): Promise<void> => {
  const { ann, bob, cam } = stage;
  const aspect = await stage.aspect(ann);
  const path = `/people/${cam.record.ID}/aspects/${aspect.ID}`;
  await needsToken(stage, "POST", path);
  const membership = await ann.post<Rec>(path);
  assert.equal(membership["AspectID"], aspect.ID);
  assert.equal(membership.PersonID, cam.record.ID);
  const again = await ann.post<Rec>(path);
  assert.deepEqual(again, membership, "already a member: the same");
  await bob.notFound("POST", path);
  await ann.notFound("POST", `/people/999999/aspects/${aspect.ID}`);
  await ann.notFound("POST", `/people/${cam.record.ID}/aspects/999999`);
  const other = await stage.aspect(ann);
  const unsaved = `/people/${cam.record.ID}/aspects/${other.ID}`;
  await stage.failsToSave("aspect_memberships", ann, "POST", unsaved);
};

const removesFromAspects = async (stage: Stage): Promise<void> => {
  const { ann, bob, cam } = stage;
  const aspect = await stage.aspect(ann);
  const path = `/people/${cam.record.ID}/aspects/${aspect.ID}`;
  const membership = await ann.post<Rec>(path);
  await needsToken(stage, "DELETE", path);
  await bob.notFound("DELETE", path);
  await stage.failsToSave("aspect_memberships", ann, "DELETE", path);
  const removed = await ann.call("DELETE", path);
  assert.equal(removed.status, 200);
  const record = JSON.parse(removed.text) as Rec;
  assert.equal(record.ID, membership.ID);
  await ann.notFound("DELETE", path);
};

const resolved = (path: string) =>
  `service-api-resolved/Endpoints, complete/${path}`;

export const aspectRows: Rows = {
  "service-api/Operations whose path is not shown/List aspects": listsAspects,
  "service-api/Operations whose path is not shown/Create aspect":
    createsAspects,
  "service-api/Operations whose path is not shown/Show person in aspects":
    showsHoldingAspects,
  "service-api/Operations whose path is not shown/Add person to aspect":
    addsToAspects,
  "service-api/Aspect membership removal/DELETE /api/v0/people/:id/aspects/:aspect_id":
    removesFromAspects,
  [resolved("GET /aspects")]: listsAspects,
  [resolved("POST /aspects")]: createsAspects,
  [resolved("PUT, DELETE /aspects/:id")]: async (stage) => {
    const { ann, bob } = stage;
    const { ID } = await stage.aspect(ann);
    const path = `/aspects/${ID}`;
    for (const method of ["PUT", "DELETE"]) {
      await needsToken(stage, method, path);
      await bob.notFound(method, path, { form: { name: "mine" } });
    }
    await ann.blank("PUT", path, { form: { name: "" } });
    assert.equal((await ann.put<Rec>(path, { name: "new" })).Name, "new");
    await ann.delete(path);
    await ann.notFound("DELETE", path);
  },
  [resolved("GET /people/:id/aspects")]: showsHoldingAspects,
  [resolved("POST /people/:id/aspects/:aspect_id")]: addsToAspects,
  [resolved("DELETE /people/:id/aspects/:aspect_id")]: removesFromAspects,
};
