import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { newGuid } from "../../src/lib/guids.ts";
import { DRAFT_BODY_LIMIT } from "../../src/pages/session/return-target.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { DiasporaPod, postTo } from "../support/remote/diaspora-pod.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { actorOf, submitAndApply } from "../support/remote/linked-data.ts";
import { podPost } from "../support/remote/pod-entities.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import { seen } from "../support/remote/several-servers.ts";
import type { NotificationRecord, PostRecord } from "../support/server/wire.ts";

const MEGABYTE = 1024 * 1024;

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let ann: TestPerson;
  before(async () => {
    ann = await kith().person();
  });

  describe("a body is taken up to its last byte, and not above", () => {
    const statusOf = async (path: string, type: string, body: string) => {
      const headers = { "content-type": type, access_token: ann.token };
      const init = { method: "POST", headers, body };
      const answer = await fetch(kith().baseUrl + path, init);
      await answer.arrayBuffer();
      return answer.status;
    };

    test("of parameters: 1 MiB", async () => {
      const begin = `handle=${encodeURIComponent(ann.handle)}&x=`;
      const body = begin + "x".repeat(MEGABYTE - begin.length);
      const form = "application/x-www-form-urlencoded";
      assert.equal(await statusOf("/api/v0/search", form, body), 200);
      assert.equal(await statusOf("/api/v0/search", form, `${body}x`), 413);
    });

    test("the sign-in form: 32 KiB, keeping the typed name", async () => {
      const begin = "username=nobody&password=wrong+horse&draft=";
      const most = 32 * 1024 + DRAFT_BODY_LIMIT;
      const body = begin + "x".repeat(most - begin.length);
      const form = "application/x-www-form-urlencoded";
      assert.equal(await statusOf("/users/sign_in", form, body), 401);
      assert.equal(await statusOf("/users/sign_in", form, `${body}x`), 413);
    });

    test("of an activity: 1 MiB", async () => {
      const [begin, end] = ['{"type":"Like","x":"', '"}'];
      const filler = "x".repeat(MEGABYTE - begin.length - end.length);
      const type = "application/activity+json";
      const inbox = "/api/v1/ap/inbox";
      // It has no actor, which is found out once it is read.
      assert.equal(await statusOf(inbox, type, begin + filler + end), 400);
      assert.equal(
        await statusOf(inbox, type, `${begin + filler}x${end}`),
        413,
      );
    });

    test("of an envelope: 2 MiB", async () => {
      const body = "x".repeat(2 * MEGABYTE);
      assert.equal(await postTo(kith(), "/receive/public", body), 202);
      assert.equal(await postTo(kith(), "/receive/public", `${body}x`), 413);
    });
  });

  test("of one text 50 tags and 100 mentions count", () => {
    const { texts } = kith().server.features;
    const names = Array.from({ length: 101 }, (_, n) => `name${n}`);
    const { tags } = texts.read(names.map((name) => `#${name}`).join(" "));
    assert.deepEqual(tags, names.slice(0, 50));
    const { handles } = texts.read(
      names.map((name) => `@{${name}@there.example}`).join(" "),
    );
    assert.deepEqual(
      handles,
      names.slice(0, 100).map((name) => `${name}@there.example`),
    );
  });

  describe("of a note from elsewhere", () => {
    let remote: RemoteServer;
    let eve: RemoteActor;
    before(async () => {
      remote = await RemoteServer.start();
      eve = remote.actor("evelyn");
      await seen(ann, eve.handle);
      await submitAndApply(kith(), ann, { type: "Follow", object: eve.id });
    });
    after(() => remote.close());

    let notes = 0;
    const publish = async (members: JsonObject) => {
      notes += 1;
      const object = eve.note({ content: `note ${notes}`, ...members });
      const { to = [PUBLIC], cc = [] } = members;
      await eve.deliver(kith(), eve.activity("Create", { object, to, cc }));
      return async (reader: TestPerson) => {
        const posts = await reader.get<PostRecord[]>("/posts", { limit: 100 });
        return posts.find(({ Text }) => Text === object["content"]);
      };
    };
    const many = (count: number) => Array.from({ length: count }, (_, n) => n);

    test("20 pictures are kept", async () => {
      for (const count of [20, 21]) {
        const attachment = many(count).map((n) => ({
          type: "Image",
          mediaType: "image/png",
          url: `https://there.example/${notes}/${n}.png`,
        }));
        const find = await publish({ attachment });
        assert.equal((await find(ann))?.Photos.length, 20);
      }
    });

    test("100 mentions are notified", async () => {
      const bob = await kith().person();
      const of = (name: string) => ({
        type: "Mention",
        name: `@${name}`,
        href: actorOf(kith(), name),
      });
      for (const [before, expected] of [
        [99, 1],
        [100, 1],
      ] as const) {
        const others = many(before).map((n) => of(`nobody${n}`));
        await publish({ tag: [...others, of(bob.username)] });
        const notifications =
          await bob.get<NotificationRecord[]>("/notifications");
        assert.equal(notifications.length, expected, `after ${before} others`);
      }
    });

    test("at most 1000 local addressees get it", async () => {
      const cid = await kith().person();
      for (const before of [999, 1000]) {
        const others = many(before).map((n) => actorOf(kith(), `nobody${n}`));
        const to = [...others, actorOf(kith(), cid.username)];
        const find = await publish({ to, cc: [actorOf(kith(), ann.username)] });
        assert.equal((await find(cid)) !== undefined, before === 999);
      }
    });
  });

  test("of a post over diaspora* 20 pictures are kept", async () => {
    const pod = await DiasporaPod.start();
    const bob = pod.person("bob");
    const post = podPost(bob);
    const photos = Array.from({ length: 21 }, (_, n) => ({
      type: "photo" as const,
      author: bob.handle,
      guid: newGuid(),
      createdAt: "2020-02-03T04:05:06Z",
      public: true,
      remotePhotoPath: "https://there.example/uploads/",
      remotePhotoName: `${n}.png`,
      statusMessageGuid: post.guid,
      height: 1,
      width: 1,
    }));
    await seen(ann, bob.handle);
    await bob.deliver(kith(), { ...post, photos });
    const stored = await ann.get<PostRecord>(`/posts/${post.guid}`);
    assert.equal(stored.Photos.length, 20);
    await pod.close();
  });
});
