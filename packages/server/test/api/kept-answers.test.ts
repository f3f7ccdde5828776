import assert from "node:assert/strict";
import { before, test } from "node:test";
import { sql } from "kysely";
import { SqliteConnection } from "../../src/db/sqlite/sqlite-dialect.ts";
import { PLACES, UNSHOWN_TABLES } from "../../src/db/writes/shown-tables.ts";
import type { Person } from "../../src/features/people/index.ts";
import { remotePerson, remotePost } from "../support/remote/remote-people.ts";
import { befriend } from "../support/remote/several-servers.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type { PostRecord } from "../support/server/wire.ts";

const STEPS = 50;
const LISTS = [
  "/posts?limit=15",
  "/posts?limit=15&visibility=1",
  "/posts?limit=15&visibility=2",
  "/home?limit=15",
  "/home?limit=15&reshares=false",
  "/tags/posts?limit=15",
  "/tags/fern/posts?limit=15",
] as const;

const LANGUAGES = [[], ["en"], ["de"]];

/** Returns a deterministic sequence of numbers below `end`. */
function numbersBelow(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % end;
  };
}

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const random = numbersBelow(Number(process.env["KITH_FUZZ_SEED"] ?? 7));
  const pick = <T>(list: readonly T[]): T =>
    list[random(list.length)] ?? assert.fail("nothing to pick");
  let people: TestPerson[];
  let moderator: TestPerson;
  let remote: Person[];
  let posts: PostRecord[] = [];
  const links: string[] = [];

  before(async () => {
    people = [];
    for (let count = 0; count < 4; count += 1)
      people.push(await kith().person());
    moderator = await kith().person({ role: "moderator" });
    remote = [
      await remotePerson(kith(), "ann@kept.example"),
      await remotePerson(kith(), "bob@kept.example"),
    ];
    const [first, second, third] = people;
    assert.ok(first && second && third);
    await befriend(first, second.handle);
    await befriend(second, first.handle);
    await befriend(third, first.handle);
    await first.post("/tags/fern");
    await first.post(
      `/people/${remote[0]?.id}/aspects/${await aspectOf(first)}`,
    );
  });

  const aspectOf = async (by: TestPerson): Promise<number> => {
    const [aspect] = await by.get<{ ID: number }[]>("/aspects");
    return aspect?.ID ?? assert.fail("no aspect");
  };

  const publish = async (by: TestPerson, json: object): Promise<void> => {
    const answer = await by.call("POST", "/posts", { json });
    if (answer.status === 200)
      posts.push(JSON.parse(answer.text) as PostRecord);
  };
  const call = async (
    by: TestPerson,
    method: string,
    path: string,
    json: object = {},
  ): Promise<void> => {
    const sent = method === "POST" || method === "PUT" ? { json } : {};
    const answer = await by.call(method, path, sent);
    assert.ok(answer.status < 500, `${method} ${path}: ${answer.text}`);
  };

  const receive = async (changes: object): Promise<void> => {
    await kith().server.features.posts.receive(
      remotePost(pick(remote), changes),
    );
  };

  /** The ways to write, each of which anybody may try. */
  const WRITES: readonly ((by: TestPerson) => Promise<void>)[] = [
    (by) => publish(by, { post: "plain", aspectID: [0] }),
    (by) => publish(by, { post: "a #fern", aspectID: [0] }),
    (by) => publish(by, { post: "unlisted", audience: "unlisted" }),
    (by) => publish(by, { post: "for few", audience: "all_aspects" }),
    (by) =>
      publish(by, {
        ...{ post: "which?", aspectID: [0], poll_question: "which" },
        poll_answer: ["this", "that"],
      }),
    (by) =>
      publish(by, { post: "see", aspectID: [0], quoteID: pick(posts).ID }),
    (by) =>
      publish(by, {
        post: `look ${kith().baseUrl}/posts/${pick(posts).Guid}`,
        aspectID: [0],
      }),
    () => receive({ text: "from elsewhere" }),
    () => receive({ text: "from elsewhere, #fern" }),
    () => {
      const guid = `awaited-${links.length}-${"x".repeat(12)}`;
      links.push(guid);
      return receive({
        type: "reshare",
        text: "",
        rootGuid: guid,
        rootPersonId: remote[0]?.id,
      });
    },
    () =>
      receive({
        guid: links.shift() ?? `late-${"y".repeat(16)}${random(1e6)}`,
      }),
    (by) =>
      call(by, "POST", `/posts/${pick(posts).ID}/comments`, { comment: "hm" }),
    (by) => call(by, "POST", `/posts/${pick(posts).ID}/likes/true`),
    (by) => call(by, "POST", `/posts/${pick(posts).ID}/likes/false`),
    (by) => call(by, "DELETE", `/posts/${pick(posts).ID}/likes`),
    (by) => call(by, "POST", `/posts/${pick(posts).ID}/reshare`),
    (by) =>
      call(by, "POST", `/posts/${pick(posts).ID}/poll/votes`, { answer: [1] }),
    (by) => call(by, "PUT", `/posts/${pick(posts).ID}/bookmark`),
    (by) => call(by, "DELETE", `/posts/${pick(posts).ID}/bookmark`),
    (by) => call(by, "PUT", `/posts/${pick(posts).ID}/mute`),
    (by) => call(by, "DELETE", `/posts/${pick(posts).ID}/mute`),
    (by) =>
      call(by, "PUT", `/posts/${pick(posts).ID}`, { post: "edited #fern" }),
    (by) => call(by, "DELETE", `/posts/${pick(posts).ID}`),
    (by) => call(by, "POST", `/people/${pick(people).record.ID}/block`),
    (by) => call(by, "DELETE", `/people/${pick(people).record.ID}/block`),
    (by) => call(by, "POST", `/people/${pick(people).record.ID}/ignore`),
    (by) => call(by, "DELETE", `/people/${pick(people).record.ID}/ignore`),
    (by) => call(by, "POST", "/blocks/hosts", { host: "kept.example" }),
    (by) => call(by, "DELETE", "/blocks/hosts/kept.example"),
    (by) => call(by, "POST", "/tags/fern"),
    (by) => call(by, "DELETE", "/tags/fern"),
    (by) =>
      call(by, "POST", "/filters", {
        ...{ title: "t", keyword: ["fern"], context: ["home", "public"] },
        action: pick(["hide", "warn"]),
      }),
    async (by) => {
      const [filter] = await by.get<{ ID: number }[]>("/filters");
      if (filter) await by.delete(`/filters/${filter.ID}`);
    },
    async (by) =>
      call(
        by,
        pick(["POST", "DELETE"]),
        `/people/${pick(remote).id}/aspects/${await firstAspect(by)}`,
      ),
    async (by) =>
      call(
        by,
        pick(["POST", "DELETE"]),
        `/people/${pick(people).record.ID}/aspects/${await firstAspect(by)}`,
      ),
    (by) => call(by, "PUT", "/profile", { first_name: `N${random(1000)}` }),
    (by) => call(by, "PUT", "/settings", { ReadLanguages: pick(LANGUAGES) }),
    (by) => publish(by, { post: "auf Deutsch", aspectID: [0], language: "de" }),
    async () => {
      const post = pick(posts);
      await kith().server.features.reactions.receive(
        {
          ...{ uri: `https://kept.example/reactions/${random(1e9)}` },
          ...{ postId: post.ID, commentId: null, emoji: "🎉", emojiUrl: null },
          personId: pick(remote).id,
        },
        () => Promise.resolve(false),
      );
    },
    () =>
      call(
        moderator,
        pick(["PUT", "DELETE"]),
        `/admin/people/${pick(remote).id}/${pick(["suspension", "silence"])}`,
      ),
    () => kith().settle(),
  ];

  const firstAspect = async (by: TestPerson): Promise<number> => {
    const [aspect] = await by.get<{ ID: number }[]>("/aspects");
    if (aspect) return aspect.ID;
    return (await by.post<{ ID: number }>("/aspects", { name: "some" })).ID;
  };

  const readAll = async (): Promise<Map<string, string>> => {
    const answers = people.flatMap((reader) =>
      LISTS.map(async (list) => {
        const { text, status } = await reader.call("GET", list);
        assert.equal(status, 200, text);
        return [`${reader.username} ${list}`, text] as const;
      }),
    );
    return new Map(await Promise.all(answers));
  };

  /** A write without names ends all that is kept; this one changes nothing. */
  const dropAll = () =>
    kith().db.transaction((tx) =>
      tx
        .updateTable("aspects")
        .set({ name: sql<string>`name` })
        .execute(),
    );

  test("after each write, every list is what it is without anything kept", async () => {
    for (const by of people)
      await publish(by, { post: "first", aspectID: [0] });
    await readAll();
    for (let step = 0; step < STEPS; step += 1) {
      posts = posts.slice(-12);
      const number = step < WRITES.length ? step : random(WRITES.length);
      const write = WRITES[number] ?? assert.fail();
      const by = pick(people);
      // Readers beside the write must not keep what was before it.
      if (random(2) === 0) await Promise.all([write(by), readAll()]);
      else await write(by);
      const kept = await readAll();
      await dropAll();
      for (const [list, text] of await readAll())
        assert.equal(kept.get(list), text, `write ${number}: ${list}`);
    }
  });

  if (kind === "sqlite")
    test("no list reads a table that is taken for one that no list shows", async ({
      mock,
    }) => {
      await dropAll();
      const spy = mock.method(SqliteConnection.prototype, "prepare");
      await readAll();
      const read = spy.mock.calls.map((call) => call.arguments[0]);
      // Who asks, and from which network, is found out beside the lists.
      const ofLists = read.filter((text) => !/access_tokens|bans/.test(text));
      assert.ok(ofLists.length > 20);
      const words = new Set(
        ofLists.flatMap((text) => text.match(/\w+/g) ?? []),
      );
      assert.deepEqual(
        [...UNSHOWN_TABLES].filter((table) => words.has(table)),
        [],
      );
      assert.deepEqual(
        [...PLACES].filter((it) => words.has(it)),
        [...PLACES],
      );
    });
});
