import { visitor } from "../pages/visit.ts";
import { getAppToken, getCode, registerClient } from "../sign-in/oauth-app.ts";
import { startTalk } from "../conversations/talking.ts";
import { storeJson } from "../../../src/db/schema/columns/json-text.ts";
import assert from "node:assert/strict";
import { sql } from "kysely";
import type { Tx } from "../../../src/db/db.ts";
import type { UserId } from "../../../src/features/ids.ts";
import type { Person } from "../../../src/features/people/index.ts";
import { timestamp } from "../../../src/lib/time/clock.ts";
import {
  PASSWORD,
  type KithServer,
  type TestPerson,
} from "../server/kith-server.ts";
import { meetRules } from "./crew.ts";
import { picture, pictureForm, upload } from "./pictures.ts";
import { icalOf } from "../caldav/calendar-program.ts";
import { newReceiverKeys } from "../push/push-receiver.ts";
import { aspectOf, plan, shareCalendars } from "./planning.ts";
import { listReferences, nameOf } from "../remote/references.ts";
import { remotePerson } from "../remote/remote-people.ts";
import type {
  CalendarRecord,
  EventRecord,
  PhotoRecord,
  PostRecord,
} from "../server/wire.ts";

/** A person with data of every feature, and a related friend. */
export type WholePerson = {
  readonly who: TestPerson;
  readonly friend: TestPerson;
  /** The friend's post with an event of the person's. */
  readonly announcement: PostRecord;
  /** The friend's post with all possible reactions of the person. */
  readonly theirs: PostRecord;
  readonly event: EventRecord;
  /** Attached, waiting, and of the friend. */
  readonly photos: {
    readonly attached: PhotoRecord;
    readonly waiting: PhotoRecord;
    readonly ofFriend: PhotoRecord;
  };
};

/** Makes one, over HTTP as far as people from here do it. */
export async function wholePerson(kith: KithServer): Promise<WholePerson> {
  const [who, friend] = [await kith.person(), await kith.person()];
  const mine = await aspectOf(who, friend);
  const ours = await aspectOf(friend, who);
  await write(who, friend, mine);
  const theirs = await react(who, friend);
  await friend.post("/posts", { post: "for you alone", aspectID: ours });
  const planned = await planBoth(who, friend, ours);
  await shareCalendars(kith, who, friend);
  await subscribe(kith, who);
  await keepDistance(kith, who);
  await keep(kith, who, friend);
  await choose(kith, who);
  await approve(kith, who);
  await kith.server.features.accounts.signIn(who.username, PASSWORD);
  const photos = await show(who, friend);
  await keepElsewhere(kith, who, theirs);
  await runServer(kith, who);
  await kith.settle();
  await kith.server.features.homes.placeAll();
  return { who, friend, theirs, photos, ...planned };
}

/** A post of the friend's to comment, like and reshare, and a retracted one. */
async function write(who: TestPerson, friend: TestPerson, aspectID: number) {
  for (const sent of [
    { post: `public #tag @{${friend.handle}}` },
    { post: "closed", aspectID },
  ]) {
    const post = await who.post<PostRecord>("/posts", sent);
    await friend.post(`/posts/${post.Guid}/comments`, { comment: "friendly" });
    await friend.post(`/posts/${post.Guid}/likes`);
    if (post.Public) await friend.post(`/posts/${post.Guid}/reshare`);
  }
  const regret = await who.post<PostRecord>("/posts", { post: "regret" });
  await who.delete(`/posts/${regret.Guid}`);
  await ask(who);
}

/** The remaining data, of the administration. */
async function runServer(kith: KithServer, { record, username }: TestPerson) {
  const by = { userId: record.UserID, username };
  const act = { by, action: "host.block", target: "bad.example" } as const;
  await kith.db.transaction(async (tx) => {
    await kith.server.features.audit.recordAct(tx, act);
    const at = timestamp(kith.clock.now());
    await meetRules(kith, tx, { personId: record.ID, thing: username, at });
  });
  await kith.server.features.invitations.create({ ...by, role: "admin" });
}

async function ask(by: TestPerson): Promise<PostRecord> {
  const json = {
    post: "a question",
    poll_question: "Tea?",
    poll_answer: ["yes", "no"],
  };
  const answer = await by.call("POST", "/posts", { json });
  assert.equal(answer.status, 200, answer.text);
  return JSON.parse(answer.text) as PostRecord;
}

async function react(who: TestPerson, friend: TestPerson) {
  const post = await ask(friend);
  const path = `/posts/${post.Guid}`;
  await who.post(`${path}/comments`, { comment: `hello @{${friend.handle}}` });
  await who.post(`${path}/likes`);
  await who.post(`${path}/reshare`);
  const json = { answer: [post.Poll?.Answers[0]?.Guid] };
  const voted = await who.call("POST", `${path}/poll/votes`, { json });
  assert.equal(voted.status, 200, voted.text);
  await friend.post("/posts", { post: `hello @{${who.handle}}` });
  await who.put(`${path}/bookmark`, {});
  const dull = await friend.post<PostRecord>("/posts", { post: "dull" });
  await who.put(`/posts/${dull.Guid}/mute`);
  await who.delete(`/posts/${dull.Guid}`);
  return post;
}

async function planBoth(who: TestPerson, friend: TestPerson, ours: number) {
  const { ID: calendarID } = await who.post<CalendarRecord>("/calendar", {
    name: "Private",
  });
  await who.post(`/calendar/${calendarID}/addresses/secret`);
  await plan(who, { summary: "Dentist", calendarID, announce: false });
  const event = await plan(who, { summary: "Feast" });
  const coming = await plan(who, {
    ...{ start: "2127-03-10T09:00:00Z", end: "2127-03-10T10:00:00Z" },
    ...{ summary: "Reunion", announce: false },
  });
  await who.put(`/calendar/events/${coming.ID}/reminders`, { minutes: "30" });
  const announcement = await friend.post<PostRecord>("/posts", {
    post: "come with me",
    eventID: event.ID,
  });
  assert.equal(announcement.Event?.ID, event.ID);
  await answer(friend, event);
  await answer(who, await plan(friend, { aspectID: ours, summary: "Hush" }));
  return { event, announcement };
}

async function subscribe(kith: KithServer, { record }: TestPerson) {
  const { subscribedCalendars } = kith.server.features;
  const url = "https://club.example/games.ics";
  const game = icalOf("game", "SUMMARY:Home game");
  const found = await subscribedCalendars.subscribe(
    record.UserID,
    { url },
    async () => ({
      ...{ kind: "read", bytes: Buffer.from(game) },
      ...{ etag: null, lastModified: null },
    }),
  );
  assert.ok(typeof found !== "string");
}

function answer(by: TestPerson, { ID }: EventRecord) {
  const status = { status: "accepted" };
  return by.put(`/calendar/events/${ID}/participation`, status);
}

async function keepDistance(kith: KithServer, who: TestPerson) {
  const bore = await kith.person();
  await who.post(`/people/${bore.record.ID}/block`);
  const dull = await kith.person();
  await who.post(`/people/${dull.record.ID}/ignore`);
  await dull.post(`/people/${who.record.ID}/ignore`);
  const shy = await kith.person();
  await shy.post(`/people/${who.record.ID}/block`);
}

/** Somebody waits for the person's answer, and the person for that of another one. */
async function approve(kith: KithServer, who: TestPerson) {
  const shy = await kith.person();
  for (const locked of [who, shy])
    await locked.put("/profile", { Locked: true });
  const asker = await remotePerson(kith, `asks_${who.username}@remote.example`);
  const { contacts } = kith.server.features;
  await contacts.receiveSharing(who.record.UserID, asker.id, true);
  await aspectOf(who, shy);
}

/** Data that programs store for the person, and another person's note about it. */
async function keep(kith: KithServer, who: TestPerson, friend: TestPerson) {
  const { markers, notifications, personNotes, submissions } =
    kith.server.features;
  const { UserID: userId, ID: personId } = who.record;
  await markers.save(userId, new Map([["home", 1]]));
  await notifications.choices.change(userId, { senders: { like: "nobody" } });
  await submissions.once(userId, "key", async () => "1");
  await personNotes.save(userId, friend.record.ID, "a friend");
  await personNotes.save(friend.record.UserID, personId, "whole");
}

async function choose(kith: KithServer, who: TestPerson) {
  const session = visitor(kith.baseUrl);
  const { username } = who;
  await session.post("/users/sign_in", { username, password: PASSWORD });
  await getAppToken(kith.baseUrl, session, "read");
  await receivePushes(kith, who);
  await getCode(session, await registerClient(kith.baseUrl));
  await who.post("/app_passwords", { name: "Phone", password: PASSWORD });
  await who.post("/users/streams", { name: "mine", tags: "#tea" });
  await who.post("/tags/cake");
  const { announcements } = kith.server.features;
  const { id } = await announcements.publish(null, { text: "Tea at five" });
  await announcements.dismiss(who.record.UserID, id);
  await announcements.react(who.record.UserID, id, "🫖");
  await kith.server.features.featuredTags.add(who.record.UserID, "tea");
  await receiveMails(kith, who);
  await who.post("/blocks/hosts", { host: "loud.example" });
  await who.post("/filters", {
    ...{ title: "no spoilers", context: "home", keyword: "finale" },
  });
  const zone = { Locale: "de", TimeZone: "Europe/Berlin" };
  await who.put("/settings", { ...zone, Audience: "unlisted" });
}

async function receiveMails(
  { db, server }: KithServer,
  { record: { UserID: userId } }: TestPerson,
) {
  const daily = { frequency: "daily" } as const;
  await server.features.mails.change({ userId, role: "user" }, daily);
  await db.transaction(async (tx) => {
    await tx
      .updateTable("mail_addresses")
      .set({ address: "who@mail.example", address_key: "who@mail.example" })
      .where("user_id", "=", userId)
      .execute();
    await tx
      .insertInto("password_resets")
      .values({
        ...{ token_hash: String(userId).padStart(64, "0"), user_id: userId },
        address_key: "who@mail.example",
        expires_at: "2999-01-01T00:00:00.000Z",
      })
      .execute();
  });
}

async function receivePushes(kith: KithServer, { record, token }: TestPerson) {
  const { pair, auth } = newReceiverKeys();
  await kith.server.features.push.subscribe(
    record.UserID,
    { token },
    {
      target: {
        endpoint: "https://push.example/device",
        p256dh: pair.getPublicKey("base64url"),
        auth: auth.toString("base64url"),
      },
      ...{ encoding: "aes128gcm", alerts: [], policy: "all" },
    },
  );
}

async function show(who: TestPerson, friend: TestPerson) {
  const attached = await upload(who, undefined, { text: "a wall" });
  await who.post("/posts", { post: "look", photoID: attached.ID });
  await startTalk(friend, [who.record.ID]);
  const waiting = await upload(who);
  await who.post("/drafts", { post: "not yet", photoID: waiting.ID });
  const ofFriend = await upload(friend);
  await friend.post("/posts", { post: "look", photoID: ofFriend.ID });
  const bytes = await picture(60, 60).jpeg().toBuffer();
  const multipart = pictureForm(bytes, { FirstName: "Whole", Bio: "about me" });
  const changed = await who.call("PUT", "/profile", { multipart });
  assert.equal(changed.status, 200, changed.text);
  return { attached, waiting, ofFriend };
}

/** Data that only other servers and programs cause, written as they would be. */
async function keepElsewhere(
  kith: KithServer,
  { record, handle, username }: TestPerson,
  post: PostRecord,
) {
  const { db, clock, server } = kith;
  const { posts } = server.features;
  const personId = record.ID;
  await posts.subscribe(post.ID, personId);
  const userId = record.UserID;
  const now = clock.now().toISOString();
  const past = await remotePerson(kith, `past_of_${username}@remote.example`);
  await db.transaction(async (tx) => {
    await server.features.people.markMoved(tx, past.id, personId);
    await tx
      .insertInto("move_documents")
      .values({
        person_id: record.ID,
        document: "never sent",
        public: true,
        created_at: now,
      })
      .execute();
    await tx
      .insertInto("reactions")
      .values({
        uri: `https://remote.example/reactions/${username}`,
        post_id: post.ID,
        comment_id: null,
        person_id: record.ID,
        emoji: "🔥",
        emoji_url: null,
        created_at: now,
      })
      .execute();
    await tx
      .insertInto("reports")
      .values({
        guid: `about ${username}`,
        host: "remote.example",
        person_id: record.ID,
        objects: storeJson([]),
        text: "rude",
        created_at: now,
      })
      .execute();
    await tx
      .insertInto("reports")
      .values({
        guid: `by ${username}`,
        host: "remote.example",
        reporter_id: record.ID,
        person_id: past.id,
        target_kind: "person",
        target_guid: "0123456789abcdef",
        objects: storeJson([]),
        text: "rude, too",
        created_at: now,
      })
      .execute();
    await tx
      .insertInto("person_decisions")
      .values({
        person_id: record.ID,
        suspended: false,
        suspension_reason: "",
        suspended_at: null,
        silenced: true,
        silence_reason: "loud",
        silenced_at: now,
      })
      .execute();
    await tx
      .insertInto("strikes")
      .values({
        guid: `of ${username}`,
        person_id: record.ID,
        action: "silence",
        message: "too loud",
        excerpt: null,
        created_at: now,
        appeal: "not that loud",
        appealed_at: now,
      })
      .execute();
    await tx
      .insertInto("imports")
      .values({
        ...{ user_id: userId, file_key: "", file_name: "follows.csv" },
        ...{ state: "done", created_at: now, changed_at: now, ended_at: now },
      })
      .execute();
    await tx
      .insertInto("newcomer_acts")
      .values({ user_id: userId, kind: "write", at: now })
      .execute();
    await tx
      .insertInto("sent_activities")
      .values({
        guid: `sent by ${handle}`,
        person_id: record.ID,
        public: true,
        addressees: "[]",
        document: "{}",
        created_at: now,
      })
      .execute();
    const message = await tx
      .insertInto("inbound_messages")
      .values({
        protocol: "diaspora",
        message_id: `to ${handle}`,
        recipient_user_id: userId,
        verified: true,
        outcome: "ok",
        received_at: now,
        processed_at: now,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await tx
      .insertInto("unproven_messages")
      .values({
        message_id: message.id,
        recipient_user_id: userId,
        network: "192.0.2.1",
        known: false,
        bytes: 1,
        received_at: now,
      })
      .execute();
    await keepWaysIn(tx, userId, now);
    const signed = JSON.stringify([["author", handle]]);
    for (const [kind, table] of SIGNED)
      await sql`insert into relayable_signatures (kind, guid, properties, author_signature)
        select ${kind}, guid, ${signed}, '' from ${sql.table(table)}
        where person_id = ${record.ID}`.execute(tx);
    await tx
      .insertInto("relayable_signatures")
      .values({
        kind: "Comment",
        guid: `retracted by ${handle}`,
        properties: signed,
        author_signature: "",
      })
      .execute();
  });
}

/** Written as they are stored: set up over HTTP, the second factor would end the token. */
async function keepWaysIn(tx: Tx, userId: UserId, now: string) {
  const of = { user_id: userId, expires_at: now };
  await tx
    .insertInto("second_factors")
    .values({
      ...{ user_id: userId, secret_sealed: "sealed", last_step: 0 },
      ...{ confirmed_at: now, created_at: now },
    })
    .execute();
  await tx
    .insertInto("recovery_codes")
    .values({ user_id: userId, code_hash: "hash" })
    .execute();
  await tx
    .insertInto("pending_sign_ins")
    .values({ ...of, id_hash: `waits ${userId}` })
    .execute();
  await tx
    .insertInto("passkey_challenges")
    .values({ ...of, challenge_hash: `asked ${userId}` })
    .execute();
  await tx
    .insertInto("passkeys")
    .values({
      ...{ user_id: userId, credential_id: `device of ${userId}` },
      ...{
        public_key: new Uint8Array(1),
        counter: 0,
        transports: storeJson([]),
      },
      ...{ name: "phone", created_at: now },
    })
    .execute();
}

/** Objects that diaspora* servers sign one by one. */
export const SIGNED = [
  ["Comment", "comments"],
  ["Like", "likes"],
  ["EventParticipation", "participations"],
  ["PollParticipation", "poll_votes"],
] as const;

/** The initial data of every person, and the data of users only. */
const OWN = [
  "people.user_id",
  "person_keys.person_id",
  "profiles.person_id",
  "remote_people.person_id",
];

/** Assigns all data of a local person to another one, as if it were remote. */
export async function giveEverythingTo(
  kith: KithServer,
  { record }: TestPerson,
  other: Person,
): Promise<void> {
  const references = await listReferences(kith);
  await kith.db.transaction(async (tx) => {
    for (const reference of references) {
      if (reference.to !== "people" || OWN.includes(nameOf(reference)))
        continue;
      const { table, column } = reference;
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${other.id}
        where ${sql.ref(column)} = ${record.ID}`.execute(tx);
    }
  });
}
