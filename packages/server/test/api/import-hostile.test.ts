import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { writeTarGz } from "../support/imports/packed.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { upload } from "../support/scenes/pictures.ts";
import type { CalendarRecord, PostRecord } from "../support/server/wire.ts";

type Lists = Readonly<Record<string, unknown>>;

const numbered = <One>(count: number, one: (index: number) => One): One[] =>
  Array.from({ length: count }, (_, index) => one(index));

/** Always another one: an archive that shrinks too well is refused as a whole. */
const long = () => randomBytes(15_000).toString("base64");
const NULLED = "a\u0000b\ud800";
const CREATED = "2020-01-02T03:04:05Z";

/** Nested too deep for a recursive reader. */
const deep = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
};

const nonsense = (): unknown[] => [
  ...[null, 0, -1, true, "", "text", [], {}, NULLED, long()],
  ...[deep(1_000), [null], [[]], [{}], 1e300],
];

/** The fields of each file that an import reads. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  "host-blocks": ["host"],
  blocks: ["handle"],
  ignores: ["handle", "endsAt"],
  aspects: ["name", "members", "repliesPolicy"],
  contacts: ["handle", "following", "languages", "featured"],
  "person-notes": ["handle", "text"],
  "notification-choices": ["senders", "dropped"],
  comments: ["guid", "postGuid", "parentGuid", "text", "createdAt"],
  calendars: ["id", "guid", "name", "properties"],
  events: [
    ...["guid", "calendarId", "uid", "start", "end", "allDay", "timeZone"],
    ...["status", "recurrence", "iCalendar", "capacity", "createdAt"],
  ],
  "event-reminders": ["event", "minutesBefore"],
  "subscribed-calendars": ["url", "name", "properties"],
  bookmarks: ["postGuid"],
  "hidden-posts": ["postGuid"],
  "muted-posts": ["postGuid"],
  "followed-tags": ["tag"],
  "featured-tags": ["tag"],
  filters: ["title", "contexts", "action", "endsAt", "keywords", "statuses"],
  streams: ["name", "tags", "people", "expression"],
  drafts: [
    ...["text", "audience", "warning", "language", "location", "poll"],
    ...["photos", "eventGuid", "quotedGuid", "publishAt", "quotableBy"],
  ],
};

/** What is whole but for one field. */
const WHOLE: Readonly<Record<string, object>> = {
  filters: {
    ...{ title: "f", contexts: ["home"], action: "warn", endsAt: null },
    ...{ keywords: [{ keyword: "k", wholeWord: true }], statuses: [] },
  },
  events: {
    ...{ guid: "e", summary: "E", start: CREATED, end: CREATED },
    ...{ createdAt: CREATED, updatedAt: CREATED },
  },
  "event-reminders": { event: "e" },
  calendars: { guid: "c", name: "C", id: 1 },
  drafts: { text: "d", audience: { kind: "self" } },
  streams: { name: "s", tags: "", people: "", expression: "" },
};

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let folder: string;
  let number = 0;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "kith-hostile-"));
  });
  after(() => rm(folder, { recursive: true }));

  const importLists = async (who: TestPerson, lists: Lists) => {
    const all = { account: {}, posts: [], photos: [], ...lists };
    const files = Object.entries(all).map(([name, content]) => [
      `${name}.json`,
      JSON.stringify(content),
    ]);
    const target = path.join(folder, `${(number += 1)}.tar.gz`);
    const file = await writeTarGz(
      target,
      Object.fromEntries(files) as Record<string, string>,
    );
    const user = { userId: who.record.UserID, personId: who.record.ID };
    const limits = {
      ...{ maxBytes: 1e9, maxRecords: 300_000 },
      ...{ maxPictures: 100, maxPeople: 20_000 },
    };
    const input = { user, file, limits };
    await kith().server.imports.run({ ...input, isRehearsal: true });
    return kith().server.imports.run({ ...input, isRehearsal: false });
  };

  test("each list ends at its limit", async () => {
    const ann = await kith().person();
    const filter = { contexts: ["home"], action: "warn", keywords: [] };
    const event = { createdAt: CREATED, start: CREATED, end: CREATED };
    const report = await importLists(ann, {
      calendars: numbered(201, (at) => ({ guid: `c${at}`, name: `c${at}` })),
      events: [{ ...event, guid: "e", summary: "E" }],
      "subscribed-calendars": numbered(21, (at) => ({
        ...{ url: `https://${at}.example/`, name: "", properties: {} },
      })),
      aspects: numbered(201, (at) => ({ name: `a${at}`, members: [] })),
      "followed-tags": numbered(201, (at) => ({ tag: `t${at}` })),
      "featured-tags": numbered(11, (at) => ({ tag: `t${at}` })),
      filters: numbered(51, (at) => ({ ...filter, title: `f${at}` })),
      streams: numbered(101, (at) => ({ name: `s${at}` })),
      drafts: numbered(101, (at) => ({ text: `d${at}` })),
    });
    const { features } = kith().server;
    const userId = ann.record.UserID;
    const page = { offset: 0, limit: 1_000 };
    const counts = {
      calendar: (await features.calendars.list(userId, page)).length,
      subscribed_calendar: (await features.subscribedCalendars.list(userId))
        .length,
      aspect: (await features.aspects.list(userId)).length,
      tag: (await features.streams.listFollowedTags(userId, page)).length,
      featured_tag: (await features.featuredTags.list(userId)).length,
      filter: (await features.filters.list(userId, page)).length,
      stream: (await features.streams.list(userId, page)).length,
      draft: (await features.drafts.list(userId, page)).length,
    };
    assert.deepEqual(counts, {
      ...{ calendar: 200, subscribed_calendar: 20, aspect: 200, tag: 200 },
      ...{ featured_tag: 10, filter: 50, stream: 100, draft: 100 },
    });
    for (const name of Object.keys(counts) as (keyof typeof counts)[])
      assert.equal(report[name]?.leftOut.too_many?.count ?? 0, 1, name);
  });

  test("malformed records of every kind end no import", async () => {
    const ann = await kith().person();
    const lists = Object.entries(FIELDS).map(([name, fields]) => [
      name,
      [
        ...nonsense(),
        ...fields.flatMap((field) =>
          nonsense().map((value) => ({ ...WHOLE[name], [field]: value })),
        ),
      ],
    ]);
    const objects = { account: {}, profile: {} };
    const report = await importLists(ann, {
      ...{ ...objects, ...(Object.fromEntries(lists) as Lists) },
    });
    for (const name of ["event", "calendar", "filter", "tag", "block"] as const)
      assert.ok((report[name]?.leftOut.malformed?.count ?? 0) > 0, name);
    for (const [name, fields] of [
      ["profile", ["bio", "birthday", "fields", "shownTo", "firstName"]],
      ["account", ["locale", "timeZone", "defaultAudience", "readLanguages"]],
      ["account", ["postLanguage", "eventReminder", "dayReminder"]],
    ] as const)
      for (const value of nonsense())
        await importLists(ann, {
          [name]: Object.fromEntries(fields.map((it) => [it, value])),
        });
  });

  test("events that take place too often, or never, are left out in time", async () => {
    const ann = await kith().person();
    const event = { start: CREATED, end: CREATED, createdAt: CREATED };
    const rules = [
      "FREQ=SECONDLY",
      "FREQ=SECONDLY;COUNT=100000000",
      "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
      "FREQ=YEARLY;BYDAY=MO;BYSETPOS=366",
      "FREQ=MINUTELY;BYHOUR=1,2,3;UNTIL=99991231T235959Z",
      "RRULE:FREQ=NEVER",
      long(),
    ];
    const object = (rule: string) =>
      [
        ...["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "BEGIN:VEVENT"],
        ...["UID:u", "DTSTAMP:20200102T030405Z", "DTSTART:20200102T030405Z"],
        ...[`RRULE:${rule}`, "SUMMARY:x", "END:VEVENT", "END:VCALENDAR", ""],
      ].join("\r\n");
    const changed = numbered(5_000, () => ({ at: CREATED, start: CREATED }));
    const started = performance.now();
    const report = await importLists(ann, {
      events: [
        ...rules.flatMap((rule, at) => [
          { ...event, guid: `r${at}`, recurrence: { rule } },
          { ...event, guid: `i${at}`, iCalendar: object(rule) },
        ]),
        { ...event, guid: "changed", recurrence: { rule: rules[2], changed } },
        { ...event, guid: "backwards", end: "2019-01-01T00:00:00Z" },
        { ...event, guid: "future", createdAt: "9999-12-31T23:59:59Z" },
      ],
      "event-reminders": [
        { event: "future", minutesBefore: numbered(10_000, (at) => at) },
      ],
    });
    assert.ok(performance.now() - started < 30_000);
    assert.ok((report.event?.leftOut.refused?.count ?? 0) > 0);
    assert.equal((await ann.call("GET", "/calendar/events")).status, 200);
  });

  test("nothing of other people is read, changed or shown", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const { features } = kith().server;
    const own = await bob.post<CalendarRecord>("/calendar", { name: "Own" });
    const photo = await upload(bob);
    const post = await bob.post<PostRecord>("/posts", {
      ...{ post: "bob's secret", audience: "self" },
    });
    const rows = await kith()
      .db.read.selectFrom("photos")
      .select("guid")
      .where("id", "=", photo.ID)
      .executeTakeFirstOrThrow();
    const named = await kith()
      .db.read.selectFrom("calendars")
      .select("guid")
      .where("id", "=", own.ID)
      .executeTakeFirstOrThrow();
    const event = { start: CREATED, end: CREATED, createdAt: CREATED };
    const report = await importLists(ann, {
      account: { defaultAudience: { kind: "everyone" }, role: "admin" },
      photos: [{ guid: rows.guid, file: `../media/${rows.guid}.png` }],
      calendars: [
        {
          id: own.ID,
          guid: named.guid,
          name: "Mine?",
          sharedWith: [bob.handle],
        },
      ],
      events: [
        { ...event, guid: "mine", calendarId: own.ID, audience: "everyone" },
      ],
      aspects: [{ name: "Friends", members: [ann.handle] }],
      streams: [{ name: "s", people: `${bob.record.ID}, 1`, tags: "x" }],
      bookmarks: [{ postGuid: post.Guid }],
      "hidden-posts": [{ postGuid: post.Guid }],
      "muted-posts": [{ postGuid: post.Guid }],
      filters: [
        {
          ...{ title: "f", contexts: ["home"], action: "warn" },
          keywords: numbered(5_000, (at) => ({ keyword: `k${at}` })),
          statuses: [post.Guid],
        },
      ],
      drafts: [
        {
          text: "with bob's things",
          audience: { kind: "aspects", aspects: ["Unknown"] },
          ...{ photos: [rows.guid], quotedGuid: post.Guid },
          ...{ eventGuid: named.guid, publishAt: "9999-01-01T00:00:00Z" },
        },
        { text: "unread", audience: { kind: "all the world" } },
      ],
      "subscribed-calendars": [
        { url: "http://169.254.169.254/latest", name: "", properties: {} },
        { url: "file:///etc/passwd", name: "", properties: {} },
        { url: "https://a:b@internal.example/", name: "", properties: {} },
      ],
    });
    const userId = ann.record.UserID;
    const page = { offset: 0, limit: 10 };
    const drafts = await features.drafts.list(userId, page);
    assert.equal(drafts.length, 2);
    for (const { content, publishAt } of drafts) {
      assert.equal(publishAt, null);
      assert.deepEqual(content.audience, { kind: "self" });
      assert.deepEqual(content.photoIds, []);
      assert.deepEqual([content.quoteId, content.eventId], [null, null]);
    }
    for (const name of ["bookmark", "hidden_post", "muted_post"] as const)
      assert.equal(report[name]?.leftOut.unknown_post?.count, 1, name);
    assert.equal(report.filter?.leftOut.refused?.count, 1);
    assert.equal(report.subscribed_calendar?.leftOut.refused?.count, 2);
    const [stream] = await features.streams.list(userId, page);
    assert.equal(stream?.people, "");
    const theirs = await features.calendars.list(bob.record.UserID, page);
    assert.deepEqual(
      theirs.map(({ name }) => name),
      ["Own"],
    );
    const mine = await kith()
      .db.read.selectFrom("events")
      .innerJoin("calendars", "calendars.id", "events.calendar_id")
      .select(["events.audience", "calendars.user_id"])
      .where("events.person_id", "=", ann.record.ID)
      .execute();
    assert.deepEqual(
      mine.map((it) => ({ ...it })),
      [{ audience: "owner", user_id: userId }],
    );
    const [kept] = await features.subscribedCalendars.list(userId);
    assert.ok(kept);
    kith().clock.advance(60_000);
    const read = await ann.post<{ Fault?: string }>(
      `/subscribed_calendars/${kept.id}/refresh`,
    );
    assert.equal(read.Fault, "unreachable");
  });
});
