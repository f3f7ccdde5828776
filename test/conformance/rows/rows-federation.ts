import assert from "node:assert/strict";
import { objectOf, type Activity, type RemoteActor } from "../remote-actor.ts";
import type { Rec, Rows, RowTest, Stage } from "../stage.ts";

const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";

const spec = (trigger: string) => `service-api/Events/${trigger}`;

/** The activities of a type about one object. */
async function activitiesAbout(
  { kith }: Stage,
  actor: RemoteActor,
  type: string,
  what: string,
): Promise<Activity[]> {
  await kith.settle();
  return actor.got(type).filter((it) => JSON.stringify(it).includes(what));
}

/** Publishes a remote actor's note; follows the actor first, so that it is accepted here. */
async function receiveNote(
  stage: Stage,
  name: string,
  inbox: (stage: Stage) => string,
  to: (stage: Stage) => readonly string[],
): Promise<{ actor: RemoteActor; note: Record<string, unknown> }> {
  const { ann, friends } = stage;
  const { actor, person } = await stage.meet(name);
  await ann.post(`/people/${person.ID}/aspects/${friends.ID}`);
  const readers = to(stage);
  const note = actor.note(`from ${name}`, readers);
  const activity = actor.activity("Create", { object: note, to: [...readers] });
  assert.equal(await actor.send(inbox(stage), activity), 202);
  await stage.kith.settle();
  return { actor, note };
}

const textsOf = async (who: Stage["ann"], visibility: number) =>
  (await who.get<Rec[]>("/posts", { visibility, limit: 100 })).map(
    ({ Text }) => Text,
  );

async function findPost({ ann }: Stage, text: string): Promise<Rec> {
  const posts = await ann.get<Rec[]>("/posts", { visibility: 1 });
  const post = posts.find(({ Text }) => Text === text);
  assert.ok(post, text);
  return post;
}

const sharedInbox = ({ kith }: Stage) => `${kith.baseUrl}/api/v1/ap/inbox`;

/** Adds and removes a remote person; returns the number of messages about it. */
const changesContact: RowTest = async (stage) => {
  const { ann } = stage;
  const { actor, person } = await stage.meet("mate");
  const aspects = [await stage.aspect(ann), await stage.aspect(ann)];
  const paths = aspects.map(({ ID }) => `/people/${person.ID}/aspects/${ID}`);
  const count = async () => {
    await stage.kith.settle();
    return [actor.got("Follow").length, actor.got("Undo").length];
  };
  const [first = "", second = ""] = paths;
  await ann.post(first);
  assert.deepEqual(await count(), [1, 0], "into the first aspect");
  await ann.post(second);
  assert.deepEqual(await count(), [1, 0], "into another one");
  assert.equal((await ann.call("DELETE", first)).status, 200);
  assert.deepEqual(await count(), [1, 0], "out of one");
  assert.equal((await ann.call("DELETE", second)).status, 200);
  assert.deepEqual(await count(), [1, 1], "out of the last one");
  const [follow] = actor.got("Follow");
  assert.equal(follow?.["object"], actor.uri);
  assert.equal(follow?.["actor"], stage.actorUri("ann"));
  assert.equal(objectOf(actor.got("Undo")[0])["type"], "Follow");
};

export const federationRows: Rows = {
  [spec("create post")]: async (stage) => {
    const actor = await stage.follower("subscriber");
    const post = await stage.post(stage.ann, { post: "for everyone" });
    const [created] = await activitiesAbout(stage, actor, "Create", post.Guid);
    const note = objectOf(created);
    assert.match(JSON.stringify(note["content"]), /for everyone/);
    assert.ok([note["to"]].flat().includes(PUBLIC));
    const limited = await stage.privatePost();
    assert.deepEqual(
      await activitiesAbout(stage, actor, "Create", limited.Guid),
      [],
    );
    const member = await stage.ann.post<Rec>("/search", {
      handle: actor.handle,
    });
    const { ID } = stage.friends;
    await stage.ann.post(`/people/${member.ID}/aspects/${ID}`);
    const within = await stage.privatePost();
    const [create] = await activitiesAbout(stage, actor, "Create", within.Guid);
    assert.ok(!JSON.stringify(create).includes(PUBLIC));
  },
  [spec("reshare post")]: async (stage) => {
    const actor = await stage.follower("passerby");
    const root = await stage.post(stage.bob);
    await stage.ann.post(`/posts/${root.Guid}/reshare`);
    const [announce] = await activitiesAbout(
      stage,
      actor,
      "Announce",
      root.Guid,
    );
    assert.equal(announce?.["actor"], stage.actorUri("ann"));
  },
  [spec("create comment")]: async (stage) => {
    const { actor, note } = await receiveNote(
      stage,
      "poet",
      sharedInbox,
      () => [PUBLIC],
    );
    const post = await findPost(stage, "from poet");
    const comment = await stage.comment(stage.ann, post, "well said");
    const [created] = await activitiesAbout(
      stage,
      actor,
      "Create",
      comment.Guid,
    );
    assert.equal(objectOf(created)["inReplyTo"], note["id"]);
    assert.ok(JSON.stringify(created).includes(actor.uri), "addressed to it");
  },
  [spec("create like")]: async (stage) => {
    const { actor, note } = await receiveNote(
      stage,
      "singer",
      sharedInbox,
      () => [PUBLIC],
    );
    const post = await findPost(stage, "from singer");
    await stage.like(stage.ann, post);
    await stage.kith.settle();
    const [like] = actor.got("Like");
    assert.equal(like?.["object"], note["id"]);
    assert.equal(like?.["actor"], stage.actorUri("ann"));
  },
  [spec("add person to aspect, when the aspect list found is empty")]:
    changesContact,
  [spec("remove person from aspect, when the aspect list found is empty")]:
    changesContact,
  [spec("delete own post, comment or like")]: async (stage) => {
    const { ann } = stage;
    const actor = await stage.follower("witness");
    const post = await stage.post(ann);
    const comment = await stage.comment(ann, post);
    const like = await stage.like(ann, post);
    await stage.kith.settle();
    await ann.delete(`/likes/${like.Guid}`);
    const undone = await activitiesAbout(stage, actor, "Undo", like.Guid);
    assert.equal(undone.length, 1);
    for (const [path, { Guid }] of [
      ["/comments", comment],
      ["/posts", post],
    ] as const) {
      await ann.delete(`${path}/${Guid}`);
      const gone = await activitiesAbout(stage, actor, "Delete", Guid);
      assert.equal(gone.length, 1, path);
    }
  },
  [spec("Create with a Note, public")]: async (stage) => {
    await receiveNote(stage, "crier", sharedInbox, () => [PUBLIC]);
    for (const who of [stage.ann, stage.bob, stage.cam])
      assert.ok((await textsOf(who, 1)).includes("from crier"));
  },
  [spec("Create with a Note, not public")]: async (stage) => {
    await receiveNote(stage, "whisperer", sharedInbox, ({ kith }) => [
      stage.actorUri("ann"),
      stage.actorUri("nobody"),
      `${kith.baseUrl}/elsewhere`,
    ]);
    assert.ok((await textsOf(stage.ann, 2)).includes("from whisperer"));
    assert.ok(!(await textsOf(stage.bob, 0)).includes("from whisperer"));
  },
  [spec("Follow")]: async (stage) => {
    const actor = await stage.follower("newcomer", stage.bob);
    assert.equal(objectOf(actor.got("Accept")[0])["type"], "Follow");
    const [notification] = await stage.notifications(stage.bob);
    assert.equal(notification?.["ShareableType"], "Contact");
    assert.equal(notification?.Person["Author"], actor.handle);
  },
  [spec("Undo of a Follow")]: async (stage) => {
    const { bob, kith } = stage;
    const actor = await stage.follower("leaver", bob);
    const uri = stage.actorUri("bob");
    const follow = { id: `${actor.uri}/activities/1`, type: "Follow" };
    const undo = actor.activity("Undo", {
      object: { ...follow, actor: actor.uri, object: uri },
    });
    assert.equal(await actor.send(`${uri}/inbox`, undo), 202);
    await kith.settle();
    const post = await stage.post(bob);
    assert.deepEqual(
      await activitiesAbout(stage, actor, "Create", post.Guid),
      [],
    );
  },
  [spec("Like, Update, Delete, Add, Remove, Block, Accept, Reject")]: async (
    stage,
  ) => {
    const { actor } = await stage.meet("chatterer");
    const post = await stage.post(stage.ann);
    const object = `${stage.kith.baseUrl}/api/v1/ap/object/${post.Guid}`;
    const inbox = `${stage.actorUri("ann")}/inbox`;
    for (const type of "Like Update Delete Add Remove Block Accept Reject".split(
      " ",
    )) {
      const activity = actor.activity(type, { object });
      assert.equal(await actor.send(inbox, activity), 202, type);
    }
    await stage.kith.settle();
    const kept = await stage.ann.get<Rec>(`/posts/${post.ID}`);
    assert.equal(kept.Text, "Hello");
  },
};
