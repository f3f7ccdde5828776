import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import {
  hiddenFields,
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";

type User = Awaited<ReturnType<typeof newUser>>;

let kith: PagesServer;

const personOf = async ({ username }: User) => {
  const handle = `${username}@${kith.host}`;
  const person = (await kith.people.find({ handle })) ?? assert.fail();
  return { personId: person.id, userId: person.userId ?? assert.fail() };
};

/** The words of the choice that a page shows as chosen. */
const chosenIn = (text: string, name: string) => {
  const select = new RegExp(`<select[^>]* name="${name}".*?</select>`, "s");
  const [field = ""] = select.exec(text) ?? [];
  return /selected\s*>\s*([^<]*?)\s*<\/option>/.exec(field)?.[1];
};

forEachDatabase((database) => {
  before(async () => {
    kith = await startPagesServer({ database });
  });
  after(() => kith.close());

  let names = 0;
  const scene = async () => {
    const owner = await newUser(kith.baseUrl, `host${(names += 1)}`);
    const guest = await newUser(kith.baseUrl, `guest${names}`);
    const by = await personOf(owner);
    const event = await kith.events.create({
      ...{ summary: "Repair café", timeZone: "UTC", owner: by },
      ...{ start: "2127-06-12T14:00", end: "2127-06-12T18:00" },
      announce: true,
    });
    return { owner, guest, event, path: `/events/${event.guid}` };
  };
  const send = async (user: User, path: string, minutes: string) => {
    const to = `${path}/reminder`;
    const form = hiddenFields(await user.get(path), to);
    return user.post(to, { ...form, minutes });
  };

  test("the owner, and guests who come, choose when they are reminded", async () => {
    const { owner, guest, event, path } = await scene();
    const { text } = await owner.get(path);
    assert.equal(chosenIn(text, "minutes"), "As usual: 1 hour before");
    const { text: before } = await guest.get(path);
    assert.equal(chosenIn(before, "minutes"), "As usual: Never");
    const coming = await personOf(guest);
    await kith.participations.answer(coming, { id: event.id }, "accepted");
    assert.equal((await send(guest, path, "1440")).status, 302);
    assert.equal(
      chosenIn((await guest.get(path)).text, "minutes"),
      "1 day before",
    );
    await send(guest, path, "never");
    assert.equal(chosenIn((await guest.get(path)).text, "minutes"), "Never");
    assert.equal(
      chosenIn((await owner.get(path)).text, "minutes"),
      "As usual: 1 hour before",
    );
  });

  test("the settings say the usual reminders, in the reader's language", async () => {
    const { owner, path } = await scene();
    const form = hiddenFields(await owner.get("/settings"), "/settings");
    const saved = await owner.post("/settings", {
      ...form,
      ...{ language: "de", time_zone: "Europe/Berlin" },
      ...{ event_reminder: "30", day_reminder: "never" },
    });
    assert.equal(saved.status, 200);
    assert.equal(chosenIn(saved.text, "event_reminder"), "30 Minuten vorher");
    assert.equal(chosenIn(saved.text, "day_reminder"), "Nie");
    assert.equal(
      chosenIn((await owner.get(path)).text, "minutes"),
      "Wie üblich: 30 Minuten vorher",
    );
  });

  test("forms that are wrong, foreign or without a session change nothing", async () => {
    const { owner, guest, event, path } = await scene();
    for (const minutes of ["", "-5", "40321", "soon"])
      assert.equal((await send(owner, path, minutes)).status, 400);
    const to = `${path}/reminder`;
    assert.equal((await owner.post(to, { minutes: "10" })).status, 403);
    const stranger = visitor(kith.baseUrl);
    assert.equal((await stranger.post(to, { minutes: "10" })).status, 401);
    const form = hiddenFields(await owner.get(path), to);
    const absent = `/events/${"0".repeat(32)}/reminder`;
    const gone = await owner.post(absent, { ...form, minutes: "10" });
    assert.equal(gone.status, 404);
    const foreign = await guest.post(to, { ...form, minutes: "10" });
    assert.equal(foreign.status, 403);
    const { minutes } = await kith.reminders.get(await personOf(owner), event);
    assert.deepEqual(minutes, [60]);
  });
});
