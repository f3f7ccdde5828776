import assert from "node:assert/strict";
import { test } from "node:test";
import { hiddenFields, newUser } from "../support/pages/visit.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { aspectOf, sharedCalendar } from "../support/scenes/planning.ts";
import type {
  CalendarRecord,
  CalendarShareRecord,
  NotificationRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const two = async () =>
    [await kith().person(), await kith().person()] as const;
  const notices = async (who: TestPerson) => {
    await kith().settle();
    const all = await who.get<NotificationRecord[]>("/notifications");
    return all.filter(({ ShareableType }) => ShareableType === "Calendar");
  };
  const count = async (who: TestPerson) => (await notices(who)).length;

  test("somebody with whom a calendar is shared is notified once", async () => {
    const [ann, bob] = await two();
    const { ID } = await sharedCalendar(ann, bob);
    const [notice, ...more] = await notices(bob);
    assert.equal(notice?.PersonID, ann.record.ID);
    assert.deepEqual(more, []);
    const path = `/calendar/${ID}/shares`;
    const share = await ann.post<CalendarShareRecord>(path, {
      ...{ handle: bob.handle, write: true },
    });
    assert.equal(await count(bob), 1);
    assert.equal(await count(ann), 0);
    await ann.delete(`${path}/${share.ID}`);
    assert.equal(await count(bob), 0);
    await ann.post(path, { handle: bob.handle });
    assert.equal(await count(bob), 1);
    await bob.delete(`/shared_calendars/${ID}`);
    assert.equal(await count(bob), 0);
  });

  test("the members of an aspect are notified, and others who have it already are not", async () => {
    const [ann, bob] = await two();
    const eve = await kith().person();
    const aspectID = await aspectOf(ann, bob, eve);
    const { ID } = await sharedCalendar(ann, bob);
    assert.equal(await count(bob), 1);
    const path = `/calendar/${ID}/shares`;
    const share = await ann.post<CalendarShareRecord>(path, { aspectID });
    assert.deepEqual([await count(bob), await count(eve)], [1, 1]);
    // The one by name stays.
    await ann.delete(`${path}/${share.ID}`);
    assert.deepEqual([await count(bob), await count(eve)], [1, 0]);
    await ann.delete(`/calendar/${ID}`);
    assert.equal(await count(bob), 0);
  });

  test("nobody is notified by people whom they block or ignore, or of what they do not want", async () => {
    for (const act of ["block", "ignore"]) {
      const [ann, bob] = await two();
      await bob.post(`/people/${ann.record.ID}/${act}`);
      await sharedCalendar(ann, bob);
      assert.equal(await count(bob), 0, act);
    }
    const [ann, bob] = await two();
    await bob.put("/notifications/choices", { event: "nobody" });
    await sharedCalendar(ann, bob);
    assert.equal(await count(bob), 0);
  });

  test("pages share a calendar, show the notice, and end the share", async () => {
    const { baseUrl } = kith();
    const ann = await newUser(baseUrl, `ann_${kind}`);
    const bob = await newUser(baseUrl, `bob_${kind}`);
    const calendars = "/settings/calendars";
    await ann.post(`${calendars}/create`, {
      ...{ csrf_token: ann.csrf_token, name: "Our garden" },
    });
    const [, id] =
      /id="calendar-(\d+)"/.exec((await ann.get(calendars)).text) ?? [];
    const action = `${calendars}/${id}/share`;
    const fields = hiddenFields(await ann.get(calendars), action);
    const share = (form: Record<string, string>) =>
      ann.post(action, { ...fields, person: "", aspect: "", ...form });
    const nobody = await share({ person: "nobody_here" });
    assert.equal(nobody.status, 422);
    assert.match(nobody.text, /Nobody was found at nobody_here/);
    const unnamed = await share({});
    assert.match(unnamed.text, /Name either a person or an aspect/);
    assert.equal(
      (await share({ person: bob.username, write: "true" })).status,
      302,
    );
    assert.match((await ann.get(calendars)).text, /may read and change it/);
    await kith().settle();
    const shown = await bob.get("/notifications");
    assert.match(shown.text, /shares a calendar with you/);
    assert.match(shown.text, /Our garden/);
    assert.match(shown.text, /to=%2Fsettings%2Fcalendars%23shared-calendars"/);
    assert.match((await bob.get(calendars)).text, /Shared with you/);
    // Somebody else's form, and a stranger's calendar.
    const foreign = await bob.post(action, {
      ...{ csrf_token: bob.csrf_token, person: ann.username, aspect: "" },
    });
    assert.equal(foreign.status, 404);
    const ends = hiddenFields(await ann.get(calendars), `${action}/end`);
    assert.equal((await ann.post(`${action}/end`, ends)).status, 302);
    await kith().settle();
    assert.doesNotMatch((await bob.get("/notifications")).text, /Our garden/);
    assert.doesNotMatch((await bob.get(calendars)).text, /Shared with you/);
  });

  test("a reader leaves a shared calendar by its form", async () => {
    const bob = await newUser(kith().baseUrl, `leaver_${kind}`);
    const ann = await kith().person();
    const { ID } = await ann.post<CalendarRecord>("/calendar", {
      name: "Ours",
    });
    const { host } = new URL(kith().baseUrl);
    await ann.post(`/calendar/${ID}/shares`, {
      handle: `${bob.username}@${host}`,
    });
    const action = `/settings/calendars/${ID}/leave`;
    const fields = hiddenFields(await bob.get("/settings/calendars"), action);
    assert.equal((await bob.post(action, fields)).status, 302);
    assert.equal((await bob.post(action, fields)).status, 302);
    const { text } = await bob.get("/settings/calendars");
    assert.doesNotMatch(text, /Shared with you/);
    assert.deepEqual(await ann.get(`/calendar/${ID}/shares`), []);
  });
});
