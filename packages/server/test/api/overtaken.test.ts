import assert from "node:assert/strict";
import {
  after,
  afterEach,
  before,
  beforeEach,
  describe,
  test,
} from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import {
  signRelayable,
  type EventParticipation,
  type PollParticipation,
} from "@kith/diaspora";
import { newGuid } from "../../src/lib/guids.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { DiasporaPod, type PodPerson } from "../support/remote/diaspora-pod.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { sendFollow } from "../support/remote/linked-data.ts";
import {
  podComment,
  podLike,
  podPost,
  podReshare,
  podRetraction,
} from "../support/remote/pod-entities.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import type { CommentRecord, LikeRecord } from "../support/server/wire.ts";

let serial = 0;

/** The clock does not advance: nothing happens by a schedule. */
forEachDatabase((kind) => {
  const kith = useKith(kind);
  let ann: TestPerson;
  before(async () => {
    kith().clock.stopAt(new Date());
    ann = await kith().person();
  });
  afterEach(async () => {
    assert.deepEqual(await listAwaited(), [], "nobody waits any longer");
  });

  const listAwaited = async () => {
    const rows = await kith()
      .db.read.selectFrom("jobs")
      .select("awaits")
      .where("kind", "=", "handle-inbound")
      .orderBy("id")
      .execute();
    return rows.map(({ awaits }) => awaits);
  };
  const features = () => kith().server.features;
  const commentsOn = (postId: number) =>
    ann.get<CommentRecord[]>(`/posts/${postId}/comments`);
  const likesOf = (thing: string) => ann.get<LikeRecord[]>(`/${thing}/likes`);

  describe("over ActivityPub", () => {
    let remote: RemoteServer;
    let eve: RemoteActor;
    let fay: RemoteActor;
    before(async () => {
      remote = await RemoteServer.start();
    });
    after(() => remote.close());
    beforeEach(async () => {
      [eve, fay] = [await followed(), await followed()];
    });

    const followed = async (): Promise<RemoteActor> => {
      const other = remote.actor(`actor${++serial}`);
      await sendFollow(kith(), ann, other);
      return other;
    };
    const create = (by: RemoteActor, object: JsonObject) =>
      by.deliver(kith(), by.activity("Create", { object, to: [PUBLIC] }));
    const idOf = async (uri: string) =>
      (await features().posts.find({ uri }))?.id ?? assert.fail();

    test("a like, a dislike and a comment that overtook their post are there with it", async () => {
      const note = { ...eve.note(), id: eve.newId("notes") };
      const like = { object: note.id };
      await fay.deliver(kith(), fay.activity("Like", like));
      const gil = remote.actor(`actor${++serial}`);
      await gil.deliver(kith(), gil.activity("Dislike", like));
      await create(fay, fay.note({ inReplyTo: note.id, content: "yes" }));
      assert.deepEqual(await listAwaited(), Array(3).fill(note.id));
      await create(eve, note);
      const id = await idOf(note.id);
      const signs = (await likesOf(`posts/${id}`)).map((one) => one.Positive);
      assert.deepEqual(signs.sort(), [false, true]);
      assert.deepEqual(
        (await commentsOn(id)).map(({ Text }) => Text),
        ["yes"],
      );
    });

    test("so are a like of a comment, and that one, in the opposite order", async () => {
      const note = { ...eve.note(), id: eve.newId("notes") };
      const reply = {
        ...fay.note({ inReplyTo: note.id }),
        id: fay.newId("notes"),
      };
      await eve.deliver(kith(), eve.activity("Like", { object: reply.id }));
      await create(fay, reply);
      assert.deepEqual(await listAwaited(), [reply.id, note.id]);
      await create(eve, note);
      const [comment] = await commentsOn(await idOf(note.id));
      assert.ok(comment);
      assert.equal((await likesOf(`comments/${comment.ID}`)).length, 1);
    });
  });

  describe("over diaspora*", () => {
    let pod: DiasporaPod;
    let bob: PodPerson;
    let cid: PodPerson;
    let dan: PodPerson;
    before(async () => {
      pod = await DiasporaPod.start();
    });
    after(() => pod.close());
    beforeEach(() => {
      serial += 1;
      bob = pod.person(`bob${serial}`);
      cid = pod.person(`cid${serial}`);
      dan = pod.person(`dan${serial}`);
    });

    const idOf = async (guid: string) =>
      (await features().posts.find({ guid }))?.id ?? assert.fail();

    test("a comment, dislike or reshare deferred for its post is stored with it", async () => {
      const post = podPost(bob);
      await bob.deliver(kith(), await podComment(cid, post.guid));
      const negative = { positive: false };
      await bob.deliver(kith(), await podLike(cid, post.guid, negative));
      const reshare = podReshare(dan, post);
      await dan.deliver(kith(), reshare);
      assert.deepEqual(await listAwaited(), Array(3).fill(post.guid));
      await bob.deliver(kith(), post);
      const id = await idOf(post.guid);
      assert.equal((await commentsOn(id)).length, 1);
      const [like] = await likesOf(`posts/${id}`);
      assert.equal(like?.Positive, false);
      assert.ok(await idOf(reshare.guid));
    });

    test("so are a like of a comment, and that one, in the opposite order", async () => {
      const post = podPost(bob);
      const comment = await podComment(cid, post.guid);
      const about = { parentType: "Comment" } as const;
      await bob.deliver(kith(), await podLike(dan, comment.guid, about));
      await bob.deliver(kith(), comment);
      assert.deepEqual(await listAwaited(), [comment.guid, post.guid]);
      await bob.deliver(kith(), post);
      const [stored] = await commentsOn(await idOf(post.guid));
      assert.ok(stored);
      assert.equal((await likesOf(`comments/${stored.ID}`)).length, 1);
    });

    test("a reply retracted before its post has arrived is not stored", async () => {
      const post = podPost(bob);
      const like = await podLike(cid, post.guid);
      await bob.deliver(kith(), like);
      await cid.deliver(kith(), podRetraction(cid, "Like", like.guid));
      assert.deepEqual(await listAwaited(), [post.guid, like.guid]);
      await bob.deliver(kith(), post);
      assert.deepEqual(await likesOf(`posts/${await idOf(post.guid)}`), []);
    });

    test("a vote is counted as soon as there is a poll", async () => {
      const [yes, no] = [newGuid(), newGuid()];
      const poll = {
        type: "poll" as const,
        guid: newGuid(),
        question: "Tea?",
        pollAnswers: [
          { type: "poll_answer" as const, guid: yes, answer: "yes" },
          { type: "poll_answer" as const, guid: no, answer: "no" },
        ],
      };
      const vote = await signRelayable<PollParticipation>(
        {
          type: "poll_participation",
          author: cid.handle,
          guid: newGuid(),
          parentGuid: poll.guid,
          pollAnswerGuid: yes,
        },
        cid.privateKey,
      );
      await bob.deliver(kith(), vote);
      await bob.deliver(kith(), podPost(bob, { poll }));
      const counted = await features().polls.findVote({ guid: vote.guid });
      assert.equal(counted?.answerGuid, yes);
    });

    test("so is who comes, as soon as there is an event", async () => {
      const event = {
        type: "event" as const,
        author: bob.handle,
        guid: newGuid(),
        summary: "Tea",
        start: "2026-03-10T15:00:00Z",
        allDay: false,
        timezone: "Etc/UTC",
      };
      const answer = await signRelayable<EventParticipation>(
        {
          type: "event_participation",
          author: cid.handle,
          guid: newGuid(),
          parentGuid: event.guid,
          status: "accepted",
        },
        cid.privateKey,
      );
      await bob.deliver(kith(), answer);
      await bob.deliver(kith(), podPost(bob, { event }));
      const { participations } = features();
      const stored = await participations.find({ guid: answer.guid });
      assert.equal(stored?.status, "accepted");
    });

    test("a message of a person whose server was down is processed when the person is known", async () => {
      const far = await DiasporaPod.start();
      try {
        const zoe = far.person("zoe");
        far.serves.set("/.well-known/webfinger", (response) =>
          response.writeHead(503).end(),
        );
        const post = podPost(bob);
        await bob.deliver(kith(), post);
        await bob.deliver(kith(), await podComment(zoe, post.guid));
        assert.deepEqual(await listAwaited(), [zoe.handle]);
        far.serves.clear();
        await ann.post("/search", { handle: zoe.handle });
        await kith().settle();
        assert.equal((await commentsOn(await idOf(post.guid))).length, 1);
      } finally {
        await far.close();
      }
    });
  });
});
