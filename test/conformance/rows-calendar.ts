import assert from "node:assert/strict";
import { OWN_GUID } from "../../packages/server/test/support/wire.ts";
import { fieldRows, wholeRecord } from "./rows-records.ts";
import { guids } from "./rows-people.ts";
import {
  needsToken,
  type Form,
  type Rec,
  type Rows,
  type RowTest,
  type Stage,
} from "./stage.ts";

const EVENTS = "/calendar/events";
const START = "2027-05-01T10:00:00Z";
const END = "2027-05-01T11:00:00Z";
const TIMED = { start: START, end: END, summary: "Picnic" };

const calendar = (stage: Stage) => stage.calendar(stage.ann);
const event = (stage: Stage) =>
  stage.event(stage.ann, { location: "Park", description: "Bring food" });
const sameTime = (one: unknown, other: string) =>
  assert.equal(Date.parse(String(one)), Date.parse(other));

const badTime = ({ ann }: Stage, form: Form) =>
  ann.refused("POST", EVENTS, { form }, 400, "Invalid datetime");

const createsCalendar: RowTest = async (stage) => {
  const { ann } = stage;
  await needsToken(stage, "POST", "/calendar");
  const made = await stage.calendar(ann, "family");
  assert.equal(made.Name, "family");
  assert.equal(made["UserID"], ann.record.UserID);
};

const createsEvent: RowTest = async (stage) => {
  const { ann } = stage;
  await needsToken(stage, "POST", EVENTS);
  const made = await stage.event(ann, { location: "Park" });
  assert.equal(made.PersonID, ann.record.ID);
  assert.equal(made["Location"], "Park");
  assert.deepEqual(await ann.get(`${EVENTS}/${made.ID}`), made);
};

const limitsToAspect: RowTest = async (stage) => {
  const { bob, cam, friends } = stage;
  const made = await stage.event(stage.ann, { aspectID: friends.ID });
  assert.equal((await bob.get<Rec>(`${EVENTS}/${made.ID}`)).Guid, made.Guid);
  await cam.notFound("GET", `${EVENTS}/${made.ID}`);
  await cam.notFound("POST", EVENTS, {
    form: { ...TIMED, aspectID: friends.ID },
  });
};

const takesCalendar: RowTest = async (stage) => {
  const { ann, bob } = stage;
  const { ID } = await stage.calendar(ann);
  const made = await stage.event(ann, { calendarID: ID });
  assert.equal(made["CalendarID"], ID);
  const form = { ...TIMED, calendarID: ID };
  await bob.notFound("POST", EVENTS, { form });
  await ann.notFound("POST", EVENTS, { form: { ...form, calendarID: 9999 } });
};

const parameterRows: Readonly<Record<string, RowTest>> = {
  start: async (stage) => {
    sameTime((await stage.event(stage.ann))["Start"], START);
    await badTime(stage, { end: END });
    await badTime(stage, { ...TIMED, start: "soon" });
  },
  end: async (stage) => {
    sameTime((await stage.event(stage.ann))["End"], END);
    await badTime(stage, { ...TIMED, end: "later" });
    await stage.event(stage.ann, { all_day: true, end: "later" });
  },
  all_day: async (stage) => {
    const made = await stage.event(stage.ann, { all_day: true });
    assert.equal(made["AllDay"], true);
    assert.equal("End" in made, false);
    assert.equal((await stage.event(stage.ann))["AllDay"], false);
  },
  summary: async (stage) =>
    assert.equal((await event(stage))["Summary"], "Picnic"),
  description: async (stage) =>
    assert.equal((await event(stage))["Description"], "Bring food"),
  location: async (stage) =>
    assert.equal((await event(stage))["Location"], "Park"),
  calendarID: takesCalendar,
  aspectID: limitsToAspect,
};

const createRules: readonly RowTest[] = [
  async (stage) => {
    await badTime(stage, { ...TIMED, start: "2027-13-01" });
    await badTime(stage, { start: START, all_day: false });
    await badTime(stage, { ...TIMED, end: "2027-02-30T00:00:00Z" });
  },
  takesCalendar,
  async (stage) => {
    assert.equal((await stage.event(stage.ann)).Public, true);
    const none = await stage.event(stage.ann, { calendarID: 0 });
    assert.equal(none.Public, true);
  },
  async (stage) => {
    await limitsToAspect(stage, "");
    const form = { ...TIMED, aspectID: stage.friends.ID };
    await stage.failsToSave("events", stage.ann, "POST", EVENTS, form);
  },
  async (stage) => {
    const { ann, bob, cam, friends } = stage;
    const made = await stage.event(ann, { aspectID: friends.ID });
    const [post] = await ann.get<Rec[]>("/posts", { visibility: 2 });
    assert.ok(post);
    assert.match(post.Text, /^New event: Picnic\n\n/);
    assert.equal((post["Event"] as Rec).Guid, made.Guid);
    await bob.get(`/posts/${post.ID}`);
    await cam.notFound("GET", `/posts/${post.ID}`);
  },
  async (stage) => {
    const made = await stage.event(stage.ann);
    assert.equal(made["Summary"], "Picnic");
    assert.match(made.Guid, OWN_GUID);
  },
  (stage) => stage.failsToSave("events", stage.ann, "POST", EVENTS, TIMED),
];

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

const resolved = "service-api-resolved/Endpoints, complete";
const spec = "service-api/Calendars";

export const calendarRows: Rows = {
  ...fieldRows("Calendar", calendar, {
    Name: (value) => assert.equal(value, "work"),
    UserID: (value, _, { ann }) => assert.equal(value, ann.record.UserID),
  }),
  ...fieldRows("Calendar event", event, {
    ID: (value) => assert.ok(Number.isSafeInteger(value)),
    PersonID: (value, _, { ann }) => assert.equal(value, ann.record.ID),
    Guid: (value) => assert.match(String(value), OWN_GUID),
    Start: (value) => sameTime(value, START),
    End: (value) => sameTime(value, END),
    AllDay: (value) => assert.equal(value, false),
    Location: (value) => assert.equal(value, "Park"),
    Description: (value) => assert.equal(value, "Bring food"),
    Summary: (value) => assert.equal(value, "Picnic"),
    CalendarID: (value) => assert.equal(value, 0),
    Public: (value) => assert.equal(value, true),
  }),
  "service-api-resolved/Records: all fields/Calendar": wholeRecord(calendar),
  "service-api-resolved/Records: all fields/Calendar event": wholeRecord(event),
  [`${spec}/POST /api/v0/calendar`]: createsCalendar,
  [`${spec}/POST /api/v0/calendar/events`]: createsEvent,
  [`${spec}/Calendar create rule 1`]: async ({ ann }) => {
    await ann.blank("POST", "/calendar");
    await ann.blank("POST", "/calendar", { form: { name: " " } });
  },
  [`${spec}/Calendar create rule 2`]: (stage) =>
    stage.failsToSave("calendars", stage.ann, "POST", "/calendar", {
      name: "x",
    }),
  ...Object.fromEntries(
    Object.entries(parameterRows).map(([name, run]) => [
      `${spec}/${name}`,
      run,
    ]),
  ),
  ...Object.fromEntries(
    createRules.map((run, index) => [
      `${spec}/Calendar event create rule ${index + 1}`,
      run,
    ]),
  ),
  "service-api/Errors/400 datetime does not parse": (stage) =>
    badTime(stage, { ...TIMED, start: "x" }),
  "service-api/Events/create calendar event": async (stage) => {
    const actor = await stage.follower("guest");
    await stage.event(stage.ann, { location: "Park" });
    await stage.kith.settle();
    const created = actor.got("Create").map((it) => JSON.stringify(it));
    assert.ok(created.some((it) => /Picnic/.test(it) && /Park/.test(it)));
  },
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
