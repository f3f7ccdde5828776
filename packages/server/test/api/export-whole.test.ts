import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import sharp from "sharp";
import { unpack } from "../support/scenes/archive.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../support/server/kith-server.ts";
import { holdsKey, privateKeysOf } from "../support/remote/key-forms.ts";
import { plan } from "../support/scenes/planning.ts";
import { listReferences } from "../support/remote/references.ts";
import { wholePerson } from "../support/scenes/whole-person.ts";
import type { PostRecord } from "../support/server/wire.ts";

type Json = Record<string, unknown>;

/** Tables about people that are not exported, and the reasons. */
const NOT_GIVEN: Readonly<Record<string, string>> = {
  access_tokens: "secrets",
  oauth_codes: "secrets",
  app_passwords: "secrets",
  sessions: "secrets",
  push_subscriptions: "secrets of devices, which ask anew elsewhere",
  second_factors: "secrets; account.json says that there is one",
  recovery_codes: "secrets",
  password_resets: "secrets",
  pending_sign_ins: "secrets",
  passkeys: "ways in, which open nothing elsewhere",
  passkey_challenges: "secrets",
  user_keys: "secrets: with the key others could speak in one's name",
  person_keys: "keys of people elsewhere",
  remote_people: "how people elsewhere are reached",
  post_subscribers: "recipients of answers elsewhere, no business of authors",
  text_mentions:
    "found in texts: one's own are given, others are not one's own",
  tombstones: "that something was retracted, of which nothing is kept",
  move_documents:
    "what both identities signed about a move: after it nobody asks here any more",
  imports:
    "files that are being imported, and how many records they had: deleted after a week",
  newcomer_acts:
    "when a new account wrote and followed in the last day: counted for the limits",
  spam_hits: "which rules texts met, of which nothing is kept here",
  sent_activities: "one's own records in another form",
  post_arrivals: "in which order posts came, beside the posts",
  comment_arrivals: "in which order comments came, beside the comments",
  due_reminders:
    "when the job looks at an event next: computed from what is given",
  audit_log: "what was done to others in running the server",
  person_decisions: "decisions about the person, which notifications show",
  submissions: "hashes of a program's own keys, forgotten after an hour",
  person_words: "the names of people, cut into words for the search",
  inbound_messages: "what others sent, forgotten once it is read",
  unproven_messages: "how much of that waits, forgotten once it is read",
};

forEachDatabase((kind) => {
  const kith = useKith(kind);

  const take = async (who: TestPerson) => {
    const response = await fetch(`${kith().baseUrl}/api/v0/export`, {
      headers: { access_token: who.token },
    });
    assert.equal(response.status, 200);
    return unpack(await response.bytes());
  };

  const listIn = (files: Map<string, Buffer>, name: string) =>
    JSON.parse(
      String(files.get(`${name}.json`) ?? assert.fail(name)),
    ) as Json[];

  const names = (files: Map<string, Buffer>) => [...files.keys()];

  test("every table that knows of people is given, or has a reason not to be", async () => {
    const given = kith().server.features.exports.tables;
    const tables = (await listReferences(kith())).map(({ table }) => table);
    const silent = [...new Set<string>(tables)].filter(
      (table) => ![...given].some((it) => it === table),
    );
    assert.deepEqual(silent.sort(), Object.keys(NOT_GIVEN).sort());
  });

  test("the data of every feature is exported, in a file of its own", async () => {
    const { who, friend, theirs, event, photos } = await wholePerson(kith());
    const files = await take(who);
    for (const [name, bytes] of files)
      if (name.endsWith(".json")) assert.ok(JSON.parse(String(bytes)), name);
    const relations = ["ignores", "blocks", "contacts", "bookmarks"];
    for (const name of [
      ...relations,
      "hidden-posts",
      "muted-posts",
      "drafts",
      "filters",
      "markers",
      "notification-choices",
      "person-notes",
      "host-blocks",
      "follow-requests",
      "apps",
      "shared-calendars",
      "subscribed-calendars",
    ])
      assert.ok(listIn(files, name).length > 0, name);
    const account = JSON.parse(String(files.get("account.json"))) as Json;
    assert.deepEqual(
      [account["locale"], account["timeZone"], account["defaultAudience"]],
      ["de", "Europe/Berlin", { kind: "unlisted" }],
    );
    const posts = listIn(files, "posts");
    const asked = posts.find(({ text }) => text === "a question");
    const { question, answers } = asked?.["poll"] as Json;
    assert.equal(question, "Tea?");
    assert.deepEqual(
      (answers as Json[]).map(({ text, votes }) => [text, votes]),
      [
        ["yes", 0],
        ["no", 0],
      ],
    );
    assert.ok(posts.some(({ eventGuid }) => eventGuid === event.Guid));
    const [vote] = listIn(files, "votes");
    assert.equal(vote?.["postGuid"], theirs.Guid);
    assert.equal(vote["answerGuid"], theirs.Poll?.Answers[0]?.Guid);
    const [calendar] = listIn(files, "calendars");
    assert.equal(calendar?.["name"], "Private");
    assert.match(String(calendar["guid"]), /^[0-9a-f]{32}$/);
    assert.match(String(calendar["secretAddressSince"]), /^20/);
    assert.ok(!String(files.get("calendars.json")).includes("salt"));
    const [dentist, feast] = listIn(files, "events");
    assert.equal(dentist?.["summary"], "Dentist");
    assert.equal(dentist["calendarId"], calendar["id"]);
    assert.deepEqual(feast?.["participations"], [
      { handle: friend.handle, status: "accepted", reply: null },
    ]);
    const [participation] = listIn(files, "participations");
    assert.equal(participation?.["eventAuthor"], friend.handle);
    assert.equal(participation["status"], "accepted");
    assert.equal(listIn(files, "streams")[0]?.["name"], "mine");
    assert.equal(listIn(files, "followed-tags")[0]?.["tag"], "cake");
    const pictures = listIn(files, "photos");
    assert.deepEqual(pictures.map(({ guid }) => guid).slice(0, 2), [
      photos.attached.Guid,
      photos.waiting.Guid,
    ]);
    assert.equal(pictures[0]?.["text"], "a wall");
    assert.deepEqual(
      pictures.map(({ isProfilePicture }) => isProfilePicture),
      [false, false, true],
    );
    const media = names(files).filter((name) => name.startsWith("media/"));
    assert.deepEqual(
      media.sort(),
      pictures.map(({ file }) => String(file)).sort(),
    );
    for (const { file, width, height } of pictures) {
      const { data, info } = await sharp(files.get(String(file)))
        .raw()
        .toBuffer({ resolveWithObject: true });
      assert.ok(data.length > 0);
      assert.deepEqual([info.width, info.height], [width, height]);
    }
    const again = await take(who);
    assert.deepEqual(again, files, "each list is in the same order");
  });

  test("no secret is in it, and nothing that others keep to themselves", async () => {
    const { who, friend, photos } = await wholePerson(kith());
    await plan(friend, { summary: "Heist", announce: false });
    const secret = await friend.post<PostRecord>("/posts", {
      post: "nobody hears of this",
      aspectID: (await friend.get<{ ID: number }[]>("/aspects"))[0]?.ID ?? 0,
    });
    assert.equal(secret.Public, false);
    const files = await take(who);
    const bytes = Buffer.concat([...files.values()]).toString("latin1");
    const { db } = kith();
    const users = await db.read.selectFrom("users").selectAll().execute();
    const stored = await db.read.selectFrom("user_keys").selectAll().execute();
    const sessions = await db.read.selectFrom("sessions").selectAll().execute();
    const tokens = await db.read
      .selectFrom("access_tokens")
      .selectAll()
      .execute();
    assert.ok(sessions.length > 0 && tokens.length > 0);
    const keys = await privateKeysOf(kith());
    assert.ok(keys.length > 4);
    assert.equal(holdsKey(bytes, keys), false);
    const secrets = [
      ...users.map((row) => row.password_hash),
      ...stored.flatMap((row) => [
        row.rsa_private_key,
        row.ed25519_private_key,
      ]),
      ...sessions.flatMap((row) => [row.id_hash, row.csrf_token]),
      ...tokens.flatMap((row) => [row.token_hash, row.token_sealed]),
      ...[who.token, friend.token, PASSWORD, "PRIVATE KEY", "argon2"],
    ];
    for (const it of secrets) {
      assert.ok(it.length > 5);
      assert.ok(!bytes.includes(it), it);
    }
    for (const it of ["Heist", "Hush", "nobody hears", "for you alone"])
      assert.ok(!bytes.includes(it), it);
    assert.ok(!bytes.includes(photos.ofFriend.Guid));
    assert.ok(bytes.includes("Dentist"), "one's own is there");
  });

  test("a picture whose file is lost is named, and the rest is there", async () => {
    const { who, photos } = await wholePerson(kith());
    const { Guid } = photos.attached;
    const folder = path.join(kith().dataDir, "media", Guid.slice(0, 2));
    await rm(path.join(folder, `${Guid}-full.png`));
    const files = await take(who);
    assert.equal(String(files.get("media/missing.txt")), `${Guid}.png\n`);
    assert.equal(files.has(`media/${Guid}.png`), false);
    assert.ok(files.has(`media/${photos.waiting.Guid}.png`));
    assert.equal(listIn(files, "photos").length, 3);
    assert.ok(files.has("ignores.json"));
  });
});
