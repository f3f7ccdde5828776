import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { DiasporaPod, type PodPerson } from "../support/remote/diaspora-pod.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  podComment,
  podLike,
  podParticipation,
  podPost,
  podReshare,
  podRetraction,
} from "../support/remote/pod-entities.ts";
import type {
  AspectRecord,
  CommentRecord,
  PersonRecord,
  PostRecord,
} from "../support/server/wire.ts";

let serial = 0;

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let pod: DiasporaPod;
  let far: DiasporaPod;
  let ann: TestPerson;
  let bob: PodPerson;
  let zoe: PodPerson;

  before(async () => {
    pod = await DiasporaPod.start();
    far = await DiasporaPod.start();
    ann = await kith().person();
  });
  after(() => Promise.all([pod.close(), far.close()]));
  beforeEach(() => {
    serial += 1;
    bob = pod.person(`bob${serial}`);
    zoe = far.person(`zoe${serial}`);
    pod.posted.length = 0;
    far.posted.length = 0;
  });

  async function follow({ handle }: PodPerson): Promise<void> {
    const { ID } = await ann.post<PersonRecord>("/search", { handle });
    serial += 1;
    const name = `aspect${serial}`;
    const aspect = await ann.post<AspectRecord>("/aspects", { name });
    await ann.post(`/people/${ID}/aspects/${aspect.ID}`);
    await kith().settle();
  }

  const postOf = (guid: string) => kith().server.features.posts.find({ guid });

  test("a post reshared by a contact is fetched, and subscribed to once in the follower's name", async () => {
    await follow(bob);
    const root = podPost(zoe);
    far.shelve("post", root.guid, await zoe.seal(root));
    await bob.deliver(kith(), podReshare(bob, root));
    await bob.deliver(kith(), podReshare(bob, root));
    const [first, ...more] = await far.ofType("participation");
    assert.ok(first);
    assert.equal(more.length, 0);
    assert.equal(first.to, zoe);
    assert.equal(first.sender, ann.handle);
    assert.equal(first.entity.parentGuid, root.guid);
    assert.equal(first.entity.author, ann.handle);
    // Bob's own server notifies his followers anyway.
    assert.equal((await pod.ofType("participation")).length, 0);
    // The comments on it may come now, passed on by its author.
    const comment = await podComment(bob, root.guid);
    await zoe.deliver(kith(), comment);
    const { comments } = kith().server.features;
    assert.ok(await comments.find({ guid: comment.guid }));
  });

  test("a post that mentions a local person is subscribed to in that person's name", async () => {
    const post = podPost(zoe, { text: `Dear @{${ann.handle}}` });
    await zoe.deliver(kith(), post);
    const [first, ...more] = await far.ofType("participation");
    assert.equal(first?.sender, ann.handle);
    assert.equal(first.entity.parentGuid, post.guid);
    assert.equal(more.length, 0);
  });

  test("a post without relation to a local person, such as a relay's, reveals no name", async () => {
    const post = podPost(zoe);
    await zoe.deliver(kith(), post);
    assert.ok(await postOf(post.guid));
    const limited = podPost(zoe, { public: false });
    await zoe.whisper(kith(), limited, ann);
    assert.ok(await postOf(limited.guid));
    assert.equal(far.posted.length, 0);
  });

  test("no subscription is sent in the name of a person who has blocked the author", async () => {
    const { handle } = zoe;
    const { ID } = await ann.post<PersonRecord>("/search", { handle });
    await ann.post(`/people/${ID}/block`);
    await kith().settle();
    far.posted.length = 0;
    await zoe.deliver(kith(), podPost(zoe, { text: `@{${ann.handle}}` }));
    assert.equal((await far.ofType("participation")).length, 0);
  });

  test("an unknown person's participation is accepted: comments, likes and their retractions follow", async () => {
    const post = await ann.post<PostRecord>("/posts", { post: "to subscribe" });
    const { people } = kith().server.features;
    assert.equal(await people.find({ handle: zoe.handle }), undefined);
    await zoe.whisper(kith(), podParticipation(zoe, post.Guid), ann);
    assert.ok(await people.find({ handle: zoe.handle }));

    const said = await ann.post<CommentRecord>(`/posts/${post.ID}/comments`, {
      comment: "hello subscribers",
    });
    await ann.post(`/posts/${post.ID}/likes/true`);
    await kith().settle();
    const [comment] = await far.ofType("comment");
    assert.equal(comment?.entity.guid, said.Guid);
    assert.equal(comment.sender, ann.handle);
    assert.equal((await far.ofType("like")).length, 1);

    const strange = await podComment(bob, post.Guid);
    await bob.deliver(kith(), strange);
    const liked = await podLike(bob, post.Guid);
    await bob.deliver(kith(), liked);
    const relayed = (await far.ofType("comment")).at(-1);
    assert.equal(relayed?.entity.guid, strange.guid);
    assert.equal(relayed.sender, ann.handle);
    assert.deepEqual(
      relayed.entity.signed?.authorSignature,
      strange.signed?.authorSignature,
    );
    assert.equal((await far.ofType("like")).length, 2);
    // Its author has it already.
    const back = await pod.ofType("comment");
    assert.ok(back.every(({ entity }) => entity.guid !== strange.guid));

    await bob.deliver(kith(), podRetraction(bob, "Comment", strange.guid));
    await bob.deliver(kith(), podRetraction(bob, "Like", liked.guid));
    await ann.call("DELETE", `/posts/${post.ID}`);
    await kith().settle();
    assert.deepEqual(
      (await far.ofType("retraction")).map(({ entity }) => entity.targetGuid),
      [strange.guid, liked.guid, post.Guid],
    );
  });

  test("a participation sent publicly, or for a limited or remote post, is ignored", async () => {
    const open = await ann.post<PostRecord>("/posts", { post: "open" });
    const { ID } = await ann.post<AspectRecord>("/aspects", {
      name: `limited${serial}`,
    });
    const limited = await ann.post<PostRecord>("/posts", {
      post: "limited",
      aspectID: ID,
    });
    const foreign = podPost(bob);
    await bob.deliver(kith(), foreign);
    await zoe.deliver(kith(), podParticipation(zoe, open.Guid));
    await zoe.whisper(kith(), podParticipation(zoe, limited.Guid), ann);
    await zoe.whisper(kith(), podParticipation(zoe, foreign.guid), ann);
    for (const { ID: id } of [open, limited])
      await ann.post(`/posts/${id}/comments`, { comment: "not for zoe" });
    await kith().settle();
    assert.equal(far.posted.length, 0);
  });

  test("a comment of a person blocked by the author is not stored, and retracted", async () => {
    const post = await ann.post<PostRecord>("/posts", { post: "mine" });
    const { handle } = bob;
    const { ID } = await ann.post<PersonRecord>("/search", { handle });
    await ann.post(`/people/${ID}/block`);
    await kith().settle();
    pod.posted.length = 0;
    const comment = await podComment(bob, post.Guid);
    await bob.deliver(kith(), comment);
    const like = await podLike(bob, post.Guid);
    await bob.deliver(kith(), like);
    const { comments, likes } = kith().server.features;
    assert.equal(await comments.find({ guid: comment.guid }), undefined);
    assert.equal(await likes.find({ guid: like.guid }), undefined);
    const retractions = await pod.ofType("retraction");
    assert.deepEqual(
      retractions.map(({ sender, entity }) => [
        sender,
        entity.targetType,
        entity.targetGuid,
      ]),
      [
        [ann.handle, "Comment", comment.guid],
        [ann.handle, "Like", like.guid],
      ],
    );
    // Without its author's signature no one can retract it.
    pod.posted.length = 0;
    const unsigned = { ...(await podComment(bob, post.Guid)) };
    delete unsigned.signed;
    await bob.deliver(kith(), unsigned);
    assert.equal(pod.posted.length, 0);
  });
});
