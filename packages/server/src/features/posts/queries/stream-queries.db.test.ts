import assert from "node:assert/strict";
import { before, test } from "node:test";
import { sql } from "kysely";
import { forEachDatabase } from "../../../../test/support/server/databases.ts";
import { block, ignore } from "../../../../test/support/scenes/distance.ts";
import {
  useKith,
  type TestPerson,
} from "../../../../test/support/server/kith-server.ts";
import {
  remotePerson,
  remotePost,
} from "../../../../test/support/remote/remote-people.ts";
import type {
  AspectRecord,
  PostRecord,
} from "../../../../test/support/server/wire.ts";
import type { PersonId, UserId } from "../../ids.ts";
import type { Person } from "../../people/index.ts";
import type { Post, Visibility } from "../index.ts";

const ALL = ["all", "public", "private"] as const;
const POSTS = 160;

/** The reader's relationship to each author; `nobody` is a stranger. */
const AUTHORS = [
  "followed",
  "nobody",
  "blocked",
  "ignored",
  "blocker",
  "followed and ignored",
] as const;
type Stance = (typeof AUTHORS)[number];

/** The stream's expected view of a post, restated without a database. */
type Sample = {
  readonly post: Post;
  readonly by: Stance | "reader";
  readonly root: Stance | "reader" | undefined;
  readonly given: boolean;
  readonly hidden: boolean;
};

const isWelcome = (stance: Sample["by"] | undefined): boolean =>
  stance === undefined || ["followed", "nobody", "reader"].includes(stance);

function isListed(sample: Sample, visibility: Visibility): boolean {
  const { post, by, root, given, hidden } = sample;
  if (hidden || !isWelcome(by) || !isWelcome(root)) return false;
  if (!post.public)
    return visibility !== "public" && (given || by === "reader");
  if (visibility === "private") return false;
  if (post.listed) return true;
  return visibility === "all" && by !== "nobody";
}

/** Returns a deterministic sequence of numbers below `end`. */
function numbersBelow(): (end: number) => number {
  let seed = 7;
  return (end) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % end;
  };
}

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let reader: TestPerson;
  let viewer: { personId: PersonId; userId: UserId };
  const samples: Sample[] = [];

  before(async () => {
    reader = await kith().person();
    viewer = {
      personId: reader.record.ID,
      userId: reader.record.UserID,
    };
    const people = new Map<Stance, Person>();
    for (const stance of AUTHORS)
      people.set(
        stance,
        await meet(stance, `${stance.replaceAll(" ", "")}@a.example`),
      );
    await publishAll(people);
  });

  async function meet(stance: Stance, handle: string): Promise<Person> {
    const person = await remotePerson(kith(), handle);
    const { db } = kith();
    const { ID: me } = reader.record;
    if (stance.startsWith("followed")) {
      const { ID } = await reader.post<AspectRecord>("/aspects", { name: "a" });
      await reader.post(`/people/${person.id}/aspects/${ID}`);
    }
    if (stance === "blocked") await block(db, me, person.id);
    if (stance === "blocker") await block(db, person.id, me);
    if (stance.endsWith("ignored")) await ignore(db, me, person.id);
    return person;
  }

  async function publishAll(people: Map<Stance, Person>): Promise<void> {
    const below = numbersBelow();
    for (let count = 0; count < POSTS; count += 1) {
      const by = AUTHORS[below(AUTHORS.length)] ?? "nobody";
      const isPublic = below(3) > 0;
      const given = !isPublic && below(2) === 0;
      const earlier = samples.filter(
        ({ post }) => post.public && post.type === "post",
      );
      const root =
        isPublic && below(3) === 0 ? earlier[below(earlier.length)] : undefined;
      const author = people.get(by);
      assert.ok(author);
      const received = await kith().server.features.posts.receive(
        remotePost(author, {
          public: isPublic,
          listed: isPublic && below(3) > 0,
          recipients: given ? [viewer.personId] : [],
          createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, count)).toISOString(),
          ...(root
            ? {
                type: "reshare" as const,
                rootGuid: root.post.guid,
                rootPersonId: root.post.personId,
              }
            : {}),
        }),
      );
      // A person can reshare a post only once.
      if (received.kind !== "stored") continue;
      const hidden = below(10) === 0;
      if (hidden) await hide(received.value);
      samples.push({ post: received.value, by, root: root?.by, given, hidden });
    }
    await publishOwn();
  }

  /** Writes directly, because the reader cannot hide a post that it does not see. */
  const hide = (post: Post) =>
    kith().db.transaction((tx) =>
      sql`insert into hidden_posts (user_id, post_id)
        values (${viewer.userId}, ${post.id})`.execute(tx),
    );

  async function publishOwn(): Promise<void> {
    const { ID } = await reader.post<AspectRecord>("/aspects", { name: "own" });
    for (const aspectID of [0, ID, 0]) {
      const form = { post: "own", aspectID };
      const { Guid } = await reader.post<PostRecord>("/posts", form);
      const post = await kith().server.features.posts.find({ guid: Guid });
      assert.ok(post);
      const own = { by: "reader", root: undefined } as const;
      samples.push({ post, ...own, given: false, hidden: false });
    }
  }

  const list = async (visibility: Visibility, offset: number, limit: number) =>
    (
      await kith().server.features.posts.listStream(viewer, visibility, {
        offset,
        limit,
      })
    ).map(({ guid }) => guid);

  for (const visibility of ALL)
    test(`the ${visibility} stream has what it is to have, in order, on all pages`, async () => {
      const expected = samples
        .filter((one) => isListed(one, visibility))
        .toSorted((a, b) => b.post.id - a.post.id)
        .map(({ post }) => post.guid);
      assert.ok(expected.length > 8, `${expected.length} are too few`);
      assert.ok(expected.length < samples.length - 8);
      assert.deepEqual(await list(visibility, 0, 500), expected);
      for (let offset = 0; offset <= expected.length; offset += 3)
        assert.deepEqual(
          await list(visibility, offset, 7),
          expected.slice(offset, offset + 7),
          `from ${offset}`,
        );
    });

  test("an offset beyond all posts answers an empty list", async () => {
    for (const visibility of ALL)
      for (const offset of [1000, 99_999, 100_000, Number.MAX_SAFE_INTEGER])
        assert.deepEqual(await list(visibility, offset, 100), []);
  });
});
