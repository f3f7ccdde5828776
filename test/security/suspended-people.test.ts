import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import type { PodPerson } from "../../packages/server/test/support/remote/diaspora-pod.ts";
import {
  actorOf,
  ask,
  objectOf,
} from "../../packages/server/test/support/remote/linked-data.ts";
import {
  podComment,
  podLike,
  podPost,
  podReshare,
} from "../../packages/server/test/support/remote/pod-entities.ts";
import { idOf } from "../../packages/server/test/support/remote/proving-actor.ts";
import { TestRelay } from "../../packages/server/test/support/remote/relay.ts";
import type { RemoteActor } from "../../packages/server/test/support/remote/remote-server.ts";
import { befriend } from "../../packages/server/test/support/remote/several-servers.ts";
import type {
  CommentRecord,
  PostRecord,
} from "../../packages/server/test/support/server/wire.ts";
import { create, FOR_ALL, serve, useCaseServers } from "./case-town.ts";

forEachDatabase((kind) => {
  const town = useCaseServers(kind);
  const { kith, ann, evil, good, goodPod, evilPod } = town;

  describe("case 14: while a remote person is suspended", () => {
    let [eve, gail]: RemoteActor[] = [];
    let [mal, gus]: PodPerson[] = [];
    let evesNote: JsonObject;
    let malsPost: ReturnType<typeof podPost>;
    let gusPost: ReturnType<typeof podPost>;
    let relay: TestRelay;
    const e = () => eve ?? assert.fail();
    const g = () => gail ?? assert.fail();
    const m = () => mal ?? assert.fail();
    const u = () => gus ?? assert.fail();

    before(async () => {
      relay = await TestRelay.start();
      await relay.serve(kith(), "actor");
      [eve, gail] = [town.mallory(), town.honest()];
      [mal, gus] = [evilPod().person("mal"), goodPod().person("gus")];
      for (const one of [eve, gail]) await town.followed(one);
      for (const { handle } of [mal, gus]) await befriend(ann(), handle);
      await kith().settle();
      evesNote = e().note();
      serve(evil(), evesNote);
      await e().deliver(kith(), create(e(), evesNote));
      [malsPost, gusPost] = [podPost(mal), podPost(gus)];
      await m().deliver(kith(), malsPost);
      await u().deliver(kith(), gusPost);
      for (const { handle } of [e(), m()])
        await town.decideOn(handle, "suspend");
      await kith().settle();
    });

    after(() => relay.server.close());

    /** Everything visible to ann and others, wherever they look for it. */
    const shown = async () => {
      const posts = await ann().get<PostRecord[]>("/posts", { limit: 100 });
      const comments = [];
      for (const { Guid } of posts)
        comments.push(
          ...(await ann().get<CommentRecord[]>(`/posts/${Guid}/comments`)),
        );
      return [...posts, ...comments]
        .map(({ Person }) => Person?.Author ?? "")
        .filter((author) => [e().handle, m().handle].includes(author));
    };

    /** An unknown object there that could be fetched. */
    const served = (members: JsonObject = {}) => {
      const note = e().note(members);
      serve(evil(), note);
      return note;
    };

    const BY_OTHERS: Readonly<Record<string, () => Promise<unknown>>> = {
      "a boost of a post that is known": () =>
        g().deliver(
          kith(),
          g().activity("Announce", { ...FOR_ALL, object: idOf(evesNote) }),
        ),
      "a boost of a post that is not known": () =>
        g().deliver(
          kith(),
          g().activity("Announce", { ...FOR_ALL, object: idOf(served()) }),
        ),
      "a boost with the post inside": () =>
        g().deliver(
          kith(),
          g().activity("Announce", { ...FOR_ALL, object: served() }),
        ),
      "an answer to a post that is known": () =>
        g().deliver(
          kith(),
          create(g(), g().note({ inReplyTo: idOf(evesNote) })),
        ),
      "a like of a post of it": () =>
        g().deliver(kith(), g().activity("Like", { object: idOf(evesNote) })),
      "a Move to it": () => {
        e().profile = { alsoKnownAs: [g().id] };
        const move = { object: g().id, target: e().id };
        return g().deliver(kith(), g().activity("Move", move));
      },
      "a follow of it": async () => {
        const body = JSON.stringify({ type: "Follow", object: e().id });
        const outbox = `${actorOf(kith(), ann().username)}/outbox`;
        const { status } = await ask(outbox, ann(), { method: "POST", body });
        assert.ok(status >= 400, String(status));
      },
      "it, looked up by its address": async () => {
        for (const { handle } of [e(), m()]) {
          const form = { handle };
          const { status } = await ann().call("POST", "/search", { form });
          assert.equal(status, 404);
        }
      },
      "a relay that names a post of it": () =>
        relay.actor.deliver(kith(), relay.announce(idOf(served()))),
      "a relay with a post of it inside": () =>
        relay.actor.deliver(kith(), create(e(), served())),
      "a reshare of a post that is known": () => {
        const root = { author: m().handle, guid: malsPost.guid };
        return u().deliver(kith(), podReshare(u(), root));
      },
      "a comment of it, passed on by the author of the post": async () =>
        u().deliver(kith(), await podComment(m(), gusPost.guid)),
      "a like of it, passed on": async () =>
        u().deliver(kith(), await podLike(m(), gusPost.guid)),
      "a like of a post of it over diaspora*": async () =>
        u().deliver(kith(), await podLike(u(), malsPost.guid)),
    };

    for (const [name, run] of Object.entries(BY_OTHERS))
      test(`case 14: nothing of it comes in: ${name}`, async () => {
        await run();
        await kith().settle();
        assert.deepEqual(await shown(), []);
        const { posts } = kith().server.features;
        const known = await kith()
          .db.read.selectFrom("posts")
          .innerJoin("people", "people.id", "posts.person_id")
          .select("posts.uri")
          .where("people.handle", "in", [e().handle, m().handle])
          .execute();
        assert.deepEqual(
          known.map(({ uri }) => uri).filter((uri) => uri !== null),
          [idOf(evesNote)],
        );
        assert.ok(await posts.find({ guid: malsPost.guid }), "It is kept");
      });

    test("case 14: nothing of it comes in: read from a thread", async () => {
      const replies = good().newId("replies");
      const root: JsonObject = { ...g().note(), replies };
      serve(good(), root);
      const answers = [e(), g()].map((by) =>
        by.note({ inReplyTo: idOf(root) }),
      );
      serve(evil(), answers[0] ?? assert.fail());
      serve(good(), answers[1] ?? assert.fail());
      good().documents.set(replies, {
        "@context": "https://www.w3.org/ns/activitystreams",
        id: replies,
        type: "OrderedCollection",
        orderedItems: answers.map(idOf),
      });
      await g().deliver(kith(), create(g(), root));
      const update = { ...FOR_ALL, object: root };
      await g().deliver(kith(), g().activity("Update", update));
      await kith().settle();
      assert.ok(await town.textOf(idOf(root)));
      assert.ok(await town.textOf(idOf(answers[1] ?? {})), "It was read");
      assert.equal(await town.textOf(idOf(answers[0] ?? {})), undefined);
    });

    test("case 14: nothing is sent to it, and its signed requests read nothing", async () => {
      const before = evil().delivered.length + evilPod().posted.length;
      const { Guid } = await ann().post<PostRecord>("/posts", {
        post: `for @{${e().handle}} and @{${m().handle}}`,
      });
      await kith().settle();
      assert.equal(evil().delivered.length + evilPod().posted.length, before);
      const url = objectOf(kith(), Guid);
      assert.equal((await e().get(kith(), url)).status, 403);
      assert.equal((await g().get(kith(), url)).status, 200);
      const actor = actorOf(kith(), ann().username);
      assert.equal((await e().get(kith(), actor)).status, 200);
    });

    test("case 14: it can still leave, and never comes back under its name", async () => {
      const { handle } = e();
      const object = e().id;
      const leaves = e().activity("Delete", { object, to: [PUBLIC] });
      assert.equal((await e().send(kith(), leaves)).status, 202);
      await kith().settle();
      const person = await kith().server.features.people.find({ handle });
      assert.equal(person?.state, "closed");
      assert.equal(await town.textOf(idOf(evesNote)), undefined);
      const decisions = await kith()
        .db.read.selectFrom("person_decisions")
        .select("person_id")
        .execute();
      assert.ok(decisions.every(({ person_id }) => person_id !== person.id));
    });
  });
});
