import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { ApiClient, type Json } from "../support/api-client.ts";
import { eventually, KithProcess } from "../support/kith-process.ts";
import { combinationsInTime, type Combination } from "../support/long-run.ts";

for (const options of combinationsInTime())
  describe(`messages, ${options.protocols}, ${options.database}`, () =>
    writeToEachOther(options));

/** Ann and Abe on one server, and Bob on another, write to each other. */
function writeToEachOther(options: Combination): void {
  let one: KithProcess;
  let two: KithProcess;
  let ann: ApiClient;
  let abe: ApiClient;
  let bob: ApiClient;

  before(async () => {
    [one, two] = await Promise.all([
      KithProcess.start(options),
      KithProcess.start(options),
    ]);
    ann = await ApiClient.signUp(one.baseUrl, "ann");
    abe = await ApiClient.signUp(one.baseUrl, "abe");
    bob = await ApiClient.signUp(two.baseUrl, "bob");
    await befriend(bob, one.handle("ann"));
    await befriend(ann, two.handle("bob"));
  });
  after(async () => {
    await Promise.all([one.remove(), two.remove()]);
  });

  const seen = (by: ApiClient, handle: string) =>
    by.post("/search", { handle });

  async function befriend(by: ApiClient, handle: string): Promise<void> {
    const person = await seen(by, handle);
    const aspect = await by.post("/aspects", { aspect_name: "friends" });
    const ids = [String(person["ID"]), String(aspect["ID"])] as const;
    await by.post(`/people/${ids[0]}/aspects/${ids[1]}`);
  }

  async function talkOf(by: ApiClient): Promise<Json> {
    const [talk, ...more] = await by.getList("/conversations");
    assert.equal(more.length, 0);
    return talk ?? assert.fail("no conversation");
  }

  const pathOf = (talk: Json) => `/conversations/${String(talk["ID"])}`;

  async function say(by: ApiClient, text: string): Promise<void> {
    await by.post(`${pathOf(await talkOf(by))}/messages`, { text });
  }

  async function textsOf(by: ApiClient): Promise<unknown[]> {
    const path = `${pathOf(await talkOf(by))}/messages`;
    return (await by.getList(path)).map((message) => message["Text"]).reverse();
  }

  test("Ann starts a conversation, which Bob finds unread", async () => {
    const ids = [one.handle("abe"), two.handle("bob")].map(async (handle) =>
      String((await seen(ann, handle))["ID"]),
    );
    const started = await ann.post("/conversations", {
      personID: await Promise.all(ids),
      subject: "Saturday",
      text: "Shall we?",
    });
    assert.equal(started["MayNotArrive"], undefined);
    await eventually(async () => {
      const talk = await talkOf(bob);
      assert.equal(talk["Subject"], "Saturday");
      assert.equal(talk["Unread"], 1);
      const participants = talk["Participants"] as Json[];
      assert.deepEqual(
        participants.map((person) => person["Author"]).sort(),
        [one.handle("ann"), one.handle("abe"), two.handle("bob")].sort(),
      );
      const [notice] = (await bob.getList("/notifications")).filter(
        (it) => it["ShareableType"] === "Post",
      );
      assert.equal(notice?.["Unread"], true);
    });
    const posts = await bob.getList("/posts");
    assert.deepEqual(
      posts.map((post) => post["Text"]),
      ["Shall we?"],
    );
  });

  test("each message reaches all others once", async () => {
    await say(bob, "Gladly");
    const first = ["Shall we?", "Gladly"];
    await eventually(async () => {
      assert.deepEqual(await textsOf(ann), first);
      assert.deepEqual(await textsOf(abe), first);
    });
    await say(abe, "Me, too");
    await eventually(async () => {
      assert.deepEqual(await textsOf(bob), [...first, "Me, too"]);
    });
    await say(ann, "At eight");
    await eventually(async () => {
      for (const by of [ann, abe, bob])
        assert.deepEqual(await textsOf(by), [...first, "Me, too", "At eight"]);
    });
    assert.equal((await talkOf(bob))["Unread"], 2);
    await bob.call("PUT", `${pathOf(await talkOf(bob))}/read`);
    assert.equal((await bob.getRecord("/conversations/unread"))["Unread"], 0);
  });

  test("Bob hides it, and the next message brings it back", async () => {
    await bob.delete(pathOf(await talkOf(bob)));
    assert.deepEqual(await bob.getList("/conversations"), []);
    await say(ann, "Still coming?");
    await eventually(async () => {
      assert.equal((await talkOf(bob))["Unread"], 1);
    });
  });
}
