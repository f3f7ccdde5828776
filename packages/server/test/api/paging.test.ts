import assert from "node:assert/strict";
import { before, test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type { PostRecord } from "../support/server/wire.ts";

const RECORDS = 7;

const isOldestFirst = (list: string) => /comments|events/.test(list);

type Keyed = { readonly ID: number };

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let ann: TestPerson;
  let lists: readonly string[];

  before(async () => {
    ann = await kith().person();
    const others = await Promise.all(
      Array.from({ length: RECORDS }, () => kith().person()),
    );
    const root = await ann.post<PostRecord>("/posts", {
      post: "of many #fern",
    });
    await ann.post("/tags/fern");
    for (const [n, other] of others.entries()) {
      const aspect = await ann.post<Keyed>("/aspects", {
        aspect_name: `a${n}`,
      });
      const calendar = await ann.post<Keyed>("/calendar", { name: `c${n}` });
      await ann.post("/posts", { post: `#fern ${n}` });
      await ann.post("/posts", { post: `few ${n}`, aspectID: aspect.ID });
      await other.post("/posts", { post: `by another ${n} #fern` });
      await other.post(`/posts/${root.ID}/reshare`);
      await ann.post(`/posts/${root.ID}/comments`, { comment: `said ${n}` });
      await other.post(`/posts/${root.ID}/likes`);
      // Two of them begin at the same time.
      const start = `2031-05-0${1 + Math.floor(n / 2)}T10:00:00Z`;
      const event = { summary: `e${n}`, start, end: start };
      await ann.post("/calendar/events", { ...event, calendarID: calendar.ID });
      await ann.post("/users/streams", { name: `s${n}` });
    }
    for (const stranger of Array.from({ length: RECORDS })) {
      assert.equal(stranger, undefined);
      const { record } = await kith().person();
      await ann.post(`/people/${record.ID}/ignore`);
      const { record: blocked } = await kith().person();
      await ann.post(`/people/${blocked.ID}/block`);
    }
    await kith().settle();
    // Not in the order of the posts.
    const some = await ann.get<Keyed[]>("/posts", { limit: RECORDS + 1 });
    for (const { ID } of [...some.slice(4), ...some.slice(0, 4)])
      await ann.put(`/posts/${ID}/bookmark`);
    const stream = await ann.post<Keyed>("/users/streams", {
      name: "ferns",
      tags: "fern",
      people: ann.handle,
    });
    lists = [
      "/posts?visibility=0",
      "/posts?visibility=1",
      "/posts?visibility=2",
      `/people/${ann.record.Guid}/stream`,
      `/posts/${root.ID}/comments`,
      `/posts/${root.ID}/likes`,
      `/posts/${root.ID}/reshares`,
      "/aspects",
      "/calendar",
      "/calendar/events",
      "/notifications",
      "/users/streams",
      `/users/streams/${stream.ID}/posts`,
      "/tags/posts",
      "/tags/fern/posts",
      "/bookmarks",
      "/blocks",
      "/ignores",
    ];
  });

  const read = (list: string, query: Readonly<Record<string, number>>) => {
    const [path = "", given] = list.split("?");
    const own = Object.fromEntries(new URLSearchParams(given));
    return ann.get<Keyed[]>(path, { ...own, ...query });
  };

  async function walk(list: string, key: "before" | "after", from: number) {
    const found: Keyed[][] = [];
    let at: number | undefined = from;
    while (at !== undefined) {
      const page = await read(list, { limit: 3, [key]: at });
      found.push(page);
      at = ((key === "before") === isOldestFirst(list) ? page[0] : page.at(-1))
        ?.ID;
    }
    return found;
  }

  test("every list is walked by its keys in both directions, without gaps and doubles", async () => {
    for (const list of lists) {
      const whole = await read(list, { limit: 100 });
      assert.ok(whole.length >= RECORDS, list);
      const ids = whole.map(({ ID }) => ID);
      const [first, last] = isOldestFirst(list) ? [-1, 0] : [0, -1];
      const newest = ids.at(first) ?? 0;
      const oldest = ids.at(last) ?? 0;
      const down = await walk(list, "before", newest);
      const up = await walk(list, "after", oldest);
      if (isOldestFirst(list)) {
        down.forEach((page) => page.reverse());
        up.forEach((page) => page.reverse());
      }
      assert.deepEqual(
        down.flat().map(({ ID }) => ID),
        (isOldestFirst(list) ? ids.toReversed() : ids).slice(1),
        `${list} down`,
      );
      assert.deepEqual(
        up
          .reverse()
          .flat()
          .map(({ ID }) => ID),
        (isOldestFirst(list) ? ids.toReversed() : ids).slice(0, -1),
        `${list} up`,
      );
    }
  });

  test("both keys give what lies between them, in the order of the list", async () => {
    for (const list of lists) {
      const ids = (await read(list, { limit: 100 })).map(({ ID }) => ID);
      const [after = 0, before = 0] = isOldestFirst(list)
        ? [ids[0], ids[5]]
        : [ids[5], ids[0]];
      const between = await read(list, { after, before });
      assert.deepEqual(
        between.map(({ ID }) => ID),
        ids.slice(1, 5),
        list,
      );
      const later = await read(list, { after, before, offset: 1, limit: 2 });
      assert.deepEqual(
        later.map(({ ID }) => ID),
        ids.slice(2, 4),
        list,
      );
    }
  });

  test("a key need not exist where the list is ordered by it", async () => {
    const most = Number.MAX_SAFE_INTEGER;
    for (const list of lists) {
      if (/events|blocks|bookmarks|ignores/.test(list)) continue;
      assert.deepEqual(
        await read(list, { before: most }),
        await read(list, {}),
      );
      assert.deepEqual(await read(list, { after: most }), []);
      assert.deepEqual(await read(list, { before: 0 }), []);
    }
  });

  test("a list that is ordered by time refuses a key that is not in it", async () => {
    const ordered = ["/calendar/events", "/blocks", "/bookmarks", "/ignores"];
    for (const list of ordered)
      for (const key of ["before", "after"]) {
        const { status, text } = await ann.call("GET", list, {
          query: { [key]: 999_999_999 },
        });
        assert.equal(status, 400);
        assert.match(text, new RegExp(`parameter ${key} must`));
      }
    for (const bad of ["x", "-1", "1.5", "9".repeat(40)])
      assert.equal(
        (await ann.call("GET", "/posts", { query: { after: bad } })).status,
        400,
      );
  });

  test("a reader who goes on after its newest record gets each of the next ones once, while another writes", async () => {
    const bob = await kith().person();
    const seen: number[] = [];
    let newest = (await ann.get<Keyed[]>("/posts"))[0]?.ID ?? 0;
    let isWritten = false;
    const write = async () => {
      const ids: number[] = [];
      for (let n = 0; n < 24; n++)
        ids.push((await bob.post<Keyed>("/posts", { post: `new ${n}` })).ID);
      isWritten = true;
      return ids;
    };
    const written = write();
    for (let isLast = false; !isLast;) {
      isLast = isWritten;
      const page = await ann.get<Keyed[]>("/posts", {
        after: newest,
        limit: 5,
      });
      seen.push(...page.map(({ ID }) => ID).reverse());
      newest = page[0]?.ID ?? newest;
      if (page.length > 0) isLast = false;
    }
    assert.deepEqual(seen, await written);
  });
});
