import assert from "node:assert/strict";
import { afterEach, before, test } from "node:test";
import { runHeldCommand } from "../../src/cli/commands/moderation/held-commands.ts";
import { hiddenFields, visitor } from "../support/pages/visit.ts";
import { useHostServers } from "../support/remote/host-town.ts";
import { actorOf, objectOf } from "../support/remote/linked-data.ts";
import { idOf } from "../support/remote/proving-actor.ts";
import { podComment } from "../support/remote/pod-entities.ts";
import type { RemoteActor } from "../support/remote/remote-server.ts";
import { actsSince, lastAct } from "../support/scenes/crew.ts";
import { upload } from "../support/scenes/pictures.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { PASSWORD, type TestPerson } from "../support/server/kith-server.ts";
import type {
  AspectRecord,
  CommentRecord,
  PostRecord,
} from "../support/server/wire.ts";

type Held = {
  readonly ID: number;
  readonly Guid: string;
  readonly Type: string;
  readonly Text: string;
  readonly Public: boolean;
  readonly PostGuid: string | null;
  readonly Rule: string;
};

const ADMIN = "/admin/held-texts";
const SPAM = "win free coins";

forEachDatabase((kind) => {
  const { kith, good, goodPod } = useHostServers(kind);
  let boss: TestPerson;
  let keeper: TestPerson;
  let ann: TestPerson;
  before(async () => {
    boss = await kith().person({ role: "admin" });
    keeper = await kith().person({ role: "moderator" });
    ann = await kith().person();
    await boss.post("/admin/spam-rules", {
      ...{ name: "coins", phrase: "free coins", action: "hold", on: true },
    });
    await boss.put("/admin/server", { newcomer_days: 30 });
  });
  afterEach(async () => {
    const all = { offset: 0, limit: 100 };
    const { heldTexts } = kith().server.features;
    for (const { id } of await heldTexts.list(all))
      await heldTexts.decide(null, id, "refuse");
    await kith().settle();
  });

  const waiting = () => keeper.get<Held[]>(ADMIN);
  const decide = (id: number | undefined, decision: "approve" | "refuse") =>
    keeper.post(`${ADMIN}/${id}/${decision}`, {});
  const only = async (): Promise<Held> => {
    const [held, ...more] = await waiting();
    assert.ok(held);
    assert.deepEqual(more, []);
    return held;
  };
  const statusFor = async (reader: TestPerson, guid: string) =>
    (await reader.call("GET", `/posts/${guid}`)).status;
  const jobs = async () => {
    const rows = await kith()
      .db.read.selectFrom("jobs")
      .select("kind")
      .where("kind", "in", ["fan-out", "notify", "deliver"])
      .execute();
    return rows.length;
  };
  let names = 0;
  const stranger = () => good().actor(`held${(names += 1)}`);
  const send = async (
    by: RemoteActor,
    object: ReturnType<RemoteActor["note"]>,
  ) => {
    const { to = [], cc = [] } = object;
    await by.deliver(kith(), by.activity("Create", { to, cc, object }));
    await kith().settle();
  };
  /** A public note that mentions ann: others of strangers are not kept. */
  const mention = (by: RemoteActor, content: string) => {
    const href = actorOf(kith(), ann.username);
    const tag = [{ type: "Mention", href, name: `@${ann.username}` }];
    return by.note({ content, cc: [href], tag });
  };
  const findNote = (note: ReturnType<RemoteActor["note"]>) =>
    kith().server.features.posts.find({ uri: idOf(note) });

  test("a held post is its author's alone, until it is approved and delivered", async () => {
    const eve = await kith().person();
    const fan = stranger();
    await fan.deliver(
      kith(),
      fan.activity("Follow", { object: actorOf(kith(), eve.username) }),
    );
    await ann.post(
      `/people/${eve.record.ID}/aspects/${(await aspectOf(ann)).ID}`,
      {},
    );
    await kith().settle();
    const text = `${SPAM} #coins, @{${ann.handle}}`;
    const post = await eve.post<PostRecord>("/posts", { post: text });
    assert.equal(await jobs(), 0, "Nobody learns of it");
    assert.equal(post.Public, false);
    assert.equal(await statusFor(eve, post.Guid), 200);
    for (const reader of [ann, keeper])
      assert.equal(await statusFor(reader, post.Guid), 404);
    const lists = async (reader: TestPerson) => {
      const found = await Promise.all([
        reader.get<PostRecord[]>("/posts", { visibility: 0 }),
        reader.get<PostRecord[]>("/posts", { visibility: 1 }),
        reader.get<PostRecord[]>(`/people/${eve.record.ID}/stream`),
        reader.get<PostRecord[]>("/home"),
        reader.get<PostRecord[]>("/tags/coins/posts"),
      ]);
      return found.map((some) => some.some(({ Guid }) => Guid === post.Guid));
    };
    assert.deepEqual(await lists(ann), [false, false, false, false, false]);
    const page = await fetch(`${kith().baseUrl}/posts/${post.Guid}`);
    assert.equal(page.status, 404);
    const object = await fetch(objectOf(kith(), post.Guid), {
      headers: { accept: "application/activity+json" },
    });
    assert.equal(object.status, 404);
    const overview = await keeper.get<{ HeldTexts: number }>("/admin/overview");
    assert.equal(overview.HeldTexts, 1);
    const held = await only();
    assert.deepEqual(
      [held.Text, held.Type, held.Public, held.Rule, held.Guid],
      [text, "post", true, "coins", post.Guid],
    );
    const own = await eve.get<Held[]>("/held_texts");
    assert.deepEqual(
      own.map(({ ID }) => ID),
      [held.ID],
    );
    assert.deepEqual(await ann.get<Held[]>("/held_texts"), []);
    const last = await lastAct(kith());
    await decide(held.ID, "approve");
    assert.deepEqual(await actsSince(kith(), last), [
      `${keeper.username}: held_text.approve ${held.ID}`,
    ]);
    await kith().settle();
    assert.deepEqual(await lists(ann), [true, true, true, true, true]);
    assert.deepEqual(await eve.get<Held[]>("/held_texts"), []);
    const news = await ann.get<{ ShareableGuid: string }[]>("/notifications");
    assert.ok(news.some(({ ShareableGuid }) => ShareableGuid === post.Guid));
    const delivered = good().ofType("Create");
    assert.ok(
      delivered.some((it) => JSON.stringify(it.activity).includes(post.Guid)),
      "The follower elsewhere gets it",
    );
    await keeper.notFound("POST", `${ADMIN}/${held.ID}/approve`);
  });

  const aspectOf = async (who: TestPerson) =>
    who.post<AspectRecord>("/aspects", { aspect_name: `a${(names += 1)}` });

  test("a limited one reaches exactly its recipients", async () => {
    const eve = await kith().person();
    const bob = await kith().person();
    const aspect = await aspectOf(eve);
    await eve.post(`/people/${ann.record.ID}/aspects/${aspect.ID}`, {});
    const post = await eve.post<PostRecord>("/posts", {
      ...{ post: `${SPAM} for few`, aspectID: aspect.ID },
    });
    const held = await only();
    assert.equal(held.Public, false);
    assert.equal(await statusFor(ann, post.Guid), 404);
    await decide(held.ID, "approve");
    await kith().settle();
    assert.equal(await statusFor(ann, post.Guid), 200);
    assert.equal(await statusFor(bob, post.Guid), 404);
    const read = await eve.get<PostRecord>(`/posts/${post.Guid}`);
    assert.deepEqual(read.Audience?.Names, [aspect.Name]);
  });

  test("its picture and its poll wait with it, and come with it", async () => {
    const eve = await kith().person();
    const { ID: photoID } = await upload(eve);
    const sent = await eve.call("POST", "/posts", {
      json: {
        ...{ post: `${SPAM}?`, photoID, poll_question: "Coins?" },
        poll_answer: ["yes", "no"],
      },
    });
    assert.equal(sent.status, 200, sent.text);
    const post = JSON.parse(sent.text) as PostRecord;
    const url = post.Photos[0]?.Url ?? assert.fail("There is no picture");
    const seen = async (reader: TestPerson) =>
      (await fetch(url, { headers: { access_token: reader.token } })).status;
    assert.equal(await seen(eve), 200);
    assert.equal(await seen(ann), 404);
    assert.equal((await fetch(url)).status, 404);
    await decide((await only()).ID, "approve");
    await kith().settle();
    assert.equal((await fetch(url)).status, 200);
    const read = await ann.get<PostRecord>(`/posts/${post.Guid}`);
    assert.equal(read.Photos.length, 1);
    assert.equal(read.Poll?.Question, "Coins?");
  });

  test("a refused one is deleted, and its author may appeal", async () => {
    const eve = await kith().person();
    const post = await eve.post<PostRecord>("/posts", { post: SPAM });
    const { ID } = await only();
    await keeper.badRequest("POST", `${ADMIN}/${ID}/refuse`, {
      form: { message: "m".repeat(1_001) },
    });
    await keeper.post(`${ADMIN}/${ID}/refuse`, { message: "no adverts" });
    await kith().settle();
    assert.equal(await statusFor(eve, post.Guid), 404);
    assert.deepEqual(await eve.get<Held[]>("/held_texts"), []);
    const [strike] =
      await eve.get<
        { ID: number; Action: string; Message: string; Excerpt: string }[]
      >("/strikes");
    assert.deepEqual(
      [strike?.Action, strike?.Message, strike?.Excerpt],
      ["remove_post", "no adverts", SPAM],
    );
    await eve.post(`/strikes/${strike?.ID}/appeal`, { text: "it was a joke" });
    await keeper.notFound("POST", `${ADMIN}/${ID}/refuse`);
  });

  test("a held comment is stored nowhere else, once, and comes when it is approved", async () => {
    const eve = await kith().person();
    const post = await ann.post<PostRecord>("/posts", { post: "hello" });
    const write = () =>
      eve.call("POST", `/posts/${post.ID}/comments`, {
        form: { comment: SPAM },
      });
    for (const answer of [await write(), await write()]) {
      assert.equal(answer.status, 400);
      assert.match(answer.text, /until a moderator decides/);
    }
    const comments = () =>
      ann.get<CommentRecord[]>(`/posts/${post.ID}/comments`);
    assert.deepEqual(await comments(), []);
    const held = await only();
    assert.deepEqual(
      [held.Type, held.Text, held.PostGuid],
      ["comment", SPAM, post.Guid],
    );
    await kith().settle();
    await decide(held.ID, "approve");
    await kith().settle();
    assert.deepEqual(
      (await comments()).map(({ Guid, Text }) => [Guid, Text]),
      [[held.Guid, SPAM]],
    );
    const news = await ann.get<{ ShareableGuid: string }[]>("/notifications");
    assert.ok(news.some(({ ShareableGuid }) => ShareableGuid === held.Guid));
    // The author of the post deletes it before a decision: the comment goes with it.
    assert.equal(
      (
        await eve.call("POST", `/posts/${post.ID}/comments`, {
          form: { comment: `${SPAM} again` },
        })
      ).status,
      400,
    );
    await ann.delete(`/posts/${post.Guid}`);
    assert.deepEqual(await waiting(), []);
  });

  test("a comment with an upload does not wait, and files from elsewhere wait with their comment", async () => {
    const eve = await kith().person();
    const post = await ann.post<PostRecord>("/posts", { post: "hello" });
    const { ID } = await upload(eve);
    const refused = await eve.call("POST", `/posts/${post.ID}/comments`, {
      json: { comment: SPAM, photoID: [ID] },
    });
    assert.equal(refused.status, 400);
    assert.match(refused.text, /A rule of this server refuses/);
    assert.deepEqual(await waiting(), []);
    const url = "https://pictures.example/coins.png";
    const mediaType = "image/png";
    const attachment = [{ type: "Document", mediaType, url, name: "Coins" }];
    const note = {
      ...mention(stranger(), `<p>${SPAM}</p>`),
      ...{ inReplyTo: objectOf(kith(), post.Guid), attachment },
    };
    await send(stranger(), note);
    assert.deepEqual(await waiting(), [], "It is not of its sender");
    const dan = stranger();
    await send(dan, {
      ...mention(dan, `<p>${SPAM}</p>`),
      ...{ inReplyTo: objectOf(kith(), post.Guid), attachment },
    });
    const held = await only();
    assert.equal(held.Text, `${SPAM}\n\n${url}`);
    await decide(held.ID, "approve");
    const read = await ann.get<PostRecord>(`/posts/${post.Guid}`);
    const [comment] = read.Comments;
    assert.equal(comment?.Text, SPAM);
    assert.deepEqual(
      (comment?.Photos ?? []).map(({ Url, Text }) => [Url, Text]),
      [[url, "Coins"]],
    );
  });

  test("messages wait, too, and edits are refused", async () => {
    const eve = await kith().person();
    const talk = await eve.post<{ Guid: string }>("/conversations", {
      ...{ text: SPAM, personID: ann.record.ID },
    });
    assert.equal(
      (await ann.call("GET", `/conversations/${talk.Guid}`)).status,
      404,
    );
    await decide((await only()).ID, "approve");
    await kith().settle();
    assert.equal(
      (await ann.call("GET", `/conversations/${talk.Guid}`)).status,
      200,
    );
    const mine = await eve.post<PostRecord>("/posts", { post: "hello" });
    const edited = await eve.call("PUT", `/posts/${mine.ID}`, {
      form: { post: SPAM },
    });
    assert.equal(edited.status, 400);
    // Its event would be seen without the post.
    const { ID: eventID } = await eve.post<{ ID: number }>("/calendar/events", {
      ...{ name: "a walk", start: "2027-01-02T10:00:00Z" },
      ...{ end: "2027-01-02T11:00:00Z", announce: false },
    });
    const planned = await eve.call("POST", "/posts", {
      form: { post: SPAM, eventID, aspectID: (await aspectOf(eve)).ID },
    });
    assert.equal(planned.status, 400, planned.text);
    assert.match(planned.text, /A rule of this server refuses/);
    assert.deepEqual(await waiting(), []);
  });

  test("its author withdraws it, and nobody else does", async () => {
    const eve = await kith().person();
    const post = await eve.post<PostRecord>("/posts", { post: SPAM });
    const { ID } = await only();
    await ann.notFound("DELETE", `/held_texts/${ID}`);
    for (const [method, path] of [
      ["GET", ADMIN],
      ["POST", `${ADMIN}/${ID}/approve`],
      ["POST", `${ADMIN}/${ID}/refuse`],
    ] as const)
      assert.equal((await eve.call(method, path)).status, 403);
    await eve.delete(`/held_texts/${ID}`);
    assert.deepEqual(await waiting(), []);
    assert.equal(await statusFor(eve, post.Guid), 404);
    assert.deepEqual(await eve.get<unknown[]>("/strikes"), []);
  });

  test("posts of ActivityPub wait once, for everybody or for few", async () => {
    const eve = stranger();
    const open = mention(eve, `<p>${SPAM}</p>`);
    await send(eve, open);
    await send(eve, open);
    const held = await only();
    const stored = await findNote(open);
    assert.ok(stored);
    assert.equal(await statusFor(ann, stored.guid), 404);
    await decide(held.ID, "approve");
    await kith().settle();
    assert.equal(await statusFor(ann, stored.guid), 200);
    const bob = await kith().person();
    const few = eve.note({
      ...{ content: `<p>${SPAM} for few</p>`, cc: [] },
      to: [ann, bob].map(({ username }) => actorOf(kith(), username)),
    });
    await send(eve, few);
    const limited = await findNote(few);
    assert.ok(limited);
    for (const reader of [ann, bob])
      assert.equal(await statusFor(reader, limited.guid), 404);
    await decide((await only()).ID, "approve");
    for (const reader of [ann, bob])
      assert.equal(await statusFor(reader, limited.guid), 200);
    assert.equal(await statusFor(await kith().person(), limited.guid), 404);
  });

  test("texts that are refused, or taken back by their server, do not come", async () => {
    const eve = stranger();
    const note = mention(eve, `<p>${SPAM}</p>`);
    await send(eve, note);
    await decide((await only()).ID, "refuse");
    await send(eve, note);
    assert.deepEqual(await waiting(), []);
    const post = await ann.post<PostRecord>("/posts", { post: "hello" });
    const inReplyTo = objectOf(kith(), post.Guid);
    const reply = eve.note({ inReplyTo, content: `<p>${SPAM}</p>` });
    await send(eve, reply);
    const changed = { ...reply, content: `<p>${SPAM}, more</p>` };
    await send(eve, changed);
    assert.equal((await only()).Text, `${SPAM}, more`);
    await eve.deliver(
      kith(),
      eve.activity("Delete", {
        ...{ to: reply["to"] ?? [], object: idOf(reply) },
      }),
    );
    await kith().settle();
    assert.deepEqual(await waiting(), []);
    await send(eve, reply);
    assert.deepEqual(await waiting(), []);
    const comments = await ann.get<unknown[]>(`/posts/${post.ID}/comments`);
    assert.deepEqual(comments, []);
  });

  test("a comment of diaspora* is passed on once it is approved", async () => {
    const gus = goodPod().person("gus");
    const post = await ann.post<PostRecord>("/posts", { post: "hello" });
    await gus.deliver(kith(), await podComment(gus, post.Guid, { text: SPAM }));
    await kith().settle();
    const held = await only();
    assert.equal(await jobs(), 0);
    await decide(held.ID, "approve");
    assert.equal(await jobs(), 2, "It is fanned out, and notifies");
    await kith().settle();
    const [comment] = await ann.get<CommentRecord[]>(
      `/posts/${post.ID}/comments`,
    );
    assert.equal(comment?.Guid, held.Guid);
  });

  test("nothing of a suspended author is approved, and one cannot fill the list", async () => {
    const eve = await kith().person();
    for (let n = 0; n < 20; n += 1)
      await eve.post("/posts", { post: `${SPAM} ${n}` });
    const more = { form: { post: `${SPAM} more` } };
    assert.equal((await eve.call("POST", "/posts", more)).status, 400);
    const held = await waiting();
    const { heldTexts } = kith().server.features;
    assert.equal(await heldTexts.count(), 20);
    await keeper.put(`/admin/people/${eve.record.ID}/suspension`, {});
    const { status } = await keeper.call(
      ...(["POST", `${ADMIN}/${held[0]?.ID}/approve`] as const),
    );
    assert.equal(status, 409);
    assert.equal(await heldTexts.count(), 20);
  });

  test("pages show, decide and withdraw, and so does the command line", async () => {
    const eve = await kith().person();
    const browserOf = async ({ username }: TestPerson) => {
      const browser = visitor(kith().baseUrl);
      await browser.post("/users/sign_in", { username, password: PASSWORD });
      return browser;
    };
    const [hers, his] = [await browserOf(eve), await browserOf(keeper)];
    const written = await eve.post<PostRecord>("/posts", { post: SPAM });
    assert.match(
      (await hers.get(`/posts/${written.Guid}`)).text,
      /holds this post until a moderator decides/,
    );
    const own = await hers.get("/settings/strikes");
    assert.match(own.text, /win free coins/);
    const list = await his.get("/admin/held");
    assert.match(list.text, /win free coins/);
    const form = hiddenFields(list, "/admin/held/release");
    assert.equal((await his.post("/admin/held/release", form)).status, 302);
    assert.equal((await his.post("/admin/held/release", form)).status, 422);
    assert.equal(await statusFor(ann, written.Guid), 200);
    await eve.post("/posts", { post: `${SPAM}, two` });
    const again = await hers.get("/settings/strikes");
    const withdrawing = hiddenFields(again, "/settings/strikes/withdraw");
    const gone = await hers.post("/settings/strikes/withdraw", withdrawing);
    assert.match(gone.text, /The text is deleted/);
    assert.equal(
      (await hers.post("/settings/strikes/withdraw", withdrawing)).status,
      422,
    );
    const { heldTexts } = kith().server.features;
    const run = async (words: string[], more = {}) => {
      const said: string[] = [];
      const options = { json: false, yes: false, ...more };
      await runHeldCommand(heldTexts, words, options, (it) => said.push(it));
      return said.join("\n");
    };
    await eve.post("/posts", { post: `${SPAM}, three` });
    const [, id = ""] =
      /\n(\d+)\t.*\tpost\teveryone\tcoins\twin free coins, three/.exec(
        await run(["held"]),
      ) ?? assert.fail();
    await run(["refuse", id], { message: "no" });
    for (const words of [
      ["refuse", id],
      ["refuse"],
      ["approve", "x"],
      ["held", "1"],
    ])
      await assert.rejects(run(words), { name: "UsageError" });
    assert.deepEqual(await waiting(), []);
  });
});
