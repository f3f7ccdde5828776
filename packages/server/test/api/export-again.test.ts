import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { useServers } from "../support/remote/several-servers.ts";
import { unpack } from "../support/scenes/archive.ts";
import { upload } from "../support/scenes/pictures.ts";
import {
  wholePerson,
  type WholePerson,
} from "../support/scenes/whole-person.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import type { KithServer, TestPerson } from "../support/server/kith-server.ts";
import type { PostRecord } from "../support/server/wire.ts";

type Json = Record<string, unknown>;
type Files = Map<string, unknown>;

const OF_OTHERS = "it is other people's, or they would be notified now";
const OF_SERVER = "it belongs to the other server";
const OPENS_NOTHING = "it opens nothing here";

/** The files that stay behind as a whole. */
const LEFT_BEHIND: Readonly<Record<string, string>> = {
  "announcement-reactions": OF_SERVER,
  "dismissed-announcements": OF_SERVER,
  invitations: OF_SERVER,
  markers: OF_SERVER,
  reports: OF_SERVER,
  strikes: OF_SERVER,
  "held-texts": OF_SERVER,
  apps: OPENS_NOTHING,
  mail: "an address is confirmed anew",
  conversations: OF_OTHERS,
  "follow-requests": OF_OTHERS,
  notifications: OF_OTHERS,
  participations: OF_OTHERS,
  reactions: OF_OTHERS,
  "shared-calendars": OF_OTHERS,
  votes: OF_OTHERS,
};

const MADE_HERE = "the time of the import";

/** The fields that have another value here: as long as they differ, that is. */
const OTHER_HERE: Readonly<Record<string, string>> = {
  "account.createdAt": MADE_HERE,
  "account.guid": "another person, for other servers",
  "account.lastSeenAt": MADE_HERE,
  "account.publicKey": "keys are made with an account",
  "account.secondFactor": OPENS_NOTHING,
  "aspects.createdAt": MADE_HERE,
  "blocks.createdAt": MADE_HERE,
  "bookmarks.createdAt": MADE_HERE,
  "calendars.createdAt": MADE_HERE,
  "calendars.secretAddressSince": "an address would open it to strangers",
  "calendars.sharedWith": "nobody gets it without being asked again",
  "contacts.createdAt": MADE_HERE,
  "contacts.sharing": "only the others can follow",
  "drafts.createdAt": MADE_HERE,
  "drafts.updatedAt": MADE_HERE,
  "event-reminders.chosenAt": MADE_HERE,
  "events.audience": "events come for their owner alone",
  "events.participations": OF_OTHERS,
  "featured-tags.createdAt": MADE_HERE,
  "filters.createdAt": MADE_HERE,
  "filters.updatedAt": MADE_HERE,
  "followed-tags.createdAt": MADE_HERE,
  "host-blocks.createdAt": MADE_HERE,
  "ignores.createdAt": MADE_HERE,
  "likes.guid": "another like, for other servers",
  "notification-choices.updatedAt": MADE_HERE,
  "person-notes.updatedAt": MADE_HERE,
  "photos.createdAt": MADE_HERE,
  "posts.aspects": "a limited post comes for its author alone",
  "posts.eventGuid": "events come for their owner alone: no post shows them",
  "posts.limitedTo": "a limited post comes for its author alone",
  "posts.recipients": "a limited post comes for its author alone",
  "posts.poll": "polls become text: nobody can vote any more",
  "posts.text": "polls become text: nobody can vote any more",
  "profile.createdAt": MADE_HERE,
  "profile.updatedAt": MADE_HERE,
  "streams.createdAt": MADE_HERE,
  "subscribed-calendars.createdAt": MADE_HERE,
};

/** The records that stay behind, though others of their file come. */
const isLeftBehind: Readonly<Record<string, (record: Json) => boolean>> = {
  // The author would be notified.
  posts: ({ type }) => type === "Reshare",
  // A comment on somebody else's post could not be deleted by its author.
  comments: ({ postAuthor }) => postAuthor !== "OWN@HOST",
};

/** Reads the files of an export, by their names without `.json`. */
function readFiles(files: Map<string, Buffer>): Files {
  return new Map(
    [...files].map(([name, bytes]) =>
      name.endsWith(".json")
        ? [name.slice(0, -".json".length), JSON.parse(String(bytes))]
        : [name, "bytes"],
    ),
  );
}

const listOf = (files: Files, name: string) => files.get(name) as Json[];

/** Names that are the same in both exports, in place of the names that are given here. */
function namesOf(files: Files, by: TestPerson, kith: KithServer) {
  const own = [...listOf(files, "posts"), ...listOf(files, "comments")];
  const dated = [...own, ...listOf(files, "events")].map(
    (it) => [it["guid"], `of ${String(it["createdAt"])}`] as const,
  );
  const calendars = listOf(files, "calendars").flatMap((it) => [
    [it["guid"], `calendar ${String(it["name"])}`] as const,
  ]);
  const photos = listOf(files, "photos").map(
    (it) =>
      [
        it["guid"],
        `photo ${String(it["text"])} ${String(it["isProfilePicture"])}`,
      ] as const,
  );
  return [
    ...[...dated, ...calendars, ...photos],
    [by.handle, "OWN@HOST"],
    [`"username":"${by.username}"`, `"username":"OWN"`],
    [kith.baseUrl, "HERE"],
  ] as readonly (readonly [string, string])[];
}

/** Numbers of calendars become their names. */
function nameCalendars(files: Files): void {
  const calendars = listOf(files, "calendars");
  const names = new Map(calendars.map((it) => [it["id"], it["name"]]));
  for (const event of listOf(files, "events"))
    event["calendarId"] = names.get(event["calendarId"]) ?? null;
  for (const calendar of calendars) calendar["id"] = calendar["name"];
}

/** Aspects of one name are one after an import. */
function joinAspects(files: Files): void {
  const joined = new Map<unknown, Json>();
  for (const aspect of listOf(files, "aspects")) {
    const members = joined.get(aspect["name"])?.["members"] as string[];
    const all = [...(members ?? []), ...(aspect["members"] as string[])];
    joined.set(aspect["name"], { ...aspect, members: all.toSorted() });
  }
  files.set("aspects", [...joined.values()]);
}

/** An export in a form that is the same wherever the same things are. */
function normal(files: Files, by: TestPerson, kith: KithServer): Files {
  nameCalendars(files);
  joinAspects(files);
  const names = namesOf(files, by, kith);
  let all = JSON.stringify([...files]);
  // An iCalendar UID stays, though it was made of a Guid.
  for (const [before, after] of names)
    all = all.replaceAll(
      new RegExp(`${RegExp.escape(before)}(?!@)`, "g"),
      after,
    );
  const named = JSON.parse(all) as [string, unknown][];
  return new Map(
    named.map(([name, content]) => {
      if (!Array.isArray(content)) return [name, content];
      const isBehind = isLeftBehind[name] ?? (() => false);
      return [name, (content as Json[]).filter((it) => !isBehind(it))];
    }),
  );
}

/** The records of a file without the fields that are other here. */
function withoutOthers(name: string, content: unknown): unknown {
  if (Array.isArray(content))
    return content
      .map((record) => JSON.stringify(withoutOthers(name, record)))
      .toSorted();
  if (typeof content !== "object" || content === null) return content;
  const fields = Object.entries(content)
    .filter(([field]) => !(`${name}.${field}` in OTHER_HERE))
    .toSorted(([one], [other]) => one.localeCompare(other));
  return Object.fromEntries(fields);
}

const valuesOf = (files: Files, name: string, field: string) =>
  [files.get(name) as Json | Json[]]
    .flat()
    .map((record) => JSON.stringify(record[field]))
    .toSorted()
    .join();

/** What a whole person lacks of the fields that come. */
async function addMore(kith: KithServer, whole: WholePerson): Promise<void> {
  const { who, friend, event } = whole;
  const { features } = kith.server;
  const { UserID: userId, ID: personId } = who.record;
  const user = { userId, personId };
  await features.contacts.changeChoices(userId, friend.record.ID, {
    ...{ reshares: false, notify: true, languages: ["de"], featured: true },
  });
  await features.people.changeProfile(personId, {
    ...{ birthday: "1990-02-03", gender: "fem", location: "Bern" },
    ...{ nsfw: true, searchable: false },
    fields: [{ name: "Web", value: "https://me.example" }],
    shownTo: { birthday: "contacts", gender: "nobody" },
  });
  const post = await who.post<PostRecord>("/posts", { post: "mine" });
  const onMine = await upload(who, undefined, { text: "on mine" });
  await who.post(`/posts/${post.Guid}/comments`, {
    ...{ comment: "on my own", photoID: onMine.ID },
  });
  await who.put(`/posts/${post.Guid}/bookmark`, {});
  await who.put(`/posts/${post.Guid}/mute`);
  const [filter] = await features.filters.list(userId, { offset: 0, limit: 1 });
  assert.ok(filter);
  await features.filters.statuses.add(userId, filter.id, { postId: post.ID });
  await features.drafts.save(user, {
    content: {
      ...{ text: "asks", photoIds: [], eventId: event.ID, quoteId: post.ID },
      audience: { kind: "people", personIds: [friend.record.ID] },
      ...{ nsfw: true, warning: "soon", language: "de" },
      quotableBy: "followers",
      location: { address: "Bern", lat: "46.94", lng: "7.44" },
      poll: {
        ...{ question: "When?", answers: ["now", "later"], multiple: true },
        ...{ endsAt: "2030-01-01T00:00:00.000Z", hidesTotals: true },
      },
    },
    publishAt: "2027-12-01T00:00:00.000Z",
  });
}

/** Fetches a post of another server, as somebody who searches for its address. */
async function makeKnown(kith: KithServer, by: TestPerson, address: string) {
  const query = `type=statuses&resolve=true&q=${encodeURIComponent(address)}`;
  const response = await fetch(`${kith.baseUrl}/api/v2/search?${query}`, {
    headers: { authorization: `Bearer ${by.token}` },
  });
  const found = (await response.json()) as { statuses?: unknown[] };
  assert.equal(found.statuses?.length, 1, address);
}

forEachDatabase((kind) => {
  const servers = useServers(kind, "activitypub,diaspora", 2);

  const take = async (kith: KithServer, who: TestPerson) => {
    const response = await fetch(`${kith.baseUrl}/api/v0/export`, {
      headers: { access_token: who.token },
    });
    const bytes = await response.bytes();
    return { bytes, files: readFiles(await unpack(bytes)) };
  };

  test("a whole person that is imported on another server is exported as before", async (t) => {
    const [old, here] = servers();
    assert.ok(old && here);
    const folder = await mkdtemp(path.join(tmpdir(), "kith-again-"));
    t.after(() => rm(folder, { recursive: true }));
    const whole = await wholePerson(old);
    await addMore(old, whole);
    const { bytes, files } = await take(old, whole.who);
    const file = path.join(folder, "export.tar.gz");
    await writeFile(file, bytes);
    const newcomer = await here.person({ handle: "newcomer" });
    const { UserID: userId, ID: personId } = newcomer.record;
    for (const list of ["bookmarks", "hidden-posts", "likes", "muted-posts"])
      for (const { postGuid } of listOf(files, list).filter(
        ({ postAuthor }) => postAuthor !== whole.who.handle,
      ))
        await makeKnown(
          here,
          newcomer,
          `${old.baseUrl}/posts/${String(postGuid)}`,
        );
    const run = (isRehearsal: boolean) =>
      here.server.imports.run({
        ...{ user: { userId, personId }, file, isRehearsal },
      });
    const rehearsed = await run(true);
    const report = await run(false);
    for (const name of ["event", "filter", "draft", "calendar"] as const)
      assert.equal(report[name]?.added, rehearsed[name]?.added);
    const take2 = async () =>
      normal((await take(here, newcomer)).files, newcomer, here);
    const first = normal(files, whole.who, old);
    const second = await take2();
    assert.deepEqual(
      [...second.keys()].toSorted(),
      [...first.keys()].toSorted(),
    );
    for (const [name, content] of first) {
      if (name in LEFT_BEHIND) {
        assert.notDeepEqual(content, [], name);
        assert.deepEqual(second.get(name), [], name);
      } else
        assert.deepEqual(
          withoutOthers(name, second.get(name)),
          withoutOthers(name, content),
          name,
        );
    }
    for (const field of Object.keys(OTHER_HERE)) {
      const [name = "", inside = ""] = field.split(".");
      const values = [first, second].map((it) => valuesOf(it, name, inside));
      assert.notEqual(values[0], values[1], `${field} is the same by now`);
    }
    for (const { added } of Object.values(await run(false)))
      assert.equal(added, 0, "imported twice");
    assert.deepEqual(await take2(), second);
    const events = listOf(second, "events");
    assert.ok(events.every(({ audience }) => audience === "owner"));
  });
});
