import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import { newUser } from "../../packages/server/test/support/pages/visit.ts";

type User = Awaited<ReturnType<typeof newUser>>;
type Form = Record<string, string | string[]>;

let kith: PagesServer;
let names = 0;

const NEW = "/events/new";
const CHOIR: Form = {
  ...{ summary: "Choir", location: "", description: "", calendar: "" },
  ...{ start_day: "2127-06-11", start_time: "19:30", end_day: "" },
  ...{ end_time: "21:00", time_zone: "Europe/Berlin", audience: "self" },
  ...{ repeats: "weekly", interval: "1", weekday: ["WE"] },
  ...{ until: "2127-07-16", count: "" },
};

const send = (by: User, given: Form = {}, path = NEW) =>
  by.post(path, { csrf_token: by.csrf_token, ...CHOIR, ...given });
const make = async (by: User, given: Form = {}) => {
  const done = await send(by, given);
  assert.equal(done.status, 302, done.text);
  return done.headers.get("location") ?? "";
};

forEachDatabase((database) => {
  before(async () => {
    kith = await startPagesServer({ database });
  });
  after(() => kith.close());
  const join = () => newUser(kith.baseUrl, `series${(names += 1)}`);
  const eventAt = async (path: string, { username }: User) => {
    const handle = `${username}@${kith.host}`;
    const person = (await kith.people.find({ handle })) ?? assert.fail();
    const viewer = {
      ...{ personId: person.id, userId: person.userId ?? assert.fail() },
      ...{ guid: person.guid, handle },
    };
    const guid = path.slice("/events/".length);
    return (await kith.events.findVisible({ guid }, viewer)) ?? assert.fail();
  };

  test("the form makes a series, the page says its rule, and the month shows all of it", async () => {
    const owner = await join();
    const path = await make(owner);
    const event = await eventAt(path, owner);
    // The last day counts to its end by the clock of the event.
    assert.equal(
      event.recurrence?.rule,
      "FREQ=WEEKLY;BYDAY=WE;UNTIL=21270716T215959Z",
    );
    const page = await owner.get(path);
    assert.match(
      page.text,
      /Repeats every week on Wednesday, until July 16, 2127/,
    );
    assert.match(page.text, /edit\?occurrence=2127-06-11T17%3A30%3A00.000Z/);
    const month = await owner.get("/calendar?month=2127-06");
    const [, table = ""] = /<table(.*?)<\/table>/s.exec(month.text) ?? [];
    assert.equal([...table.matchAll(/>Choir</g)].length, 4);
    const form = await owner.get(`${path}/edit`);
    assert.match(form.text, /value="weekly"\s+selected/);
    assert.match(form.text, /id="until"[^>]*value="2127-07-16"/);
    await owner.post("/settings", {
      ...{ csrf_token: owner.csrf_token, locale: "de" },
    });
    // Saved as it is, nothing changes.
    const saved = await send(owner, {}, `${path}/edit`);
    assert.equal(saved.status, 302, saved.text);
    assert.deepEqual(await eventAt(path, owner), event);
    await send(owner, { repeats: "once" }, `${path}/edit`);
    assert.equal((await eventAt(path, owner)).recurrence, null);
  });

  test("one event of a series is changed, then cancelled, alone", async () => {
    const owner = await join();
    const path = await make(owner);
    const at = "2127-06-18T17:30:00.000Z";
    const edit = `${path}/edit?occurrence=${encodeURIComponent(at)}`;
    const form = await owner.get(edit);
    assert.equal(form.status, 200);
    assert.match(
      form.text,
      /name="occurrence"\s+value="2127-06-18T17:30:00.000Z"/,
    );
    assert.match(form.text, /id="start_day"[^>]*value="2127-06-18"/s);
    assert.doesNotMatch(form.text, /name="repeats"|name="calendar"/);
    const one = { occurrence: at, start_day: "2127-06-19", summary: "Concert" };
    const done = await send(owner, one, `${path}/edit`);
    assert.equal(done.status, 302, done.text);
    const { recurrence, summary } = await eventAt(path, owner);
    assert.equal(summary, "Choir");
    assert.deepEqual(
      recurrence?.changed.map((it) => [it.at, it.start, it.summary]),
      [[at, "2127-06-19T17:30:00.000Z", "Concert"]],
    );
    await send(owner, { ...one, cancelled: "true" }, `${path}/edit`);
    const page = await owner.get(path);
    assert.match(page.text, /Concert.*\(cancelled\)/s);
    // The others are named by their times, so the series cannot move.
    const moved = await send(owner, { start_time: "20:30" }, `${path}/edit`);
    assert.equal(moved.status, 422);
    assert.match(moved.text, /Only a calendar program can move it/);
    for (const occurrence of ["2127-06-17T17:30:00.000Z", "x"]) {
      const gone = `${path}/edit?occurrence=${encodeURIComponent(occurrence)}`;
      assert.equal((await owner.get(gone)).status, 404);
      const refused = await send(owner, { occurrence }, `${path}/edit`);
      assert.equal(refused.status, 404);
    }
    const other = await join();
    assert.equal((await other.get(edit)).status, 404);
  });

  test("a faulty rule makes no event", async () => {
    const owner = await join();
    for (const [given, fault, field] of [
      [{ interval: "0" }, /from 1 to 10000/, "interval"],
      [{ until: "2127-06-10" }, /not before its first/, "until"],
      [{ until: "soon" }, /not before its first/, "until"],
      [{ until: "", count: "2001" }, /from 1 to 2000/, "count"],
      [{ count: "3" }, /either the last day/, "count"],
    ] as const) {
      const answer = await send(owner, given);
      assert.equal(answer.status, 422);
      assert.match(answer.text, fault);
      const marked = answer.text.match(/id="\w+"[^>]*aria-invalid="true"/g);
      assert.match(marked?.join("") ?? "", RegExp(`^id="${field}"[^"]*`));
      assert.equal(marked?.length, 1);
      assert.match(answer.text, RegExp(`href="#${field}"`));
    }
    const list = await owner.get("/calendar?month=2127-06");
    assert.doesNotMatch(list.text, />Choir</);
  });

  test("a rule that the form does not have is said in words, and stays", async () => {
    const owner = await join();
    const path = await make(owner);
    const event = await eventAt(path, owner);
    const rule = "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1";
    const person =
      (await kith.people.find({ id: event.personId })) ?? assert.fail();
    await kith.events.change(
      {
        ...{ personId: person.id, userId: person.userId ?? assert.fail() },
        ...{ guid: person.guid, handle: person.handle },
      },
      { id: event.id },
      { recurrence: { rule } },
    );
    const form = await owner.get(`${path}/edit`);
    assert.match(form.text, /a rule that only calendar programs show/);
    assert.match(form.text, /value="other"\s+selected/);
    const kept = { repeats: "other", summary: "Singing" };
    await send(owner, kept, `${path}/edit`);
    const after = await eventAt(path, owner);
    assert.deepEqual(
      [after.summary, after.recurrence?.rule],
      ["Singing", rule],
    );
  });
});
