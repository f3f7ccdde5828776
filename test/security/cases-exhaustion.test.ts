import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { JsonObject } from "@kith/activitypub";
import { newGuid } from "../../packages/server/src/lib/guids.ts";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import type { PodPerson } from "../../packages/server/test/support/remote/diaspora-pod.ts";
import { podPost } from "../../packages/server/test/support/remote/pod-entities.ts";
import { idOf } from "../../packages/server/test/support/remote/proving-actor.ts";
import { befriend } from "../../packages/server/test/support/remote/several-servers.ts";
import type { RemoteActor } from "../../packages/server/test/support/remote/remote-server.ts";
import type { PostRecord } from "../../packages/server/test/support/server/wire.ts";
import {
  announce,
  create,
  FOR_ALL,
  serve,
  useCaseServers,
} from "./case-town.ts";

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

forEachDatabase((kind) => {
  const town = useCaseServers(kind);
  const { kith, ann, good, evil, evilPod, goodPod, mallory, followed } = town;
  let eve: RemoteActor;
  let bob: PodPerson;
  before(async () => {
    eve = await followed(mallory());
    bob = evilPod().person("bob");
    await befriend(ann(), bob.handle);
    await kith().settle();
  });

  const traffic = () =>
    [good().asked, evil().asked, goodPod().asked, evilPod().asked].reduce(
      (sum, { length }) => sum + length,
      0,
    );

  /** The requests caused by an action. */
  async function asked(work: () => Promise<unknown>): Promise<number> {
    const before = traffic();
    await work();
    await kith().settle();
    return traffic() - before;
  }

  test("case 41: hundreds of made-up hosts leave no row behind", async () => {
    const unchanged = await kith().snapshot();
    const statuses = await Promise.all(
      times(100, async (n) => {
        const host = `https://made-up-${n}.example`;
        const actor = `${host}/users/x`;
        const like = { ...eve.activity("Like", { object: "x" }), actor };
        const liar = Object.create(eve, {
          keyId: { value: `${actor}#main-key` },
        }) as RemoteActor;
        const sent = await eve.send.call(liar, kith(), like, {
          signedBy: eve,
        });
        return sent.status;
      }),
    );
    for (const status of statuses) assert.ok(status >= 400, String(status));
    await kith().settle();
    assert.deepEqual(await kith().snapshot(), unchanged);
  });

  test("case 42: an oversized post is stored within limits, and can be shown (ActivityPub)", async () => {
    const href = (n: number) => `${kith().baseUrl}/api/v1/ap/person/p${n}`;
    const note = eve.note({
      content: `<p>${times(2000, (n) => `#tag${n}x`).join(" ")}</p>`,
      tag: [
        ...times(1500, (n) => ({
          type: "Mention",
          href: href(n),
          name: `@p${n}`,
        })),
        ...times(1500, (n) => ({ type: "Hashtag", name: `#t${n}` })),
      ],
      attachment: times(1500, (n) => ({
        type: "Image",
        mediaType: "image/png",
        url: `https://pictures.example/${n}.png`,
      })),
    });
    await eve.deliver(kith(), create(eve, note));
    await isInMeasure(idOf(note));
    const poll = eve.note({
      type: "Question",
      oneOf: times(400, (n) => ({
        type: "Note",
        name: `option ${n}`,
        replies: { type: "Collection", totalItems: 1 },
      })),
    });
    await eve.deliver(kith(), create(eve, poll));
    const uri = idOf(poll);
    const found = await kith().server.features.posts.find({ uri });
    const shown =
      found && (await ann().get<PostRecord>(`/posts/${found.guid}`));
    assert.ok((shown?.Poll?.Answers.length ?? 0) <= 100);
  });

  test("case 42: an oversized post is stored within limits, and can be shown (diaspora*)", async () => {
    const post = podPost(bob, {
      text: times(1500, (n) => `#t${n}x @{p${n}@${kith().host}}`).join(" "),
    });
    const photos = times(100, (n) => ({
      type: "photo" as const,
      guid: newGuid(),
      author: bob.handle,
      public: true,
      createdAt: "2020-02-03T04:05:06Z",
      remotePhotoPath: "https://pictures.example/",
      remotePhotoName: `${n}.png`,
      statusMessageGuid: post.guid,
    }));
    await bob.deliver(kith(), { ...post, photos });
    await isInMeasure(post.guid);
  });

  test("case 42: excessive nesting is refused", async () => {
    const unchanged = await kith().snapshot();
    let deep: JsonObject = {};
    for (let level = 0; level < 2000; level += 1) deep = { deep };
    const { status } = await eve.send(kith(), create(eve, eve.note({ deep })));
    assert.equal(status, 400);
    assert.deepEqual(await kith().snapshot(), unchanged);
  });

  /** The parts of a post are bounded, and it can be shown. */
  async function isInMeasure(name: string): Promise<void> {
    const key = name.startsWith("http") ? { uri: name } : { guid: name };
    const post = await kith().server.features.posts.find(key);
    assert.ok(post, name);
    const shown = await ann().get<PostRecord>(`/posts/${post.guid}`);
    assert.ok(shown.Photos.length <= 100, `${shown.Photos.length} pictures`);
    for (const table of ["post_tags", "text_mentions"] as const) {
      const rows = await kith()
        .db.read.selectFrom(table)
        .select("post_id")
        .where("post_id", "=", post.id)
        .execute();
      assert.ok(rows.length <= 500, `${rows.length} rows in ${table}`);
    }
    const page = await fetch(`${kith().baseUrl}/posts/${post.guid}`);
    assert.equal(page.status, 200);
  }

  test("case 43: public counts are computed once an hour", async () => {
    const countPeople = async () => {
      const response = await fetch(`${kith().baseUrl}/nodeinfo/2.0`);
      const { usage } = (await response.json()) as {
        usage: { users: { total: number } };
      };
      return usage.users.total;
    };
    const counted = await countPeople();
    await kith().person();
    assert.equal(await countPeople(), counted);
    kith().clock.advance(3_600_001);
    assert.ok((await countPeople()) > counted);
  });

  test("case 46: endless and circular collections are read to a limit", async () => {
    const collection = (id: string, more: JsonObject) => ({
      "@context": "https://www.w3.org/ns/activitystreams",
      id,
      type: "OrderedCollectionPage",
      orderedItems: [],
      ...more,
    });
    const at = (name: string) => `${evil().origin}/pages/${name}`;
    const ring = ["a", "b", "c"].map((name, n, all) =>
      collection(at(name), { next: at(all[(n + 1) % 3] ?? "") }),
    );
    const self = collection(at("self"), {
      next: at("self"),
      first: at("self"),
    });
    const endless = times(60, (n) =>
      collection(at(`e${n}`), {
        next: at(`e${n + 1}`),
        orderedItems: times(5, (m) => at(`item-${n}-${m}`)),
      }),
    );
    for (const page of [...ring, self, ...endless]) serve(evil(), page);
    for (const replies of [at("a"), at("self"), at("e0")]) {
      const note = eve.note({ replies });
      await eve.deliver(kith(), create(eve, note));
      // Its author announces new replies.
      const object = { ...note, updated: "2026-05-05T00:00:00Z" };
      const update = eve.activity("Update", { ...FOR_ALL, object });
      const count = await asked(() => eve.deliver(kith(), update));
      assert.ok(count > 0, "It is asked for at all");
      assert.ok(count <= 40, `${count} requests for ${replies}`);
    }
  });

  test("case 46: an object that refers to itself is fetched a few times", async () => {
    const first = eve.newId("notes");
    const second = eve.newId("notes");
    serve(evil(), eve.note({ id: second }), first);
    serve(evil(), eve.note({ id: first }), second);
    assert.ok(
      (await asked(() => eve.deliver(kith(), announce(eve, first)))) <= 4,
    );
    const own = eve.newId("notes");
    serve(evil(), eve.note({ id: own, inReplyTo: own }));
    assert.ok(
      (await asked(() => eve.deliver(kith(), announce(eve, own)))) <= 4,
    );
    const shares = eve.newId("activities");
    serve(evil(), { ...announce(eve, shares), id: shares });
    const share = () => eve.deliver(kith(), announce(eve, shares));
    assert.ok((await asked(share)) <= 4);
  });

  test("case 47: people mentioned in one message are not looked up (ActivityPub)", async () => {
    const people = times(1000, (n) => `${good().origin}/users/named${n}`);
    const handles = people.map(
      (_, n) => `@named${n}@${new URL(good().origin).host}`,
    );
    const note = eve.note({
      to: ["https://www.w3.org/ns/activitystreams#Public", ...people],
      cc: people,
      content: `<p>${handles.join(" ")}</p>`,
      tag: people.map((href, n) => ({
        type: "Mention",
        href,
        name: handles[n] ?? "",
      })),
    });
    const said = { ...create(eve, note), to: note["to"] ?? [], cc: people };
    assert.ok((await asked(() => eve.deliver(kith(), said))) <= 5);
  });

  test("case 47: few people mentioned in one message are looked up (diaspora*)", async () => {
    const { host } = goodPod();
    const text = times(1000, (n) => `@{x ; named${n}@${host}}`).join(" ");
    const count = await asked(() =>
      bob.deliver(kith(), podPost(bob, { text })),
    );
    assert.ok(count <= 5, `${count} requests`);
  });
});
