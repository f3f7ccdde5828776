import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { unpack } from "../support/scenes/archive.ts";
import { wholePerson } from "../support/scenes/whole-person.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";

type Json = Record<string, unknown>;

/** The fields by which each list of an export is the same after an import, in any order. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  "host-blocks": ["host"],
  blocks: ["handle"],
  ignores: ["handle", "endsAt"],
  "featured-tags": ["tag"],
  "followed-tags": ["tag"],
  filters: ["title", "contexts", "action", "endsAt", "keywords", "statuses"],
  streams: ["name", "tags", "people", "expression"],
  "person-notes": ["handle", "text"],
  "notification-choices": ["senders", "dropped"],
  "subscribed-calendars": ["url", "name", "properties"],
  calendars: ["name", "isDefault", "properties"],
  events: [
    ...["uid", "summary", "description", "location", "start", "end", "allDay"],
    ...["timeZone", "status", "recurrence", "iCalendar", "capacity"],
    ...["needsApproval", "createdAt"],
  ],
  "event-reminders": ["minutesBefore"],
  bookmarks: ["postGuid"],
  "hidden-posts": ["postGuid"],
  "muted-posts": ["postGuid"],
  drafts: ["text", "audience", "nsfw", "warning", "poll", "publishAt"],
};

const PROFILE = [
  ...["firstName", "lastName", "fullName", "bio", "birthday", "gender"],
  ...["location", "searchable", "shownTo", "nsfw", "fields", "locked"],
];
const ACCOUNT = ["locale", "timeZone", "defaultAudience", "quotableBy"];

forEachDatabase((kind) => {
  const kith = useKith(kind);

  const take = async (who: TestPerson) => {
    const response = await fetch(`${kith().baseUrl}/api/v0/export`, {
      headers: { access_token: who.token },
    });
    const bytes = await response.bytes();
    return { bytes, files: await unpack(bytes) };
  };

  const pick = (record: Json, fields: readonly string[]) =>
    Object.fromEntries(fields.map((name) => [name, record[name]]));

  /** What is the same in two exports, by their files. */
  const sameOf = (files: Map<string, Buffer>) => {
    const read = (name: string) =>
      JSON.parse(String(files.get(`${name}.json`))) as unknown;
    const lists = Object.entries(SAME).map(([name, fields]) => [
      name,
      (read(name) as Json[])
        .map((record) => JSON.stringify(pick(record, fields)))
        .toSorted(),
    ]);
    return {
      ...(Object.fromEntries(lists) as Record<string, string[]>),
      profile: pick(read("profile") as Json, PROFILE),
      account: pick(read("account") as Json, ACCOUNT),
    };
  };

  test("a whole person that is imported into a new account is exported as before", async (t) => {
    const folder = await mkdtemp(path.join(tmpdir(), "kith-again-"));
    t.after(() => rm(folder, { recursive: true }));
    const { who } = await wholePerson(kith());
    const first = await take(who);
    const file = path.join(folder, "export.tar.gz");
    await writeFile(file, first.bytes);
    const newcomer = await kith().person();
    const { UserID: userId, ID: personId } = newcomer.record;
    const user = { userId, personId };
    const run = (isRehearsal: boolean) =>
      kith().server.imports.run({ user, file, isRehearsal });
    const rehearsed = await run(true);
    const report = await run(false);
    assert.equal(report.event?.added, rehearsed.event?.added);
    assert.equal(report.filter?.added, rehearsed.filter?.added);
    assert.equal(report.draft?.added, rehearsed.draft?.added);
    const second = sameOf((await take(newcomer)).files);
    assert.deepEqual(second, sameOf(first.files));
    for (const { added } of Object.values(await run(false)))
      assert.equal(added, 0, "imported twice");
    assert.deepEqual(sameOf((await take(newcomer)).files), second);
    const events = await kith()
      .db.read.selectFrom("events")
      .select("audience")
      .where("person_id", "=", personId)
      .execute();
    assert.ok(events.every(({ audience }) => audience === "owner"));
  });
});
