import assert from "node:assert/strict";
import { before, test } from "node:test";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import {
  useKith,
  type TestPerson,
} from "../../../test/support/server/kith-server.ts";
import {
  remotePerson,
  remotePost,
} from "../../../test/support/remote/remote-people.ts";
import type { AspectRecord } from "../../../test/support/server/wire.ts";
import type { Comment } from "../comments/index.ts";
import type { AspectId } from "../ids.ts";
import type { Person } from "../people/index.ts";
import type { Author, Post } from "../posts/index.ts";
import { newGuid } from "../../lib/guids.ts";
import { insertUnplaced } from "./arrival-store.ts";
import type { HomeChoice, HomePost } from "./index.ts";
import { createPlaceArrivals } from "./place-arrivals.ts";

const STEPS = 200;
const TAG = "fern";
/** Somebody's relation to the reader, and the aspect that has them. */
const PEOPLE = {
  ann: "friends",
  bob: "friends",
  cid: "family",
  dora: undefined,
  emil: undefined,
} as const;

type Name = keyof typeof PEOPLE | "reader";

type Arrival = {
  readonly root: Post;
  readonly post: Post;
  readonly by: Name;
  readonly tagged: boolean;
  gone: boolean;
};

type Reply = {
  readonly comment: Comment;
  readonly root: Post;
  readonly by: Name;
  readonly to: Name;
  /** The number of arrivals of posts before it. */
  readonly behind: number;
  gone: boolean;
};

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
  let reader: TestPerson;
  let self: Author;
  let other: Author;
  const aspects = new Map<string, AspectId>();
  const people = new Map<string, Person>();
  /** In the order in which they became readable to the reader. */
  const arrivals: Arrival[] = [];
  const replies: Reply[] = [];

  before(async () => {
    reader = await kith().person();
    self = { userId: reader.record.UserID, personId: reader.record.ID };
    const { record } = await kith().person();
    other = { userId: record.UserID, personId: record.ID };
    await reader.post(`/tags/${TAG}`);
    for (const name of ["friends", "family"]) {
      const made = await reader.post<AspectRecord>("/aspects", { name });
      aspects.set(name, made.ID);
    }
    for (const [name, aspect] of Object.entries(PEOPLE)) {
      const person = await remotePerson(kith(), `${name}@walk.example`);
      people.set(name, person);
      if (aspect !== undefined)
        await reader.post(
          `/people/${person.id}/aspects/${aspects.get(aspect)}`,
        );
    }
  });

  const posts = () => kith().server.features.posts;
  const personOf = (name: string) => people.get(name) ?? assert.fail(name);

  /** Its time says nothing of when it comes. */
  const someTime = (below: (end: number) => number) =>
    new Date(Date.UTC(2026, 0, 1) + below(10_000_000) * 1000).toISOString();

  async function receive(below: (end: number) => number): Promise<void> {
    const names = Object.keys(PEOPLE) as (keyof typeof PEOPLE)[];
    const by = names[below(names.length)] ?? "ann";
    const limited = below(4) === 0;
    const tagged = below(4) === 0;
    const post = remotePost(personOf(by), {
      createdAt: someTime(below),
      public: !limited,
      listed: !limited,
      recipients: limited ? [other.personId] : [],
      tags: tagged ? [TAG] : [],
    });
    const stored = await posts().receive(post);
    assert.equal(stored.kind, "stored");
    const { value } = stored;
    // Other servers deliver a limited post to each recipient by itself.
    if (limited) {
      if (below(2) === 0) await receive(below);
      await posts().receive({ ...post, recipients: [self.personId] });
    }
    arrivals.push({ root: value, post: value, by, tagged, gone: false });
  }

  /** Comments on a post, or on a comment there. */
  async function reply(below: (end: number) => number): Promise<void> {
    const there = arrivals.filter((it) => it.root === it.post && !it.gone);
    const { root, by: author } = there[below(there.length)] ?? assert.fail();
    const beside = replies.filter((it) => it.root === root && !it.gone);
    const parent = beside[below(beside.length * 2 + 1)];
    const names = [...Object.keys(PEOPLE), "reader"] as Name[];
    const by = names[below(names.length)] ?? "ann";
    const parentGuid = parent?.comment.guid ?? null;
    const comments = kith().server.features.comments;
    const add = (comment: Comment): void => {
      const to = parent?.by ?? author;
      const behind = arrivals.length;
      replies.push({ comment, root, by, to, behind, gone: false });
    };
    if (by === "reader") {
      const on = { guid: root.guid };
      const more = parentGuid === null ? {} : { parentGuid };
      return add(
        await comments.create({ author: self, on, text: "own", ...more }),
      );
    }
    const guid = newGuid();
    const personId = personOf(by).id;
    const about = { guid, personId, postId: root.id, text: guid, parentGuid };
    const createdAt = someTime(below);
    const stored = await comments.receive({ ...about, uri: null, createdAt });
    assert.equal(stored.kind, "stored");
    add(stored.value);
  }

  async function reshare(below: (end: number) => number): Promise<void> {
    const roots = arrivals.filter((it) => it.root === it.post && !it.gone);
    const { root } = roots[below(roots.length)] ?? assert.fail();
    const names = Object.keys(PEOPLE) as (keyof typeof PEOPLE)[];
    const by = names[below(names.length)] ?? "ann";
    if (!root.public) return;
    const stored = await posts().receive(
      remotePost(personOf(by), {
        type: "reshare",
        rootGuid: root.guid,
        rootPersonId: root.personId,
        createdAt: someTime(below),
      }),
    );
    // Nobody reshares a post twice.
    if (stored.kind === "stored")
      arrivals.push({
        ...{ root, post: stored.value, by, tagged: false, gone: false },
      });
  }

  async function remove(below: (end: number) => number): Promise<void> {
    const there = arrivals.filter(({ gone }) => !gone);
    const one = there[below(there.length)];
    if (!one) return;
    const some = replies.filter(({ gone }) => !gone);
    const comment = some[below(some.length * 2)];
    if (comment) {
      const { guid, personId } = comment.comment;
      const { comments } = kith().server.features;
      await comments.receiveRetraction({ guid }, personId);
      comment.gone = true;
      return;
    }
    const { guid, personId } = one.post;
    await posts().receiveRetraction({ guid }, personId);
    one.gone = true;
    if (one.root !== one.post) return;
    for (const it of arrivals) if (it.root === one.root) it.gone = true;
    for (const it of replies) if (it.root === one.root) it.gone = true;
  }

  async function publishOwn(below: (end: number) => number): Promise<void> {
    const aspect = below(2) === 0 ? aspects.get("family") : undefined;
    const form = { post: "own", aspectID: aspect ?? 0 };
    const { Guid } = await reader.post<{ Guid: string }>("/posts", form);
    const post = await posts().find({ guid: Guid });
    assert.ok(post);
    const own = { by: "reader", tagged: false, gone: false } as const;
    arrivals.push({ root: post, post, ...own });
  }

  const step = async (below: (end: number) => number) => {
    const act = below(26);
    if (act >= 20 && arrivals.length >= 5) await reply(below);
    else if (act < 11 || arrivals.length < 5) await receive(below);
    else if (act < 16) await reshare(below);
    else if (act < 18) await remove(below);
    else await publishOwn(below);
    // Comments stand behind the posts that were placed before them.
    await kith().server.features.homes.placeAll();
  };

  /** Is the person in this home, as one whose comments it has? */
  function isMember(name: Name, { aspectIds }: HomeChoice): boolean {
    if (name === "reader") return aspectIds.length === 0;
    const aspect = aspects.get(PEOPLE[name] ?? "");
    if (aspect === undefined) return false;
    return aspectIds.length === 0 || aspectIds.includes(aspect);
  }

  function hasReply({ by, to, gone }: Reply, choice: HomeChoice): boolean {
    const { replies: asked = "none", aspectIds } = choice;
    if (gone || asked === "none" || !isMember(by, choice)) return false;
    if (asked === "all" || by === "reader" || to === by || to === "reader")
      return true;
    const whole = { ...choice, aspectIds: [] };
    return isMember(to, asked === "list" ? { ...choice, aspectIds } : whole);
  }

  /** The home restated without a database: each root where it first came. */
  function expected(choice: HomeChoice): string[] {
    const isOf = (it: Arrival): boolean => {
      if (!choice.reshares && it.root !== it.post) return false;
      const chosen = choice.aspectIds;
      if (it.by === "reader")
        return (
          chosen.length === 0 ||
          it.post.aspects.some(({ id }) => chosen.includes(id))
        );
      const aspect = aspects.get(PEOPLE[it.by] ?? "");
      if (chosen.length > 0)
        return aspect !== undefined && chosen.includes(aspect);
      return aspect !== undefined || it.tagged;
    };
    const places = new Map<string, number>();
    for (const [at, it] of arrivals.entries())
      if (!it.gone && isOf(it) && !places.has(it.root.guid))
        places.set(it.root.guid, at);
    for (const it of replies)
      if (hasReply(it, choice)) places.set(it.comment.guid, it.behind - 0.5);
    // Those between the same posts stay in their order.
    return [...places]
      .sort(([, one], [, other]) => one - other)
      .map(([guid]) => guid)
      .reverse();
  }

  const guidOf = ({ post, comment }: HomePost) => (comment ?? post).guid;

  const page = (choice: HomeChoice, at: Readonly<Record<string, number>>) =>
    kith().server.features.homes.list(self, choice, {
      offset: 0,
      limit: 3,
      ...at,
    });
  const WHOLE: HomeChoice = { aspectIds: [], reshares: true };

  async function walk(
    choice: HomeChoice,
    side: "before" | "after",
    from: number,
  ) {
    const found: { guid: string; key: number }[] = [];
    for (let at = from; ;) {
      const some = await page(choice, { [side]: at });
      const last = side === "before" ? some.at(-1) : some[0];
      if (!last) return found;
      const read = some.map((it) => ({ guid: guidOf(it), key: it.id }));
      found.push(...(side === "before" ? read : read.reverse()));
      at = last.id;
    }
  }

  test("a home holds what it is to hold, in the order of arrival, on all pages both ways", async () => {
    const below = numbersBelow(3);
    for (let count = 0; count < STEPS; count += 1) await step(below);
    const family = aspects.get("family") ?? assert.fail();
    const friends = aspects.get("friends") ?? assert.fail();
    const choices: HomeChoice[] = [
      WHOLE,
      { aspectIds: [], reshares: false },
      { aspectIds: [family], reshares: true },
      { aspectIds: [friends], reshares: false },
      { aspectIds: [friends, family], reshares: true },
      { ...WHOLE, replies: "all" },
      { ...WHOLE, replies: "followed" },
      { aspectIds: [friends], reshares: false, replies: "all" },
      { aspectIds: [friends], reshares: true, replies: "followed" },
      { aspectIds: [friends], reshares: true, replies: "list" },
    ];
    const sizes = new Set<number>();
    for (const choice of choices) {
      const wanted = expected(choice);
      assert.ok(wanted.length > 8, JSON.stringify(choice));
      sizes.add(wanted.length);
      const whole = await page(choice, { limit: 500 });
      assert.deepEqual(whole.map(guidOf), wanted, JSON.stringify(choice));
      const down = await walk(choice, "before", Number.MAX_SAFE_INTEGER);
      assert.deepEqual(
        down.map(({ guid }) => guid),
        wanted,
      );
      const up = await walk(choice, "after", 0);
      assert.deepEqual(up, down.toReversed());
      for (let offset = 0; offset < wanted.length; offset += 5) {
        const some = await page(choice, { offset });
        assert.deepEqual(some.map(guidOf), wanted.slice(offset, offset + 3));
      }
    }
    assert.ok(sizes.size > 7, "the choices differ");
  });

  test("each post names the people of this home who reshared it", async () => {
    const whole = await page(WHOLE, { limit: 500 });
    let count = 0;
    for (const { post, resharedBy } of whole) {
      const by = arrivals.filter(
        (it) =>
          it.root.guid === post.guid &&
          it.root !== it.post &&
          !it.gone &&
          it.by !== "reader" &&
          PEOPLE[it.by] !== undefined,
      );
      assert.deepEqual(
        resharedBy.people,
        by.map((it) => personOf(it.by).id),
      );
      assert.equal(resharedBy.count, by.length);
      count += by.length;
    }
    assert.ok(count > 5);
  });

  test("no post takes a place behind one that can be read, whichever commits first", async () => {
    const start = (await page(WHOLE, { limit: 1 }))[0]?.id ?? 0;
    const receiveOne = async () => {
      const received = await posts().receive(remotePost(personOf("ann")));
      assert.equal(received.kind, "stored");
      return received.value;
    };
    // As if its transaction had begun first, and were still open.
    const slow = await receiveOne();
    const { db } = kith();
    await db.transaction((tx) =>
      tx.deleteFrom("unplaced_posts").where("post_id", "=", slow.id).execute(),
    );
    const release = Promise.withResolvers<void>();
    const atGate = Promise.withResolvers<void>();
    const committing = db.transaction(async (tx) => {
      await insertUnplaced(tx, slow.id);
      atGate.resolve();
      await release.promise;
    });
    await atGate.promise;
    const quick = receiveOne();
    await Promise.race([quick, sleep(500)]);
    // On SQLite, nothing is placed while another transaction is open.
    const early = walk(WHOLE, "after", start);
    await Promise.race([early, sleep(500)]);
    release.resolve();
    await committing;
    const seen = await early;
    seen.push(...(await walk(WHOLE, "after", seen.at(-1)?.key ?? start)));
    const both = kind === "sqlite" ? [slow, await quick] : [await quick, slow];
    const of = { by: "ann", tagged: false, gone: false } as const;
    for (const value of both)
      arrivals.push({ root: value, post: value, ...of });
    assert.deepEqual(
      seen.map(({ guid }) => guid),
      both.map(({ guid }) => guid),
    );
  });

  test("each post gets one place while several processes place them", async () => {
    const before = await kith()
      .db.read.selectFrom("post_arrivals")
      .select((eb) => eb.fn.countAll<number | string>().as("count"))
      .executeTakeFirstOrThrow();
    const below = numbersBelow(5);
    const places = [1, 2, 3].map(() => createPlaceArrivals(kith()));
    const writing = Promise.all(
      Array.from({ length: 40 }, () => receive(below)),
    );
    const placing = places.map(async (place) => {
      for (let count = 0; count < 20; count += 1) {
        await place();
        await setImmediate();
      }
    });
    await Promise.all([writing, ...placing]);
    await places[0]?.();
    const rows = await kith()
      .db.read.selectFrom("post_arrivals")
      .select(["post_id", "tag", "reader_id"])
      .execute();
    assert.ok(rows.length >= Number(before.count) + 40);
    const each = new Set(
      rows.map((row) => `${row.post_id} ${row.tag} ${row.reader_id}`),
    );
    assert.equal(each.size, rows.length);
    const left = await kith()
      .db.read.selectFrom("unplaced_posts")
      .selectAll()
      .execute();
    assert.deepEqual(left, []);
    const whole = await page(WHOLE, { limit: 500 });
    assert.equal(
      new Set(whole.map(({ post }) => post.guid)).size,
      whole.length,
    );
  });

  const BOTH: HomeChoice = { ...WHOLE, replies: "all" };
  for (const choice of [WHOLE, BOTH])
    test(`a reader who catches up while others write gets each entry once, and a reader of older ones misses none, with ${choice.replies ?? "no"} replies`, async () => {
      const [newest] = await page(choice, { limit: 1 });
      const start = newest?.id ?? 0;
      const begun = await page(choice, { limit: 500 });
      const first = [arrivals.length, replies.length];
      let isWriting = true;
      const writers = [11, 12, 13, 14, 15, 16].map(async (seed) => {
        const below = numbersBelow(seed);
        for (let count = 0; count < 25; count += 1)
          await [reshare, reply, reply, receive, receive, receive][below(6)]?.(
            below,
          );
      });
      const writing = Promise.all(writers).finally(() => (isWriting = false));
      const seen: string[] = [];
      let at = start;
      for (let isLast = false; !isLast;) {
        isLast = !isWriting;
        for (;;) {
          const some = await page(choice, { after: at });
          const last = some[0];
          if (!last) break;
          seen.push(...some.map(guidOf).reverse());
          at = last.id;
        }
        // SQLite answers at once: without a pause nobody else would have a turn.
        await setImmediate();
      }
      await writing;
      const older = new Set(begun.map(guidOf));
      const came = new Set(expected(choice).filter((guid) => !older.has(guid)));
      assert.ok(came.size > 20);
      assert.ok(arrivals.length > (first[0] ?? 0));
      assert.ok(replies.length > (first[1] ?? 0));
      assert.deepEqual(seen.toSorted(), [...came].toSorted());
      const down = await walk(choice, "before", start + 1);
      assert.deepEqual(
        down.map(({ guid }) => guid),
        begun.map(guidOf),
      );
    });
});
