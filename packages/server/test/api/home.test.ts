import assert from "node:assert/strict";
import { test } from "node:test";
import { remotePerson, remotePost } from "../support/remote/remote-people.ts";
import { befriend } from "../support/remote/several-servers.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type {
  AspectRecord,
  PersonRecord,
  PostRecord,
} from "../support/server/wire.ts";
import { watchChanges } from "../support/streams/event-reader.ts";

type HomeRecord = PostRecord & {
  readonly HomeKey: number;
  readonly ResharedBy: readonly PersonRecord[];
  readonly ResharedByCount: number;
};

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const publish = (by: TestPerson, post: string, more = {}) =>
    by.post<PostRecord>("/posts", { post, aspectID: 0, ...more });
  const read = (by: TestPerson, query = {}) =>
    by.get<HomeRecord[]>("/home", { limit: 100, ...query });
  const texts = async (by: TestPerson, query = {}) =>
    (await read(by, query)).map(({ Text }) => Text);

  /** A reader, who follows the author and two others. */
  async function circle() {
    const [reader, author, bob, cid] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    for (const one of [author, bob, cid]) await befriend(reader, one.handle);
    return { reader, author, bob, cid };
  }

  test("a home has the posts of contacts, of followed tags and its owner's, and nothing else", async () => {
    const { reader, author } = await circle();
    const stranger = await kith().person();
    await reader.post("/tags/heron");
    await publish(author, "by a contact");
    await publish(stranger, "by a stranger");
    await publish(stranger, "a #heron");
    await publish(reader, "own");
    await publish(author, "unlisted", { aspectID: "", audience: "unlisted" });
    await publish(author, "to nobody", { aspectID: "", audience: "self" });
    assert.deepEqual(await texts(reader), [
      "unlisted",
      "own",
      "a #heron",
      "by a contact",
    ]);
    assert.deepEqual(await texts(author), [
      "to nobody",
      "unlisted",
      "by a contact",
    ]);
    await reader.delete("/tags/heron");
    await reader.get("/home");
    assert.deepEqual(await texts(reader), ["unlisted", "own", "by a contact"]);
  });

  test("filters hide posts of a home without holes, and mark them", async () => {
    const { reader, author } = await circle();
    for (let count = 0; count < 6; count += 1)
      await publish(author, count % 2 === 0 ? `tea ${count}` : `${count}`);
    const filter = async (action: string, keyword: string) => {
      const json = {
        title: "t",
        keyword: [keyword],
        context: ["home"],
        action,
      };
      const answer = await reader.call("POST", "/filters", { json });
      assert.equal(answer.status, 200, answer.text);
    };
    await filter("hide", "tea");
    await filter("warn", "3");
    assert.deepEqual(await texts(reader), ["5", "3", "1"]);
    const [first, second] = await read(reader, { limit: 2 });
    assert.deepEqual([first?.Text, second?.Text], ["5", "3"]);
    assert.equal(first?.Filtered, undefined);
    assert.equal(second?.Filtered?.[0]?.Action, "warn");
    const before = second?.HomeKey ?? 0;
    assert.deepEqual(await texts(reader, { limit: 1, before }), ["1"]);
    const after = (await read(reader)).at(-1)?.HomeKey ?? 0;
    assert.deepEqual(await texts(reader, { limit: 1, after }), ["3"]);
    assert.equal((await read(author)).length, 6);
  });

  test("a tag that an edit adds brings the post from then on, and one that it takes leaves it out", async () => {
    const { reader, author } = await circle();
    const stranger = await kith().person();
    await reader.post("/tags/otter");
    const post = await publish(stranger, "no tag yet");
    await publish(author, "between");
    assert.deepEqual(await texts(reader), ["between"]);
    await stranger.put(`/posts/${post.ID}`, { post: "an #otter" });
    assert.deepEqual(await texts(reader), ["an #otter", "between"]);
    const [first] = await read(reader);
    await stranger.put(`/posts/${post.ID}`, { post: "two #otter" });
    assert.equal((await read(reader))[0]?.HomeKey, first?.HomeKey);
    await stranger.put(`/posts/${post.ID}`, { post: "none" });
    assert.deepEqual(await texts(reader), ["between"]);
  });

  test("a reshared post is there once, with who reshared it, unless reshares are not wanted", async () => {
    const { reader, author, bob, cid } = await circle();
    const stranger = await kith().person();
    const far = await publish(stranger, "from afar");
    const near = await publish(author, "from near");
    await publish(bob, "later");
    for (const by of [bob, cid, stranger])
      await by.post(`/posts/${near.ID}/reshare`);
    for (const by of [cid, bob]) await by.post(`/posts/${far.ID}/reshare`);
    const whole = await read(reader);
    assert.deepEqual(
      whole.map(({ Text, Type, ResharedBy, ResharedByCount }) => ({
        Text,
        Type,
        by: ResharedBy.map(({ ID }) => ID),
        count: ResharedByCount,
      })),
      [
        { Text: "from afar", by: [cid.record.ID, bob.record.ID], count: 2 },
        { Text: "later", by: [], count: 0 },
        { Text: "from near", by: [bob.record.ID, cid.record.ID], count: 2 },
      ].map((it) => ({ ...it, Type: "StatusMessage" })),
    );
    assert.deepEqual(await texts(reader, { reshares: false }), [
      "later",
      "from near",
    ]);
    await cid.delete(`/posts/${(await reshareOf(cid)).ID}`);
    await author.delete(`/posts/${near.ID}`);
    assert.deepEqual(await texts(reader), ["from afar", "later"]);
    const [{ ResharedBy } = assert.fail()] = await read(reader);
    assert.deepEqual(
      ResharedBy.map(({ ID }) => ID),
      [bob.record.ID],
    );
  });

  /** The person's newest reshare. */
  async function reshareOf(by: TestPerson): Promise<PostRecord> {
    const path = `/people/${by.record.Guid}/stream`;
    const [newest] = await by.get<PostRecord[]>(path);
    return newest ?? assert.fail();
  }

  test("an aspect has its members and what was given to it; another's is not found", async () => {
    const { reader, author, bob } = await circle();
    const [mine] = await author.get<AspectRecord[]>("/aspects");
    const aspects = await reader.get<AspectRecord[]>("/aspects");
    const own = await reader.post<AspectRecord>("/aspects", { name: "few" });
    await reader.post(`/people/${bob.record.ID}/aspects/${own.ID}`);
    await reader.post("/tags/tern");
    await publish(bob, "by bob #tern");
    await publish(author, "by the author");
    await publish(reader, "to all");
    await publish(reader, "to few", { aspectID: own.ID });
    await publish(reader, "to contacts", {
      aspectID: "",
      audience: "all_aspects",
    });
    const few = ["to contacts", "to few", "by bob #tern"];
    assert.deepEqual(await texts(reader, { aspectID: own.ID }), few);
    const others = aspects.filter(({ ID }) => ID !== own.ID);
    assert.ok(others.length > 0);
    const all = await reader.get<AspectRecord[]>("/aspects");
    const path = `/home?${all.map(({ ID }) => `aspectID=${ID}`).join("&")}`;
    const found = await reader.get<HomeRecord[]>(path);
    assert.deepEqual(
      found.map(({ Text }) => Text),
      ["to contacts", "to few", "by the author", "by bob #tern"],
    );
    await author.notFound("GET", `/home?aspectID=${own.ID}`);
    await reader.notFound("GET", `/home?aspectID=${mine?.ID ?? 999_999}`);
    await reader.badRequest("GET", "/home?aspectID=0");
    await reader.badRequest("GET", "/home?reshares=some");
  });

  test("people whom the reader avoids or leaves, and hidden or deleted posts, are gone, also from behind reshares", async () => {
    const { reader, author, bob, cid } = await circle();
    const roots = [];
    for (const by of [author, bob]) roots.push(await publish(by, "a root"));
    for (const { ID } of roots) await cid.post(`/posts/${ID}/reshare`);
    assert.equal((await read(reader)).length, 2);
    await reader.post(`/people/${author.record.ID}/ignore`);
    assert.equal((await read(reader)).length, 1);
    await reader.delete(`/people/${author.record.ID}/ignore`);
    await reader.post(`/people/${author.record.ID}/block`);
    assert.equal((await read(reader)).length, 1);
    await reader.delete(`/posts/${roots[1]?.Guid}`);
    assert.equal((await read(reader)).length, 0);
    await publish(bob, "one more");
    assert.deepEqual(await texts(reader), ["one more"]);
    for (const { ID } of await reader.get<AspectRecord[]>("/aspects"))
      await reader.delete(`/aspects/${ID}`);
    assert.deepEqual(await texts(reader), []);
  });

  test("a limited post is in the homes of those whom it reached, in the order in which it did", async () => {
    const reader = await kith().person();
    const other = await kith().person();
    const zoe = await remotePerson(kith(), "zoe@remote.example");
    const zed = await remotePerson(kith(), "zed@remote.example");
    for (const person of [reader, other])
      for (const { handle } of [zoe, zed]) await befriend(person, handle);
    const { posts } = kith().server.features;
    const limited = remotePost(zoe, {
      ...{ text: "limited", public: false, listed: false },
      recipients: [other.record.ID],
    });
    await posts.receive(limited);
    await posts.receive(remotePost(zed, { text: "between" }));
    assert.deepEqual(await texts(reader), ["between"]);
    const [{ HomeKey } = assert.fail()] = await read(reader);
    await posts.receive({ ...limited, recipients: [reader.record.ID] });
    assert.deepEqual(await texts(reader), ["limited", "between"]);
    assert.deepEqual(await texts(reader, { after: HomeKey }), ["limited"]);
    assert.deepEqual(await texts(other), ["between", "limited"]);
    await posts.receiveRetraction({ guid: limited.guid }, zoe.id);
    assert.deepEqual(await texts(other), ["between"]);
  });

  test("live changes announce a post once, whoever reshares it", async () => {
    const { reader, author, bob, cid } = await circle();
    const stranger = await kith().person();
    const near = await publish(author, "from near");
    const far = await publish(stranger, "from afar");
    const stream = await watchChanges(kith().baseUrl, reader.token);
    await bob.post(`/posts/${near.ID}/reshare`);
    const first = await bob.post<PostRecord>(`/posts/${far.ID}/reshare`);
    await cid.post(`/posts/${far.ID}/reshare`);
    await stranger.post(`/posts/${far.ID}/likes`);
    const last = await publish(reader, "fence");
    const events = await stream.until(({ data }) => data["Guid"] === last.Guid);
    assert.deepEqual(
      events.map(({ event, data }) => [event, data["ID"]]),
      [
        ["count", near.ID],
        ["post", first.ID],
        ["count", far.ID],
        ["count", far.ID],
        ["count", far.ID],
      ],
    );
    stream.leave();
  });
});
