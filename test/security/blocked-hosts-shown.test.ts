import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import type { PodPerson } from "../../packages/server/test/support/remote/diaspora-pod.ts";
import {
  EVIL,
  MAIL,
  guidOf,
  useHostServers,
} from "../../packages/server/test/support/remote/host-town.ts";
import type { TestPerson } from "../../packages/server/test/support/server/kith-server.ts";
import {
  actorOf,
  submitAndApply,
  objectOf,
  walk,
} from "../../packages/server/test/support/remote/linked-data.ts";
import {
  podLike,
  podPost,
} from "../../packages/server/test/support/remote/pod-entities.ts";
import { idOf } from "../../packages/server/test/support/remote/proving-actor.ts";
import type { RemoteActor } from "../../packages/server/test/support/remote/remote-server.ts";
import { seen } from "../../packages/server/test/support/remote/several-servers.ts";
import type {
  CommentRecord,
  NotificationRecord,
  PostRecord,
} from "../../packages/server/test/support/server/wire.ts";

const FOR_ALL = { to: [PUBLIC], cc: [] };

forEachDatabase((kind) => {
  const town = useHostServers(kind);
  const { kith, good, evil, evilPod, block, withoutEffect } = town;
  const features = () => kith().server.features;

  describe("existing data of a blocked host", () => {
    let ann: TestPerson;
    let [eve, gail]: RemoteActor[] = [];
    let mal: PodPerson;
    let annsPost: PostRecord;
    let evesNote: JsonObject;
    let malsGuid: string;

    before(async () => {
      ann = await kith().person();
      eve = evil().actor("eve");
      gail = good().actor("gail");
      mal = evilPod().person("mal");
      for (const { id } of [eve, gail])
        await submitAndApply(kith(), ann, { type: "Follow", object: id });
      const { ID } = await ann.post<{ ID: number }>("/aspects", { name: "x" });
      const malHere = await seen(ann, mal.handle);
      await ann.post(`/people/${malHere.ID}/aspects/${ID}`);
      await eve.deliver(
        kith(),
        eve.activity("Follow", { object: actorOf(kith(), ann.username) }),
      );
      await mal.whisper(
        kith(),
        {
          type: "contact",
          author: mal.handle,
          recipient: ann.handle,
          following: true,
          sharing: true,
          blocking: false,
        },
        ann,
      );
      annsPost = await ann.post<PostRecord>("/posts", { post: "by #ann" });
      await kith().settle();
      evesNote = eve.note({ content: "<p>by eve</p>" });
      await eve.deliver(
        kith(),
        eve.activity("Create", { ...FOR_ALL, object: evesNote }),
      );
      const inReplyTo = objectOf(kith(), annsPost.Guid);
      const comment = eve.note({ inReplyTo, content: "<p>eve says</p>" });
      await eve.deliver(
        kith(),
        eve.activity("Create", { ...FOR_ALL, object: comment }),
      );
      await eve.deliver(kith(), eve.activity("Like", { object: inReplyTo }));
      const post = podPost(mal, { text: "by mal" });
      malsGuid = post.guid;
      await mal.deliver(kith(), post);
      await mal.deliver(kith(), await podLike(mal, annsPost.Guid));
      await gail.deliver(
        kith(),
        gail.activity("Announce", { ...FOR_ALL, object: idOf(evesNote) }),
      );
    });

    /** Everything of theirs that is visible to ann and to others. */
    async function shown() {
      const guid = await guidOf(kith(), evesNote);
      const own = await ann.get<PostRecord>(`/posts/${annsPost.Guid}`);
      const stream = await ann.get<PostRecord[]>("/posts", { limit: 100 });
      const status = async (path: string, by: TestPerson | null = ann) =>
        (await (by ?? kith().anonymous).call("GET", path)).status;
      const page = async (path: string) =>
        (await fetch(kith().baseUrl + path, { redirect: "manual" })).status;
      const eveHere = await features().people.find({
        handle: eve?.handle ?? "",
      });
      return {
        post: await status(`/posts/${guid}`),
        page: await page(`/posts/${guid}`),
        diaspora: await page(`/fetch/post/${malsGuid}`),
        other: await status(`/posts/${malsGuid}`),
        person: await status(`/people/${eveHere?.id ?? 0}`),
        personPage: await page(`/people/${eveHere?.guid ?? ""}`),
        found: (
          await ann.call("POST", "/search", {
            form: { handle: eve?.handle ?? "" },
          })
        ).status,
        texts: stream.map(({ Text, Root }) => Root?.Text ?? Text).sort(),
        comments: (
          await ann.get<CommentRecord[]>(`/posts/${annsPost.Guid}/comments`)
        ).map(({ Text }) => Text),
        below: own.Comments.map(({ Text }) => Text),
        counts: [own.CommentsCount, own.LikesCount],
        replies: (await walk(`${objectOf(kith(), annsPost.Guid)}/replies`))
          .length,
        notified: new Set(
          (await ann.get<NotificationRecord[]>("/notifications")).map(
            ({ Person }) => Person.Author,
          ),
        ).has(eve?.handle ?? ""),
      };
    }

    const BEFORE = {
      post: 200,
      page: 200,
      diaspora: 302,
      other: 200,
      person: 200,
      personPage: 200,
      found: 200,
      texts: ["by #ann", "by eve", "by eve", "by mal"],
      comments: ["eve says"],
      below: ["eve says"],
      counts: [1, 2],
      replies: 1,
      notified: true,
    };

    const HIDDEN = {
      post: 404,
      page: 404,
      diaspora: 404,
      other: 404,
      person: 404,
      personPage: 404,
      found: 404,
      texts: ["by #ann"],
      comments: [],
      below: [],
      counts: [0, 0],
      replies: 0,
      notified: false,
    };

    test("is hidden from everyone, and comes back when the host is forgiven", async () => {
      assert.deepEqual(await shown(), BEFORE);
      await block();
      assert.deepEqual(await shown(), HIDDEN);
      await town.forgive(EVIL);
      assert.deepEqual(await shown(), BEFORE);
    });

    test("case 14: the same for suspended people, whatever happens to their host", async () => {
      const decide = async (decision: "suspend" | "unsuspend") => {
        for (const handle of [eve?.handle ?? "", mal.handle])
          await town.decideOn(handle, decision);
      };
      await decide("suspend");
      assert.deepEqual(await shown(), HIDDEN);
      await block();
      await town.forgive(EVIL);
      assert.deepEqual(await shown(), HIDDEN, "forgiven, the host alone");
      await block();
      await decide("unsuspend");
      assert.deepEqual(await shown(), HIDDEN, "the host is blocked");
      await town.forgive(EVIL);
      assert.deepEqual(await shown(), BEFORE);
    });

    test("contacts with its people end, without notifying them", async () => {
      await withoutEffect(
        block,
        new Set([
          ...MAIL,
          "audit_log",
          "host_policies",
          "people",
          "contacts",
          "aspect_memberships",
        ]),
      );
      for (const handle of [eve?.handle ?? "", mal.handle]) {
        const person = await features().people.find({ handle });
        assert.ok(person);
        const contact = await features().contacts.find(
          ann.record.UserID,
          person.id,
        );
        assert.equal(contact?.following, false, handle);
        assert.equal(contact?.sharing, false, handle);
        const rows = await kith()
          .db.read.selectFrom("aspect_memberships")
          .select("id")
          .where("person_id", "=", person.id)
          .execute();
        assert.deepEqual(rows, []);
      }
      await town.forgive(EVIL);
    });

    test("pending deliveries to it are dropped", async () => {
      const { id } = evil().actor("eva");
      await submitAndApply(kith(), ann, { type: "Follow", object: id });
      await block();
      await withoutEffect(
        () => kith().settle(),
        new Set([...MAIL, "sent_activities"]),
      );
      await town.forgive(EVIL);
    });
  });
});
