import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { plan } from "../support/scenes/planning.ts";
import type { PostRecord, SettingsRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);

  test("settings are one's own, and change one by one", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const everyone = {
      Audience: "everyone",
      AspectIDs: [],
      ...{ LinkPreviews: true, PostLanguage: null, ReadLanguages: [] },
      ...{ QuotableBy: "everyone", EventReminder: 60, DayReminder: 900 },
    };
    const initial = { Locale: "en", TimeZone: "UTC", ...everyone };
    assert.deepEqual(await ann.get("/settings"), initial);
    const german = { ...initial, Locale: "de" };
    assert.deepEqual(await ann.put("/settings", { Locale: "de" }), german);
    const berlin = { ...german, TimeZone: "Europe/Berlin" };
    const TimeZone = "europe/berlin";
    assert.deepEqual(await ann.put("/settings", { TimeZone }), berlin);
    assert.deepEqual(await ann.put("/settings"), berlin);
    assert.deepEqual(await ann.get("/settings"), berlin);
    assert.deepEqual(await bob.get("/settings"), initial);
    const fields = { fields: "Locale" };
    assert.deepEqual(await ann.get("/settings", fields), { Locale: "de" });
  });

  test("languages and time zones that there are not are refused", async () => {
    const carl = await kith().person();
    for (const Locale of [
      "",
      "EN",
      "tlh",
      "de-AT",
      "__proto__",
      "e".repeat(99),
    ])
      await carl.badRequest("PUT", "/settings", { form: { Locale } });
    for (const TimeZone of ["", "Mars/Base", "+01:00", "UTC\n", "../x"])
      await carl.badRequest("PUT", "/settings", { form: { TimeZone } });
    const half = { form: { Locale: "de", TimeZone: "Mars/Base" } };
    await carl.badRequest("PUT", "/settings", half);
    await carl.badRequest("PUT", "/settings", { json: { Locale: 1 } });
    for (const method of ["GET", "PUT"])
      await kith().anonymous.unauthorized(method, "/settings");
  });

  test("the server speaks the user's language, about the user's time", async () => {
    const dora = await kith().person();
    const form = { Locale: "de", TimeZone: "Europe/Berlin" };
    await dora.put<SettingsRecord>("/settings", form);
    const event = await plan(dora, { summary: "Fest", location: "Köln" });
    assert.equal(event.Timezone, "Europe/Berlin");
    const [post] = await dora.get<PostRecord[]>("/posts");
    assert.ok(post);
    const [heading, empty, start, end, place] = post.Text.split("\n");
    assert.deepEqual([heading, empty], ["Neuer Termin: Fest", ""]);
    assert.match(start ?? "", /^Beginn: Dienstag, 10\. März 2026 .*10:00/);
    assert.match(end ?? "", /^Ende: Dienstag, 10\. März 2026 .*11:00/);
    assert.equal(place, "Ort: Köln");
  });

  test("changes that come at once are all kept", async () => {
    const emil = await kith().person();
    const TimeZone = "Asia/Tokyo";
    await Promise.all([
      emil.put("/settings", { Locale: "de" }),
      emil.put("/settings", { TimeZone }),
    ]);
    const fields = { fields: "Locale,TimeZone" };
    const both = await emil.get("/settings", fields);
    assert.deepEqual(both, { Locale: "de", TimeZone });
  });
});
