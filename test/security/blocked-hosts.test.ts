import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { encryptEnvelope } from "@kith/diaspora";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../../packages/server/test/support/databases.ts";
import {
  postTo,
  type PodPerson,
} from "../../packages/server/test/support/diaspora-pod.ts";
import {
  EVIL,
  guidOf,
  useHostTown,
} from "../../packages/server/test/support/host-town.ts";
import type { TestPerson } from "../../packages/server/test/support/kith-server.ts";
import {
  activityOf,
  actorOf,
  ask,
  carriedOut,
  objectOf,
  walk,
} from "../../packages/server/test/support/linked-data.ts";
import {
  podComment,
  podLike,
  podPost,
  podReshare,
} from "../../packages/server/test/support/pod-entities.ts";
import { idOf } from "../../packages/server/test/support/proving-actor.ts";
import type { RemoteActor } from "../../packages/server/test/support/remote-server.ts";
import { seen } from "../../packages/server/test/support/several-servers.ts";
import type {
  CommentRecord,
  NotificationRecord,
  PostRecord,
} from "../../packages/server/test/support/wire.ts";

const FOR_ALL = { to: [PUBLIC], cc: [] };
/** What a message may write where it has no other effect: that it came, and its job. */
const MAIL = new Set(["inbound_messages", "jobs", "job_documents"]);

forEachDatabase((kind) => {
  const town = useHostTown(kind);
  const { kith, good, evil, goodPod, evilPod } = town;
  const features = () => kith().server.features;
  const block = () =>
    town.decide(`https://${EVIL.toUpperCase()}.:8443/about`, { blocked: true });

  /** Whatever is done: nobody there is asked or told anything, and nothing of it is kept. */
  async function withoutEffect(
    what: () => Promise<unknown>,
    written: ReadonlySet<string> = MAIL,
  ): Promise<void> {
    const traffic = () => [
      evil().asked.length,
      evil().delivered.length,
      evilPod().asked.length,
      evilPod().posted.length,
    ];
    const kept = async () =>
      Object.entries(await kith().snapshot()).filter(
        ([table]) => !written.has(table),
      );
    const before = { traffic: traffic(), kept: await kept() };
    await what();
    await kith().settle();
    assert.deepEqual({ traffic: traffic(), kept: await kept() }, before);
  }

  describe("what is there when a host is blocked", () => {
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
        await carriedOut(kith(), ann, { type: "Follow", object: id });
      const { ID } = await ann.post<{ ID: number }>("/aspects", { name: "x" });
      const malHere = await seen(ann, mal.handle);
      await ann.post(`/people/${malHere.ID}/aspects/${ID}`);
      await eve.tell(
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
      await eve.tell(
        kith(),
        eve.activity("Create", { ...FOR_ALL, object: evesNote }),
      );
      const inReplyTo = objectOf(kith(), annsPost.Guid);
      const comment = eve.note({ inReplyTo, content: "<p>eve says</p>" });
      await eve.tell(
        kith(),
        eve.activity("Create", { ...FOR_ALL, object: comment }),
      );
      await eve.tell(kith(), eve.activity("Like", { object: inReplyTo }));
      const post = podPost(mal, { text: "by mal" });
      malsGuid = post.guid;
      await mal.tell(kith(), post);
      await mal.tell(kith(), await podLike(mal, annsPost.Guid));
      await gail.tell(
        kith(),
        gail.activity("Announce", { ...FOR_ALL, object: idOf(evesNote) }),
      );
    });

    /** All that ann and everybody else are shown of them. */
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
        told: new Set(
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
      told: true,
    };

    test("is shown to nobody any more, and comes back when it is forgiven", async () => {
      assert.deepEqual(await shown(), BEFORE);
      await block();
      assert.deepEqual(await shown(), {
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
        told: false,
      });
      await town.forgive(EVIL);
      assert.deepEqual(await shown(), BEFORE);
    });

    test("contacts with its people end, and nobody there is told", async () => {
      await withoutEffect(
        block,
        new Set([
          ...MAIL,
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
          ann.record.UserID as never,
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

    test("what waits to be delivered there is not", async () => {
      const { id } = evil().actor("eva");
      await carriedOut(kith(), ann, { type: "Follow", object: id });
      await block();
      await withoutEffect(
        () => kith().settle(),
        new Set([...MAIL, "sent_activities"]),
      );
      await town.forgive(EVIL);
    });
  });

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
        await carriedOut(kith(), ann, { type: "Follow", object: id });
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
        await by.tell(kith(), by.activity("Create", { ...FOR_ALL, object }));
      [malsPost, gusPost] = [podPost(mal), podPost(gus)];
      await mal.tell(kith(), malsPost);
      await gus.tell(kith(), gusPost);
      // They have followers here still, who could be the reason to take something.
      await block();
      await kith().settle();
    });

    const e = () => eve ?? assert.fail();
    const g = () => gail ?? assert.fail();
    const m = () => mal ?? assert.fail();
    const u = () => gus ?? assert.fail();

    /** What its people send themselves is refused before anything is looked at. */
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

    test("ActivityPub, inbox: of somebody there who is not known", async () => {
      const stranger = evil().actor("stranger");
      await withoutEffect(async () => {
        const object = stranger.note();
        const create = stranger.activity("Create", { ...FOR_ALL, object });
        assert.equal((await stranger.send(kith(), create)).status, 403);
      }, new Set());
    });

    test("ActivityPub, inbox: a key there that signs for another server", async () => {
      await withoutEffect(async () => {
        const act = g().activity("Create", { ...FOR_ALL, object: g().note() });
        const forwarded = await e().send(kith(), act);
        assert.equal(forwarded.status, 403);
      }, new Set());
    });

    test("ActivityPub, inbox: brought by somebody of another server", async () => {
      for (const activity of Object.values(ACTIVITIES))
        await withoutEffect(async () => {
          const { status } = await g().send(kith(), activity());
          assert.equal(status, 403);
        }, new Set());
    });

    /** What others do with things of it is taken, and nothing of it comes in. */
    const BY_OTHERS: Readonly<Record<string, () => Promise<unknown>>> = {
      "ActivityPub: an Announce of a post that is known": () =>
        g().tell(
          kith(),
          g().activity("Announce", { ...FOR_ALL, object: idOf(evesNote) }),
        ),
      "ActivityPub: an Announce of a post that is not known": () =>
        g().tell(
          kith(),
          g().activity("Announce", { ...FOR_ALL, object: served().id }),
        ),
      "ActivityPub: an Announce that carries the post": () =>
        g().tell(
          kith(),
          g().activity("Announce", { ...FOR_ALL, object: served().note }),
        ),
      "ActivityPub: an answer to a post that is known": () =>
        g().tell(kith(), answer(idOf(evesNote))),
      "ActivityPub: an answer to a post that is not known": () =>
        g().tell(kith(), answer(served().id)),
      "ActivityPub: a like of a post there": () =>
        g().tell(kith(), g().activity("Like", { object: idOf(evesNote) })),
      "ActivityPub: an object that leads there": () => {
        const id = g().newId("notes");
        good().documents.set(id, { ...served().note });
        return g().tell(
          kith(),
          g().activity("Announce", { ...FOR_ALL, object: id }),
        );
      },
      "ActivityPub: somebody there, by address": () =>
        seenNobody(evil().actor("nobody-yet").handle),
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
        u().tell(
          kith(),
          podReshare(u(), { author: m().handle, guid: malsPost.guid }),
        ),
      "diaspora*: a reshare of a post that is not known": () => {
        const post = podPost(m());
        return u().tell(
          kith(),
          podReshare(u(), { author: m().handle, guid: post.guid }),
        );
      },
      "diaspora*: a comment of it, passed on by the author of the post":
        async () => u().tell(kith(), await podComment(m(), gusPost.guid)),
      "diaspora*: a comment of a stranger there, passed on": async () =>
        u().tell(
          kith(),
          await podComment(evilPod().person("new"), gusPost.guid),
        ),
      "diaspora*: a like of it, passed on": async () =>
        u().tell(kith(), await podLike(m(), gusPost.guid)),
      "diaspora*: a like of a post there": async () =>
        u().tell(kith(), await podLike(u(), malsPost.guid)),
      "diaspora*: somebody there, by address": () =>
        seenNobody(evilPod().person("nobody-yet").handle),
    };

    const answer = (inReplyTo: string) =>
      g().activity("Create", { ...FOR_ALL, object: g().note({ inReplyTo }) });

    /** Something there that could be fetched. */
    function served() {
      const note = e().note();
      const id = idOf(note);
      evil().documents.set(id, note);
      return { id, note };
    }

    async function seenNobody(handle: string): Promise<void> {
      const form = { handle };
      const { status } = await ann.call("POST", "/search", { form });
      assert.equal(status, 404);
    }

    for (const [name, run] of Object.entries(BY_OTHERS))
      test(name, () => withoutEffect(run));

    /** Whatever is in it: the answer of a pod says nothing, and nothing is kept. */
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

    test("signed requests of its people get nothing but what everybody needs", async () => {
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

    test("a redirect does not lead there", async () => {
      const path = "/.well-known/webfinger";
      goodPod().redirect(path, evilPod().origin + path);
      const asked = goodPod().countOf(path);
      await withoutEffect(() =>
        seenNobody(goodPod().person("led-away").handle),
      );
      assert.ok(goodPod().countOf(path) > asked);
      goodPod().serves.delete(path);
    });

    test("what people here do reaches everybody but its people", async () => {
      const written = new Set(Object.keys(await kith().snapshot()));
      const before = good().delivered.length;
      await g().tell(
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
