import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { encryptEnvelope } from "@kith/diaspora";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  postTo,
  type PodPerson,
} from "../../packages/server/test/support/remote/diaspora-pod.ts";
import { useHostServers } from "../../packages/server/test/support/remote/host-town.ts";
import type { TestPerson } from "../../packages/server/test/support/server/kith-server.ts";
import {
  activityOf,
  actorOf,
  ask,
  submitAndApply,
  objectOf,
} from "../../packages/server/test/support/remote/linked-data.ts";
import {
  podComment,
  podLike,
  podPost,
  podReshare,
} from "../../packages/server/test/support/remote/pod-entities.ts";
import { idOf } from "../../packages/server/test/support/remote/proving-actor.ts";
import type { RemoteActor } from "../../packages/server/test/support/remote/remote-server.ts";
import { seen } from "../../packages/server/test/support/remote/several-servers.ts";
import type { PostRecord } from "../../packages/server/test/support/server/wire.ts";

const FOR_ALL = { to: [PUBLIC], cc: [] };

forEachDatabase((kind) => {
  const town = useHostServers(kind);
  const { kith, good, evil, goodPod, evilPod, block, withoutEffect } = town;

  describe("while a host is blocked", () => {
    let ann: TestPerson;
    let [eve, gail]: RemoteActor[] = [];
    let [mal, gus]: PodPerson[] = [];
    let annsPost: PostRecord;
    let evesNote: JsonObject;
    let gailsNote: JsonObject;
    let malsPost: ReturnType<typeof podPost>;
    let gusPost: ReturnType<typeof podPost>;

    before(async () => {
      ann = await kith().person();
      eve = evil().actor("evelyn");
      gail = good().actor("gaia");
      mal = evilPod().person("mallory");
      gus = goodPod().person("gustav");
      for (const { handle } of [eve, gail, mal, gus]) await seen(ann, handle);
      for (const { id } of [eve, gail])
        await submitAndApply(kith(), ann, { type: "Follow", object: id });
      const { ID } = await ann.post<{ ID: number }>("/aspects", { name: "x" });
      const gusHere = await seen(ann, gus.handle);
      await ann.post(`/people/${gusHere.ID}/aspects/${ID}`);
      annsPost = await ann.post<PostRecord>("/posts", { post: "hello" });
      await kith().settle();
      [evesNote, gailsNote] = [eve.note(), gail.note()];
      for (const [by, object] of [
        [eve, evesNote],
        [gail, gailsNote],
      ] as const)
        await by.deliver(kith(), by.activity("Create", { ...FOR_ALL, object }));
      [malsPost, gusPost] = [podPost(mal), podPost(gus)];
      await mal.deliver(kith(), malsPost);
      await gus.deliver(kith(), gusPost);
      // They still have followers here, which could be a reason to accept a message.
      await block();
      await kith().settle();
    });

    const e = () => eve ?? assert.fail();
    const g = () => gail ?? assert.fail();
    const m = () => mal ?? assert.fail();
    const u = () => gus ?? assert.fail();

    /** Messages of its people are refused before any other check. */
    const ACTIVITIES: Readonly<Record<string, () => JsonObject>> = {
      "Create of a post": () =>
        e().activity("Create", { ...FOR_ALL, object: e().note() }),
      "Create of a comment": () =>
        e().activity("Create", {
          ...FOR_ALL,
          object: e().note({ inReplyTo: objectOf(kith(), annsPost.Guid) }),
        }),
      Update: () =>
        e().activity("Update", {
          ...FOR_ALL,
          object: { ...evesNote, updated: "2026-02-02T00:00:00Z" },
        }),
      Delete: () => e().activity("Delete", { object: idOf(evesNote) }),
      "Delete of the actor": () => e().activity("Delete", { object: e().id }),
      Like: () =>
        e().activity("Like", { object: objectOf(kith(), annsPost.Guid) }),
      Announce: () =>
        e().activity("Announce", {
          ...FOR_ALL,
          object: objectOf(kith(), annsPost.Guid),
        }),
      Follow: () =>
        e().activity("Follow", { object: actorOf(kith(), ann.username) }),
      Undo: () =>
        e().activity("Undo", {
          object: e().activity("Like", {
            object: objectOf(kith(), annsPost.Guid),
          }),
        }),
      Accept: () =>
        e().activity("Accept", { object: `${kith().baseUrl}/nothing` }),
      Block: () =>
        e().activity("Block", { object: actorOf(kith(), ann.username) }),
      Flag: () =>
        e().activity("Flag", { object: actorOf(kith(), ann.username) }),
      Move: () => e().activity("Move", { object: e().id, target: g().id }),
    };
    const inboxes = () => [
      "/api/v1/ap/inbox",
      "/api/v0/ap/inbox",
      `/api/v1/ap/person/${ann.username}/inbox`,
      `/api/v0/ap/user/${ann.username}/inbox`,
    ];

    for (const [name, activity] of Object.entries(ACTIVITIES))
      test(`ActivityPub, inbox: ${name}`, async () => {
        for (const to of inboxes())
          await withoutEffect(async () => {
            const { status } = await e().send(kith(), activity(), { to });
            assert.equal(status, 403, to);
          }, new Set());
      });

    test("ActivityPub, inbox: from an unknown person there", async () => {
      const stranger = evil().actor("stranger");
      await withoutEffect(async () => {
        const object = stranger.note();
        const create = stranger.activity("Create", { ...FOR_ALL, object });
        assert.equal((await stranger.send(kith(), create)).status, 403);
      }, new Set());
    });

    test("ActivityPub, inbox: with a key there that signs for another server", async () => {
      await withoutEffect(async () => {
        const act = g().activity("Create", { ...FOR_ALL, object: g().note() });
        const forwarded = await e().send(kith(), act);
        assert.equal(forwarded.status, 403);
      }, new Set());
    });

    test("ActivityPub, inbox: forwarded by a person of another server", async () => {
      for (const activity of Object.values(ACTIVITIES))
        await withoutEffect(async () => {
          const { status } = await g().send(kith(), activity());
          assert.equal(status, 403);
        }, new Set());
    });

    /** Activities of others about its objects are accepted, without importing anything of it. */
    const BY_OTHERS: Readonly<Record<string, () => Promise<unknown>>> = {
      "ActivityPub: an Announce of a post that is known": () =>
        g().deliver(
          kith(),
          g().activity("Announce", { ...FOR_ALL, object: idOf(evesNote) }),
        ),
      "ActivityPub: an Announce of a post that is not known": () =>
        g().deliver(
          kith(),
          g().activity("Announce", { ...FOR_ALL, object: served().id }),
        ),
      "ActivityPub: an Announce with the post inside": () =>
        g().deliver(
          kith(),
          g().activity("Announce", { ...FOR_ALL, object: served().note }),
        ),
      "ActivityPub: an answer to a post that is known": () =>
        g().deliver(kith(), answer(idOf(evesNote))),
      "ActivityPub: an answer to a post that is not known": () =>
        g().deliver(kith(), answer(served().id)),
      "ActivityPub: a like of a post there": () =>
        g().deliver(kith(), g().activity("Like", { object: idOf(evesNote) })),
      "ActivityPub: an object that leads there": () => {
        const id = g().newId("notes");
        good().documents.set(id, { ...served().note });
        return g().deliver(
          kith(),
          g().activity("Announce", { ...FOR_ALL, object: id }),
        );
      },
      "ActivityPub: somebody there, by address": () =>
        isUnknown(evil().actor("nobody-yet").handle),
      "ActivityPub: a follow of somebody there": async () => {
        const { status } = await ask(
          `${actorOf(kith(), ann.username)}/outbox`,
          ann,
          {
            method: "POST",
            body: JSON.stringify({ type: "Follow", object: e().id }),
          },
        );
        assert.ok(status >= 400, String(status));
      },
      "diaspora*: a reshare of a post that is known": () =>
        u().deliver(
          kith(),
          podReshare(u(), { author: m().handle, guid: malsPost.guid }),
        ),
      "diaspora*: a reshare of a post that is not known": () => {
        const post = podPost(m());
        return u().deliver(
          kith(),
          podReshare(u(), { author: m().handle, guid: post.guid }),
        );
      },
      "diaspora*: a comment of it, passed on by the author of the post":
        async () => u().deliver(kith(), await podComment(m(), gusPost.guid)),
      "diaspora*: a comment of a stranger there, passed on": async () =>
        u().deliver(
          kith(),
          await podComment(evilPod().person("new"), gusPost.guid),
        ),
      "diaspora*: a like of it, passed on": async () =>
        u().deliver(kith(), await podLike(m(), gusPost.guid)),
      "diaspora*: a like of a post there": async () =>
        u().deliver(kith(), await podLike(u(), malsPost.guid)),
      "diaspora*: somebody there, by address": () =>
        isUnknown(evilPod().person("nobody-yet").handle),
    };

    const answer = (inReplyTo: string) =>
      g().activity("Create", { ...FOR_ALL, object: g().note({ inReplyTo }) });

    /** A fetchable object there. */
    function served() {
      const note = e().note();
      const id = idOf(note);
      evil().documents.set(id, note);
      return { id, note };
    }

    async function isUnknown(handle: string): Promise<void> {
      const form = { handle };
      const { status } = await ann.call("POST", "/search", { form });
      assert.equal(status, 404);
    }

    for (const [name, run] of Object.entries(BY_OTHERS))
      test(name, () => withoutEffect(run));

    /** For any content: a pod's answer reveals nothing, and nothing is stored. */
    const ENTITIES = {
      "a post": async () => podPost(m()),
      "a comment": () => podComment(m(), annsPost.Guid),
      "a like": () => podLike(m(), annsPost.Guid),
      "a reshare": async () =>
        podReshare(m(), { author: ann.handle, guid: annsPost.Guid }),
      "a profile": async () =>
        ({
          type: "profile",
          author: m().handle,
          firstName: "changed",
          searchable: true,
          public: false,
          nsfw: false,
        }) as const,
      "a farewell": async () =>
        ({ type: "account_deletion", author: m().handle }) as const,
    };
    for (const [name, entity] of Object.entries(ENTITIES))
      test(`diaspora*, receive: ${name}`, async () => {
        const envelope = await m().seal(await entity());
        await withoutEffect(async () => {
          assert.equal(await postTo(kith(), "/receive/public", envelope), 202);
        }, new Set());
        const { Guid, SerializedPublicKey } = ann.record;
        const body = encryptEnvelope(envelope, SerializedPublicKey);
        await withoutEffect(async () => {
          const path = `/receive/users/${Guid}`;
          assert.equal(await postTo(kith(), path, body), 202);
        });
      });

    test("signed requests of its people get only the public minimum", async () => {
      const urls = [
        objectOf(kith(), annsPost.Guid),
        activityOf(kith(), annsPost.Guid),
        `${objectOf(kith(), annsPost.Guid)}/replies`,
        `${actorOf(kith(), ann.username)}/outbox?page=1`,
        `${actorOf(kith(), ann.username)}/followers`,
      ];
      await withoutEffect(async () => {
        for (const url of urls)
          assert.equal((await e().get(kith(), url)).status, 403, url);
        const stranger = evil().actor("reader");
        for (const url of urls)
          assert.equal((await stranger.get(kith(), url)).status, 403, url);
      }, new Set());
      const [url = ""] = urls;
      assert.equal((await g().get(kith(), url)).status, 200);
      const keys = await e().get(kith(), actorOf(kith(), ann.username));
      assert.equal(keys.status, 200, "The key of an actor is for everybody");
    });

    test("redirects to it are not followed", async () => {
      const path = "/.well-known/webfinger";
      goodPod().redirect(path, evilPod().origin + path);
      const asked = goodPod().countOf(path);
      await withoutEffect(() => isUnknown(goodPod().person("led-away").handle));
      assert.ok(goodPod().countOf(path) > asked);
      goodPod().serves.delete(path);
    });

    test("local activities reach everyone except its people", async () => {
      const written = new Set(Object.keys(await kith().snapshot()));
      const before = good().delivered.length;
      await g().deliver(
        kith(),
        g().activity("Follow", { object: actorOf(kith(), ann.username) }),
      );
      await withoutEffect(async () => {
        await ann.post("/posts", {
          post: `for @{${e().handle}} and @{${m().handle}}`,
        });
      }, written);
      assert.ok(good().delivered.length > before);
    });
  });
});
