import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { newGuid } from "../../packages/server/src/lib/guids.ts";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  DiasporaPod,
  type PodPerson,
} from "../../packages/server/test/support/remote/diaspora-pod.ts";
import {
  useKith,
  type TestPerson,
} from "../../packages/server/test/support/server/kith-server.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../../packages/server/test/support/remote/remote-server.ts";
import {
  actorOf,
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
import type {
  AspectRecord,
  CommentRecord,
  PostRecord,
} from "../../packages/server/test/support/server/wire.ts";

const NAMESPACE = {
  "@context": [
    "https://www.w3.org/ns/activitystreams",
    { diaspora: "https://diasporafoundation.org/ns/" },
  ],
};

/** Taking another object's Guid displaces nothing of its owner. */
forEachDatabase((kind) => {
  const kith = useKith(kind);
  let ann: TestPerson;
  let pod: DiasporaPod;
  let evil: RemoteServer;
  let other: DiasporaPod;

  before(async () => {
    pod = await DiasporaPod.start();
    other = await DiasporaPod.start();
    evil = await RemoteServer.start();
    ann = await kith().person({ handle: "ann" });
  });
  after(() => Promise.all([pod.close(), evil.close(), other.close()]));

  /** An actor whose document contains another person's Guid. */
  async function claim(name: string, guid: string): Promise<void> {
    const actor = evil.actor(name);
    actor.profile = {
      ...NAMESPACE,
      "diaspora:guid": guid,
    };
    const { discovery } = kith().server;
    const found = await discovery.byActor(actor.id);
    assert.equal(found?.addresses.actorUri, actor.id);
  }

  /** Ann's private messages are sent to the person's own endpoint. */
  async function assertReached(vic: PodPerson): Promise<void> {
    const found = await kith().server.discovery.byHandle(vic.handle);
    assert.equal(found?.handle, vic.handle);
    const name = `for ${vic.name}`;
    const { ID } = await ann.post<AspectRecord>("/aspects", { name });
    await ann.post(`/people/${found.id}/aspects/${ID}`);
    await ann.post("/posts", { post: "a secret", aspectID: ID });
    await kith().settle();
    const paths = pod.posted.map(({ path }) => path);
    assert.ok(paths.includes(`/receive/users/${vic.guid}`), String(paths));
    const posts = await pod.ofType("status_message");
    assert.ok(posts.some(({ to }) => to === vic));
  }

  test("an actor that claims an unknown person's Guid diverts no private messages", async () => {
    const vic = pod.person("vic");
    await claim("mallory", vic.guid);
    await assertReached(vic);
    await claim("late", vic.guid);
    const { people } = kith().server.features;
    const owner = await people.find({ guid: vic.guid });
    assert.equal(owner?.handle, vic.handle);
  });

  test("nor does a person whose own pod claims that Guid", async () => {
    const vic = pod.person("vic2");
    const mallory = other.person("mallory2");
    mallory.guid = vic.guid;
    const { discovery } = kith().server;
    assert.ok(await discovery.byHandle(mallory.handle));
    await assertReached(vic);
  });

  const features = () => kith().server.features;
  let thieves = 0;

  async function commentHere(): Promise<{ post: string; comment: string }> {
    const post = await ann.post<PostRecord>("/posts", { post: "Well?" });
    const comment = await ann.post<CommentRecord>(
      `/posts/${post.ID}/comments`,
      { comment: "well" },
    );
    return { post: post.Guid, comment: comment.Guid };
  }

  test("a post from a pod does not take the id of a local comment", async () => {
    const here = await commentHere();
    const mallory = pod.person("mallory3");
    await mallory.deliver(kith(), podPost(mallory, { guid: here.comment }));
    assert.equal(
      await features().posts.find({ guid: here.comment }),
      undefined,
    );
    const cid = evil.actor("cid");
    const inReplyTo = objectOf(kith(), here.comment);
    const note = cid.note({ inReplyTo });
    await cid.deliver(
      kith(),
      cid.activity("Create", { object: note, to: [PUBLIC] }),
    );
    const reply = await features().comments.find({ uri: idOf(note) });
    assert.equal(reply?.parentGuid, here.comment);
  });

  test("nor does one over ActivityPub, which gets another Guid", async () => {
    const here = await commentHere();
    const dan = evil.actor("dan");
    await submitAndApply(kith(), ann, { type: "Follow", object: dan.id });
    const note = dan.note({ ...NAMESPACE, "diaspora:guid": here.comment });
    await dan.deliver(
      kith(),
      dan.activity("Create", { ...NAMESPACE, object: note, to: [PUBLIC] }),
    );
    const post = await features().posts.find({ uri: idOf(note) });
    assert.ok(post && post.guid !== here.comment);
  });

  test("nor does a comment take that of a post or a like, nor a like that of a comment", async () => {
    const here = await commentHere();
    const mallory = pod.person("mallory4");
    const on = here.post;
    const liked = await ann.post<{ Guid: string }>(`/posts/${on}/likes`);
    for (const guid of [here.post, liked.Guid]) {
      const forged = await podComment(mallory, on, { guid });
      await mallory.deliver(kith(), forged);
      assert.equal(await features().comments.find({ guid }), undefined);
    }
    const like = await podLike(mallory, on, { guid: here.comment });
    await mallory.deliver(kith(), like);
    const { guid } = like;
    assert.equal(await features().likes.find({ guid }), undefined);
  });

  test("nor does a deleted object leave its id to others", async () => {
    const here = await commentHere();
    await ann.delete(`/comments/${here.comment}`);
    const mallory = pod.person("mallory5");
    await mallory.deliver(kith(), podPost(mallory, { guid: here.comment }));
    const { posts } = features();
    assert.equal(await posts.find({ guid: here.comment }), undefined);
  });

  test("an id of this server never names a remote object", async () => {
    const mallory = pod.person("mallory6");
    const post = podPost(mallory);
    await mallory.deliver(kith(), post);
    const eve = evil.actor("eve");
    await eve.deliver(
      kith(),
      eve.activity("Like", { object: objectOf(kith(), post.guid) }),
    );
    const stored = await features().posts.find({ guid: post.guid });
    assert.ok(stored);
    const counts = await features().likes.count("Post", [stored.id]);
    assert.equal(counts.get(stored.id)?.likes ?? 0, 0);
  });

  /** Sends an object over ActivityPub with the Guid of a person on a pod. */
  async function claiming(
    members: Record<string, unknown>,
    type = "Create",
  ): Promise<RemoteActor> {
    const thief = evil.actor(`thief${++thieves}`);
    await submitAndApply(kith(), ann, { type: "Follow", object: thief.id });
    const about =
      type === "Create"
        ? { object: thief.note({ ...NAMESPACE, ...members }) }
        : (members as JsonObject);
    const to = { to: [PUBLIC] };
    const activity = thief.activity(type, { ...NAMESPACE, ...about, ...to });
    await thief.deliver(kith(), activity);
    return thief;
  }
  const idOfPerson = async (by: { handle: string }) =>
    (await features().people.find({ handle: by.handle }))?.id;

  test("a Guid claimed by an actor for its post is given up to the pod's post signed under it", async () => {
    const guid = newGuid();
    const tag = [{ type: "Mention", href: actorOf(kith(), "ann") }];
    const cc = [actorOf(kith(), "ann")];
    const thief = await claiming({ "diaspora:guid": guid, tag, cc });
    const claimed = await features().posts.find({ guid });
    assert.equal(claimed?.personId, await idOfPerson(thief));
    await ann.post(`/posts/${claimed?.id}/reshare`);
    const { ID: quoting } = await ann.post<{ ID: number }>("/posts", {
      post: "Look",
      quoteID: String(claimed?.id),
    });
    const vic = pod.person("vic7");
    await vic.deliver(kith(), podPost(vic, { guid }));
    const owner = (await features().posts.find({ guid })) ?? assert.fail();
    assert.equal(owner.personId, await idOfPerson(vic));
    const renamed = await features().posts.find({
      id: claimed?.id ?? assert.fail(),
    });
    assert.ok(renamed && renamed.guid !== guid);
    const { read } = kith().db;
    const reshare = await read
      .selectFrom("posts")
      .select("root_guid")
      .where("root_person_id", "=", renamed.personId)
      .executeTakeFirst();
    assert.equal(reshare?.root_guid, renamed.guid);
    const quote = await features().quotes.find(quoting as never);
    assert.equal(quote?.quotedGuid, renamed.guid);
    const notification = await read
      .selectFrom("notifications")
      .select("shareable_guid")
      .where("person_id", "=", renamed.personId)
      .where("reason", "=", "mention")
      .executeTakeFirst();
    assert.equal(notification?.shareable_guid, renamed.guid);
    // From now on it is the pod's, whoever claims it again.
    await vic.deliver(kith(), await podComment(vic, guid));
    const counts = await features().comments.count([owner.id], null);
    assert.equal(counts.get(owner.id), 1);
  });

  test("nor does a claim prevent fetching an object relayed by a pod", async () => {
    const guid = newGuid();
    await claiming({ "diaspora:guid": guid });
    const vic = pod.person("vic8");
    pod.shelve("post", guid, await vic.seal(podPost(vic, { guid })));
    const fan = pod.person("fan8");
    await fan.deliver(kith(), podReshare(fan, { author: vic.handle, guid }));
    const found = await features().posts.find({ guid });
    assert.equal(found?.personId, await idOfPerson(vic));
  });

  test("a claimed Guid is given up to the pod's comment or like, and to objects of other kinds", async () => {
    const vic = pod.person("vic9");
    const { post } = await commentHere();
    const object = objectOf(kith(), post);
    const said = newGuid();
    await claiming({ "diaspora:guid": said, inReplyTo: object });
    assert.ok(await features().comments.find({ guid: said }));
    await vic.deliver(kith(), await podComment(vic, post, { guid: said }));
    const comment = await features().comments.find({ guid: said });
    assert.equal(comment?.personId, await idOfPerson(vic));
    const liked = newGuid();
    await claiming({ "diaspora:guid": liked, object }, "Like");
    assert.ok(await features().likes.find({ guid: liked }));
    await vic.deliver(kith(), await podLike(vic, post, { guid: liked }));
    const like = await features().likes.find({ guid: liked });
    assert.equal(like?.personId, await idOfPerson(vic));
    const other = newGuid();
    await claiming({ "diaspora:guid": other, inReplyTo: object });
    await vic.deliver(kith(), podPost(vic, { guid: other }));
    assert.ok(await features().posts.find({ guid: other }));
    assert.equal(await features().comments.find({ guid: other }), undefined);
  });

  test("a signed object keeps its Guid, even if others claim it or sign under it", async () => {
    const vic = pod.person("vic10");
    const post = podPost(vic);
    await vic.deliver(kith(), post);
    await claiming({ "diaspora:guid": post.guid });
    const mallory = other.person("mallory10");
    await mallory.deliver(kith(), podPost(mallory, { guid: post.guid }));
    const found = await features().posts.find({ guid: post.guid });
    assert.equal(found?.personId, await idOfPerson(vic));
  });
});
