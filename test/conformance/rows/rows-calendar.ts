import assert from "node:assert/strict";
import { OWN_GUID } from "../../../packages/server/test/support/server/wire.ts";
import { fieldRows, wholeRecord } from "./rows-records.ts";
import {
  needsToken,
  type Form,
  type Rec,
  type Rows,
  type RowTest,
  type Stage,
} from "../stage.ts";

export const EVENTS = "/calendar/events";
const START = "2027-05-01T10:00:00Z";
const END = "2027-05-01T11:00:00Z";
export const TIMED = { start: START, end: END, summary: "Picnic" };

export const calendar = (stage: Stage) => stage.calendar(stage.ann);
export const event = (stage: Stage) =>
  stage.event(stage.ann, { location: "Park", description: "Bring food" });
const sameTime = (one: unknown, other: string) =>
  assert.equal(Date.parse(String(one)), Date.parse(other));

const badTime = ({ ann }: Stage, form: Form) =>
  ann.refused("POST", EVENTS, { form }, 400, "Invalid datetime");

export const createsCalendar: RowTest = async (stage) => {
  const { ann } = stage;
  await needsToken(stage, "POST", "/calendar");
  const made = await stage.calendar(ann, "family");
  assert.equal(made.Name, "family");
  assert.equal(made["UserID"], ann.record.UserID);
};

export const createsEvent: RowTest = async (stage) => {
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
};
