import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  actorOf,
  objectOf,
  sendFollow,
} from "../support/remote/linked-data.ts";
import { textIn } from "../support/scenes/planners.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import type { CommentRecord, PostRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let home: RemoteServer;
  let away: RemoteServer;
  let names = 0;
  before(async () => {
    home = await RemoteServer.start();
    away = await RemoteServer.start();
  });
  after(() => Promise.all([home.close(), away.close()]));

  const newGroup = (): RemoteActor => {
    const group = home.actor(`group${++names}`);
    group.profile = { type: "Group" };
    return group;
  };
  const follow = async (by: TestPerson, group: RemoteActor) => {
    await sendFollow(kith(), by, group);
  };
  /** A group that has agreed to be followed by these people. */
  const groupOf = async (...followers: TestPerson[]): Promise<RemoteActor> => {
    const group = newGroup();
    for (const by of followers) {
      await follow(by, group);
      const object = home.ofType("Follow").at(-1)?.activity ?? assert.fail();
      await group.deliver(kith(), group.activity("Accept", { object }));
    }
    return group;
  };
  const member = (of = home): RemoteActor => of.actor(`member${++names}`);
  const page = (by: RemoteActor, members: JsonObject = {}) =>
    by.note({ type: "Page", name: "Best soil?", ...members }) as JsonObject & {
      id: string;
    };
  const passOn = (group: RemoteActor, object: JsonObject) =>
    group.deliver(kith(), group.activity("Announce", { object, to: [PUBLIC] }));
  const findPost = (uri: string) => kith().server.features.posts.find({ uri });
  const shown = async (by: TestPerson, uri: string) => {
    const post = await findPost(uri);
    assert.ok(post, uri);
    return by.get<PostRecord>(`/posts/${post.guid}`);
  };

  test("a group forwards its members' activities in their names", async () => {
    const ann = await kith().person();
    const [group, ida, jim] = [await groupOf(ann), member(), member()];
    const object = page(ida);
    await passOn(group, ida.activity("Create", { object }));
    const post = await shown(ann, object.id);
    assert.match(post.Text, /Best soil\?/);
    assert.equal(post.Person?.Author, ida.handle);
    const comment = jim.note({ inReplyTo: object.id, content: "peat" });
    await passOn(group, jim.activity("Create", { object: comment }));
    const like = jim.activity("Like", { object: object.id });
    const dislike = ida.activity("Dislike", { object: object.id });
    await passOn(group, like);
    await passOn(group, dislike);
    const counts = async () => {
      const now = await shown(ann, object.id);
      return [now.LikesCount, now.DislikesCount, now.CommentsCount];
    };
    assert.deepEqual(await counts(), [1, 1, 1]);
    await passOn(group, jim.activity("Undo", { object: like }));
    assert.deepEqual(await counts(), [0, 1, 1]);
    const edited = {
      ...object,
      name: "Worst",
      updated: "2026-01-03T00:00:00Z",
    };
    await passOn(group, ida.activity("Update", { object: edited }));
    assert.match((await shown(ann, object.id)).Text, /Worst/);
    const [said] = await ann.get<CommentRecord[]>(`/posts/${post.ID}/comments`);
    assert.equal(said?.Person.Author, jim.handle);
    const gone = { object: object.id };
    await passOn(group, jim.activity("Delete", gone));
    assert.ok(await findPost(object.id), "not its own");
    await passOn(group, ida.activity("Delete", gone));
    assert.equal(await findPost(object.id), undefined);
  });

  test("an unfollowed group, or an actor that is not a group, forwards nothing", async () => {
    const ann = await kith().person();
    const ida = member();
    const object = page(ida);
    const create = ida.activity("Create", { object });
    await passOn(await groupOf(), create);
    assert.equal(await findPost(object.id), undefined);
    const pretender = member();
    await sendFollow(kith(), ann, pretender);
    await passOn(pretender, create);
    assert.equal(await findPost(object.id), undefined);
  });

  test("of people elsewhere a group is not believed, their servers are", async () => {
    const ann = await kith().person();
    const [group, zoe] = [await groupOf(ann), member(away)];
    const object = page(zoe, { content: "as it is" });
    const forged = { ...object, content: "as it is not" };
    await passOn(group, zoe.activity("Create", { object: forged }));
    assert.equal(await findPost(object.id), undefined);
    away.documents.set(object.id, object);
    await passOn(group, zoe.activity("Create", { object: forged }));
    const post = await shown(ann, object.id);
    assert.match(post.Text, /as it is$/);
    assert.equal(post.Person?.Author, zoe.handle);
    const like = zoe.activity("Like", { object: object.id });
    await passOn(group, like);
    assert.equal((await shown(ann, object.id)).LikesCount, 0);
    away.documents.set(textIn(like["id"]), like);
    await passOn(group, like);
    assert.equal((await shown(ann, object.id)).LikesCount, 1);
    const removal = zoe.activity("Delete", { object: object.id });
    await passOn(group, removal);
    assert.ok(await findPost(object.id), "it still answers");
    away.documents.delete(object.id);
    await passOn(group, { ...removal, id: zoe.newId("activities") });
    assert.equal(await findPost(object.id), undefined);
  });

  for (const [what, meet] of [
    [
      "that follows somebody here, whom nobody follows",
      (by: TestPerson, group: RemoteActor) =>
        group.deliver(
          kith(),
          group.activity("Follow", { object: actorOf(kith(), by.username) }),
        ),
    ],
    ["that has not agreed to be followed", follow],
  ] as const)
    test(`a group ${what} forwards nothing`, async () => {
      const ann = await kith().person();
      const [group, zoe] = [newGroup(), member(away)];
      await meet(ann, group);
      const object = page(zoe);
      away.documents.set(object.id, object);
      await passOn(group, zoe.activity("Create", { object }));
      assert.equal(await findPost(object.id), undefined);
      const secret = await limitedPost(zoe, ann);
      await passOn(group, zoe.activity("Delete", { object: secret }));
      assert.ok(await findPost(secret));
      away.answers.set(new URL(zoe.id).pathname, (response) =>
        response.writeHead(410).end(),
      );
      await passOn(group, zoe.activity("Delete", { object: zoe.id }));
      assert.equal(await stateOf(zoe), "active");
    });

  test("an object that is not public is not deleted because it answers 404 to us", async () => {
    const ann = await kith().person();
    const [group, zoe] = [await groupOf(ann), member(away)];
    const secret = await limitedPost(zoe, ann);
    await passOn(group, zoe.activity("Delete", { object: secret }));
    assert.ok(await findPost(secret), "it answers 404, as it does to all");
    away.answers.set(new URL(secret).pathname, (response) =>
      response.writeHead(410).end(),
    );
    await passOn(group, zoe.activity("Delete", { object: secret }));
    assert.equal(await findPost(secret), undefined);
  });

  for (const server of ["its own server", "another server"])
    test(`an account of ${server} is closed where its actor is gone, and not where it is missing or away`, async () => {
      const ann = await kith().person();
      const group = await groupOf(ann);
      const zoe = member(server === "its own server" ? home : away);
      await limitedPost(zoe, ann);
      const answers = server === "its own server" ? home.answers : away.answers;
      const answer = (status: number) =>
        answers.set(new URL(zoe.id).pathname, (response) =>
          response.writeHead(status).end(),
        );
      for (const status of [404, 503]) {
        answer(status);
        await passOn(group, zoe.activity("Delete", { object: zoe.id }));
        assert.equal(await stateOf(zoe), "active", `${status}`);
      }
      // While its server was away the last one was put off, and nothing is lost.
      answer(410);
      kith().clock.advance(3_600_000);
      await kith().settle();
      assert.equal(await stateOf(zoe), "closed");
    });

  /** @returns the id of a post that only this local person has received, and that its server shows to no one */
  async function limitedPost(by: RemoteActor, to: TestPerson): Promise<string> {
    const audience = { to: [actorOf(kith(), to.username)], cc: [] };
    const note = page(by, { type: "Note", ...audience });
    await by.deliver(
      kith(),
      by.activity("Create", { object: note, ...audience }),
    );
    assert.ok(await findPost(note.id));
    return note.id;
  }

  async function stateOf({ id }: RemoteActor): Promise<string | undefined> {
    return (await kith().server.features.people.find({ uri: id }))?.state;
  }

  test("a group does not speak for people here", async () => {
    const ann = await kith().person();
    const group = await groupOf(ann);
    const post = await ann.post<PostRecord>("/posts", { post: "mine" });
    const object = objectOf(kith(), post.Guid);
    const actor = `${kith().baseUrl}/api/v1/ap/person/${ann.username}`;
    const unchanged = await kith().snapshot();
    await passOn(group, {
      id: `${kith().baseUrl}/api/v1/ap/activity/x`,
      type: "Delete",
      actor,
      object,
    });
    await passOn(group, {
      id: group.newId("activities"),
      type: "Like",
      actor,
      object,
    });
    const { LikesCount } = await ann.get<PostRecord>(`/posts/${post.ID}`);
    assert.equal(LikesCount, 0);
    assert.ok(unchanged);
  });
});
