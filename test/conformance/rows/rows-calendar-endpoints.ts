import assert from "node:assert/strict";
import {
  calendar,
  createsCalendar,
  createsEvent,
  event,
  EVENTS,
  TIMED,
} from "./rows-calendar.ts";
import { guids } from "./rows-people.ts";
import { needsToken, type Rec, type Rows, type RowTest } from "../stage.ts";

const resolved = "service-api-resolved/Endpoints, complete";

const changesEvent: RowTest = async (stage) => {
  const { ann, bob } = stage;
  const made = await stage.event(ann);
  const path = `${EVENTS}/${made.ID}`;
  for (const method of ["PUT", "DELETE"]) {
    await needsToken(stage, method, path);
    await bob.notFound(method, path, { form: TIMED });
  }
  const changed = await ann.put<Rec>(path, { ...TIMED, summary: "Rain" });
  assert.equal(changed["Summary"], "Rain");
  await ann.delete(path);
  await ann.notFound("GET", path);
};

export const calendarEndpointRows: Rows = {
  [`${resolved}/POST /calendar`]: createsCalendar,
  [`${resolved}/GET /calendar`]: async (stage) => {
    await needsToken(stage, "GET", "/calendar");
    const made = await calendar(stage);
    const own = await stage.ann.get<Rec[]>("/calendar");
    assert.equal(own[0]?.ID, made.ID);
    const theirs = await stage.bob.get<Rec[]>("/calendar");
    assert.ok(!theirs.some(({ ID }) => ID === made.ID));
  },
  [`${resolved}/GET, PUT, DELETE /calendar/:id`]: async (stage) => {
    const { ann, bob } = stage;
    const made = await calendar(stage);
    const path = `/calendar/${made.ID}`;
    for (const method of ["GET", "PUT", "DELETE"]) {
      await needsToken(stage, method, path);
      const sent = method === "GET" ? {} : { form: { name: "x" } };
      await bob.notFound(method, path, sent);
    }
    assert.deepEqual(await ann.get(path), made);
    await ann.blank("PUT", path, { form: { name: "" } });
    assert.equal((await ann.put<Rec>(path, { name: "new" })).Name, "new");
    await ann.delete(path);
    await ann.notFound("GET", path);
  },
  [`${resolved}/POST /calendar/events`]: createsEvent,
  [`${resolved}/GET /calendar/events`]: async (stage) => {
    const { ann } = stage;
    await needsToken(stage, "GET", EVENTS);
    const { ID } = await stage.calendar(ann);
    const late = { calendarID: ID, start: "2031-05-02", end: "2031-05-03" };
    const early = { ...late, start: "2031-05-01", end: "2031-05-03" };
    const second = await stage.event(ann, late);
    const first = await stage.event(ann, early);
    const list = await ann.get<Rec[]>(EVENTS, { calendarID: ID });
    assert.deepEqual(guids(list), [first.Guid, second.Guid]);
    const query = { calendarID: ID, offset: 1 };
    const rest = await ann.get<Rec[]>(EVENTS, query);
    assert.deepEqual(guids(rest), [second.Guid]);
    const before = { calendarID: ID, from: "2030-01-01", to: "2030-02-01" };
    assert.deepEqual(await ann.get(EVENTS, before), []);
    const bad = { query: { from: "soon" } };
    await ann.refused("GET", EVENTS, bad, 400, "Invalid datetime");
  },
  [`${resolved}/GET /calendar/events/:id`]: async (stage) => {
    const made = await event(stage);
    for (const id of [made.ID, made.Guid]) {
      await needsToken(stage, "GET", `${EVENTS}/${id}`);
      assert.equal((await stage.bob.get<Rec>(`${EVENTS}/${id}`)).ID, made.ID);
    }
    await stage.ann.notFound("GET", `${EVENTS}/999999`);
  },
  [`${resolved}/PUT, DELETE /calendar/events/:id`]: changesEvent,
  [`${resolved}/PUT /calendar/events/:id/participation`]: async (stage) => {
    const { bob, cam } = stage;
    const made = await stage.event(stage.ann, { aspectID: stage.friends.ID });
    const path = `${EVENTS}/${made.ID}/participation`;
    await needsToken(stage, "PUT", path);
    for (const status of ["accepted", "declined", "tentative"]) {
      const answer = await bob.put<Rec>(path, { status });
      assert.equal(answer["Status"], status);
      assert.equal(answer["CalendarEventID"], made.ID);
    }
    await bob.badRequest("PUT", path, { form: { status: "perhaps" } });
    await cam.notFound("PUT", path, { form: { status: "accepted" } });
  },
};
