import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { AFTER_DELIVERIES_MS } from "../../src/federation/leaving-steps.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../support/server/kith-server.ts";
import { storedFiles } from "../support/scenes/pictures.ts";
import { countReferences } from "../support/remote/references.ts";
import { remotePerson } from "../support/remote/remote-people.ts";
import { DAY_MS } from "../support/server/test-clock.ts";
import { columnsHolding, KEPT, tracesOf } from "../support/server/traces.ts";
import {
  giveEverythingTo,
  SIGNED,
  wholePerson,
  type WholePerson,
} from "../support/scenes/whole-person.ts";
import type {
  EventRecord,
  NotificationRecord,
  PostRecord,
} from "../support/server/wire.ts";

/** Ids of received messages are remembered for a month, to recognize repetitions. */
const FORGOTTEN_AFTER_MS = 31 * DAY_MS;
/** The data that only remote people have. */
const OF_OTHERS = ["person_keys.person_id", "remote_people.person_id"];

forEachDatabase((kind) => {
  const kith = useKith(kind);

  const pass = async (ms: number) => {
    kith().clock.advance(ms);
    await kith().settle();
  };

  const leave = async (who: TestPerson) => {
    const form = { password: PASSWORD };
    const answer = await who.call("DELETE", "/users", { form });
    assert.equal(`${answer.status} ${answer.text}`, "200 {}");
  };

  /** The columns that could name this person, and do not. */
  const unusedBy = async (personId: number, userId: number | null) => {
    const counts = await countReferences(kith(), personId, userId);
    return [...counts].flatMap(([name, rows]) => (rows === 0 ? [name] : []));
  };

  const guidsOf = async (personId: number, table: string) => {
    const { rows } = await sql<{ guid: string }>`select guid
      from ${sql.table(table)} where person_id = ${personId}`.execute(
      kith().db.read,
    );
    return rows.map(({ guid }) => guid);
  };

  const signedBy = async (personId: number) =>
    (
      await Promise.all(SIGNED.map(([, table]) => guidsOf(personId, table)))
    ).flat();

  const countSignatures = async (guids: string[]) => {
    const rows = await kith()
      .db.read.selectFrom("relayable_signatures")
      .select("guid")
      .where("guid", "in", guids)
      .execute();
    return rows.length;
  };

  const filesOf = async (guids: readonly string[]) =>
    (await storedFiles(kith())).filter((name) =>
      guids.some((guid) => name.startsWith(guid)),
    );

  /** The friend's data is unchanged, without the other one's content. */
  const assertFriendGoesOn = async (whole: WholePerson) => {
    const { friend, theirs, announcement, event, photos } = whole;
    const post = await friend.get<PostRecord>(`/posts/${theirs.Guid}`);
    assert.deepEqual(
      [post.CommentsCount, post.LikesCount, post.ResharesCount],
      [0, 0, 0],
    );
    assert.deepEqual(
      post.Poll?.Answers.map(({ Votes }) => Votes),
      [0, 0],
    );
    const left = await friend.get<PostRecord>(`/posts/${announcement.Guid}`);
    assert.equal(left.Event, null);
    assert.equal(left.Text, "come with me");
    await friend.notFound("GET", `/calendar/events/${event.ID}`);
    const events = await friend.get<EventRecord[]>("/calendar/events");
    const own = events.find(({ Summary }) => Summary === "Hush");
    assert.deepEqual(own?.Participations, []);
    const notifications =
      await friend.get<NotificationRecord[]>("/notifications");
    assert.deepEqual(notifications, []);
    assert.equal((await filesOf([photos.ofFriend.Guid])).length, 5);
  };

  test("no table and no folder refers to a deleted account, except for required records", async () => {
    const whole = await wholePerson(kith());
    const { ID, UserID } = whole.who.record;
    assert.deepEqual(
      await unusedBy(ID, UserID),
      OF_OTHERS,
      "there is something in every table, or its step is not tested; these are of people elsewhere",
    );
    const photos = await guidsOf(ID, "photos");
    assert.equal(photos.length, 3);
    assert.equal((await filesOf(photos)).length, 13);
    const signed = await signedBy(ID);
    assert.equal(await countSignatures(signed), signed.length);
    await leave(whole.who);
    await kith().settle();
    assert.deepEqual(await tracesOf(kith(), ID, UserID), []);
    assert.deepEqual(await filesOf(photos), []);
    assert.equal(await countSignatures(signed), 0);
    await assertFriendGoesOn(whole);
    const account = await kith()
      .db.read.selectFrom("users")
      .select(["password_hash", "locale", "time_zone", "last_seen_at"])
      .where("id", "=", UserID)
      .executeTakeFirst();
    assert.deepEqual(
      { ...account },
      { password_hash: "", locale: "en", time_zone: "UTC", last_seen_at: null },
    );
    const person = await kith().server.features.people.find({
      id: ID,
    });
    assert.deepEqual([person?.profile.bio, person?.profile.imageUrl], ["", ""]);
    await kith().server.prepare();
    await pass(AFTER_DELIVERIES_MS);
    await pass(FORGOTTEN_AFTER_MS);
    assert.deepEqual(await tracesOf(kith(), ID, UserID, "for ever"), []);
    const { handle, record } = whole.who;
    assert.deepEqual(
      await columnsHolding(kith(), [
        ...[handle, record.Guid, whole.event.Guid, "Dentist"],
        ...photos,
      ]),
      ["people.guid", "people.handle", "posts.text"],
      "but for the name, only the friend's post still mentions it",
    );
    const kept = await unusedBy(ID, UserID);
    for (const name of Object.keys(KEPT))
      assert.ok(
        OF_OTHERS.includes(name) || !kept.includes(name),
        `${name} would not have to be kept`,
      );
  });

  test("the same for a remote person", async () => {
    const whole = await wholePerson(kith());
    const zoe = await remotePerson(kith(), "zoe@remote.example");
    await giveEverythingTo(kith(), whole.who, zoe);
    assert.deepEqual(await unusedBy(zoe.id, null), []);
    const photos = await guidsOf(zoe.id, "photos");
    const signed = await signedBy(zoe.id);
    assert.equal(await countSignatures(signed), signed.length);
    await kith().server.features.leaving.receive(zoe.id);
    await kith().settle();
    assert.deepEqual(await tracesOf(kith(), zoe.id, null), []);
    assert.deepEqual(await filesOf(photos), []);
    assert.equal(await countSignatures(signed), 0);
    await assertFriendGoesOn(whole);
    await pass(AFTER_DELIVERIES_MS);
    assert.deepEqual(await tracesOf(kith(), zoe.id, null, "for ever"), []);
  });
});
