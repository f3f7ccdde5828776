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
import { picture, pictureForm } from "../support/scenes/pictures.ts";
import { idOf, proving } from "../support/remote/proving-actor.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import { befriend } from "../support/remote/several-servers.ts";
import type {
  CommentRecord,
  EventRecord,
  PhotoRecord,
  PostRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let third: RemoteServer;
  let names = 0;
  before(async () => {
    [remote, third] = await Promise.all([
      RemoteServer.start(),
      RemoteServer.start(),
    ]);
  });
  after(() => Promise.all([remote.close(), third.close()]));

  /** Cid here follows Ann, a remote person, who has published this. */
  async function follow(members: JsonObject = {}) {
    names += 1;
    const cid = await kith().person();
    const ann = remote.actor(`ann${names}`);
    await befriend(cid, ann.handle, "ann");
    await kith().settle();
    const root = ann.note(members);
    await ann.deliver(
      kith(),
      ann.activity("Create", { to: [PUBLIC], object: root }),
    );
    const stored = await kith().server.features.posts.find({ uri: idOf(root) });
    assert.ok(stored);
    return { cid, ann, root, path: `/posts/${stored.guid}` };
  }

  const comments = async (by: TestPerson, path: string) =>
    (await by.get<CommentRecord[]>(`${path}/comments`)).map(({ Text }) => Text);

  /** A local user who is followed by this person. */
  async function followedBy(eve: RemoteActor): Promise<TestPerson> {
    const ann = await kith().person();
    const object = actorOf(kith(), ann.username);
    await eve.deliver(kith(), eve.activity("Follow", { object }));
    await sendFollow(kith(), ann, eve);
    return ann;
  }

  test("the author of a post deletes others' comments on it, and no one else does", async () => {
    const { cid, ann, root, path } = await follow();
    const bob = third.actor(`bob${names}`);
    const mallory = third.actor(`mallory${names}`);
    const prove = proving(bob);
    const to = [PUBLIC];
    const note = bob.note({ inReplyTo: idOf(root), content: "By Bob" });
    const create = prove(bob.activity("Create", { to, object: note }));
    await ann.deliver(kith(), create);
    const own = await cid.post<CommentRecord>(`${path}/comments`, {
      text: "By Cid",
    });
    const other = await follow();
    const elsewhere = { ...note, inReplyTo: idOf(other.root) };
    const below = { ...elsewhere, id: bob.newId("notes") };
    await bob.deliver(kith(), bob.activity("Create", { to, object: below }));
    const both = ["By Bob", "By Cid"];
    assert.deepEqual(await comments(cid, path), both);
    const ownId = objectOf(kith(), own.Guid);
    const proveMallory = proving(mallory);
    for (const object of [idOf(note), ownId]) {
      const remove = mallory.activity("Delete", { to, object });
      await mallory.deliver(kith(), proveMallory(remove));
    }
    await other.ann.deliver(
      kith(),
      other.ann.activity("Delete", { to, object: idOf(note) }),
    );
    await ann.deliver(
      kith(),
      ann.activity("Delete", { to, object: idOf(below) }),
    );
    assert.deepEqual(await comments(cid, path), both);
    assert.deepEqual(await comments(cid, other.path), ["By Bob"]);
    for (const object of [idOf(note), ownId])
      await ann.deliver(kith(), ann.activity("Delete", { to, object }));
    assert.deepEqual(await comments(cid, path), []);
    await ann.deliver(kith(), { ...create, id: bob.newId("activities") });
    assert.deepEqual(await comments(cid, path), []);
  });

  test("the deletion of a comment is sent in the name of the post's author, also to the comment's author", async () => {
    names += 1;
    const [bob, eve] = [
      third.actor(`bob${names}`),
      remote.actor(`eve${names}`),
    ];
    const ann = await followedBy(eve);
    const { Guid } = await ann.post<PostRecord>("/posts", { post: "Well?" });
    await kith().settle();
    const note = bob.note({ inReplyTo: objectOf(kith(), Guid) });
    const to = [PUBLIC];
    await bob.deliver(kith(), bob.activity("Create", { to, object: note }));
    const [said] = await ann.get<CommentRecord[]>(`/posts/${Guid}/comments`);
    third.delivered.length = 0;
    await ann.delete(`/comments/${said?.ID}`);
    await kith().settle();
    for (const server of [remote, third]) {
      const [remove, ...more] = server.ofType("Delete");
      assert.deepEqual(more, []);
      assert.equal(remove?.activity["actor"], actorOf(kith(), ann.username));
      assert.equal((remove.activity["object"] as JsonObject)["id"], note["id"]);
      assert.ok(remove.activity["proof"]);
    }
  });

  test("the comment author's server is skipped if it accepts deletions only from the author", async () => {
    const fourth = await RemoteServer.start();
    try {
      const known = `${fourth.origin}/nodeinfo/2.0`;
      const rel = "http://nodeinfo.diaspora.software/ns/schema/2.0";
      fourth.documents.set(`${fourth.origin}/.well-known/nodeinfo`, {
        links: [{ rel, href: known }],
      });
      const removed = async (software: string): Promise<number> => {
        names += 1;
        fourth.documents.set(known, { software: { name: software } });
        const [bob, fay, eve] = [
          fourth.actor(`bob${names}`),
          fourth.actor(`fay${names}`),
          remote.actor(`eve${names}`),
        ];
        const ann = await followedBy(eve);
        const object = actorOf(kith(), ann.username);
        await fay.deliver(kith(), fay.activity("Follow", { object }));
        const { Guid } = await ann.post<PostRecord>("/posts", {
          post: "Well?",
        });
        await kith().settle();
        const note = bob.note({ inReplyTo: objectOf(kith(), Guid) });
        const to = [PUBLIC];
        await bob.deliver(kith(), bob.activity("Create", { to, object: note }));
        const [said] = await ann.get<CommentRecord[]>(
          `/posts/${Guid}/comments`,
        );
        fourth.delivered.length = 0;
        remote.delivered.length = 0;
        await ann.delete(`/comments/${said?.ID}`);
        await kith().settle();
        assert.ok(remote.ofType("Delete").length > 0);
        return fourth.ofType("Delete").length;
      };
      assert.equal(await removed("gotosocial"), 0);
      // The software of a server is queried again after a week.
      kith().clock.advance(8 * 24 * 3_600_000);
      await removed("kith");
      kith().clock.advance(60_000);
      assert.ok((await removed("kith")) > 0);
    } finally {
      await fourth.close();
    }
  });

  test("an image removed from a post is announced as an edit, and removed here", async () => {
    names += 1;
    const eve = remote.actor(`eve${names}`);
    const ann = await followedBy(eve);
    const photos: PhotoRecord[] = [];
    for (const text of ["First", "Second"]) {
      const bytes = await picture(24, 16).png().toBuffer();
      const response = await fetch(`${kith().baseUrl}/api/v0/photos`, {
        method: "POST",
        headers: { access_token: ann.token },
        body: pictureForm(bytes, { text }),
      });
      photos.push((await response.json()) as PhotoRecord);
    }
    const answer = await ann.call("POST", "/posts", {
      json: { post: "Two views", photoID: photos.map(({ ID }) => String(ID)) },
    });
    const { Guid } = JSON.parse(answer.text) as PostRecord;
    await kith().settle();
    remote.delivered.length = 0;
    for (const { Guid: photo } of photos) {
      await ann.delete(`/photos/${photo}`);
      await kith().settle();
    }
    const updates = remote
      .ofType("Update")
      .map(({ activity }) => activity["object"] as JsonObject);
    assert.deepEqual(
      updates.map(({ id, attachment }) => [
        id,
        (attachment as JsonObject[]).map(({ name }) => name),
      ]),
      [
        [objectOf(kith(), Guid), ["Second"]],
        [objectOf(kith(), Guid), []],
      ],
    );
    const times = updates.map(({ updated }) =>
      typeof updated === "string" ? updated : "",
    );
    assert.ok((times[0] ?? "") < (times[1] ?? ""), "each later than the last");
  });

  test("of a post elsewhere the pictures are those of its author's newest edit", async () => {
    const image = (name: string) => ({
      type: "Image",
      mediaType: "image/png",
      url: `${remote.origin}/${name}.png`,
      name,
    });
    const { cid, ann, root, path } = await follow({
      attachment: [image("one"), image("two")],
    });
    const shown = async () =>
      (await cid.get<PostRecord>(path)).Photos.map(({ Text }) => Text);
    const update = (by: RemoteActor, more: JsonObject) =>
      by.deliver(
        kith(),
        by.activity("Update", { to: [PUBLIC], object: { ...root, ...more } }),
      );
    remote.documents.set(idOf(root), root);
    const gone = { attachment: [image("two")] };
    const mallory = remote.actor(`mallory${names}`);
    await update(mallory, { ...gone, updated: "2026-02-01T00:00:00Z" });
    await update(ann, gone);
    await update(ann, { ...gone, updated: "2026-01-01T00:00:00Z" });
    assert.deepEqual(await shown(), ["one", "two"]);
    await update(ann, { ...gone, updated: "2026-02-01T00:00:00Z" });
    assert.deepEqual(await shown(), ["two"]);
    const other = { attachment: [image("two"), image("three")] };
    await update(ann, { ...other, updated: "2026-03-01T00:00:00Z" });
    assert.deepEqual(await shown(), ["two", "three"]);
  });

  test("an answer to a remote event counts only with a proof of its author", async () => {
    const { cid, ann, root, path } = await follow({
      type: "Event",
      name: "Garden party",
      startTime: "2031-05-01T18:00:00Z",
      joinMode: "free",
    });
    const bob = third.actor(`bob${names}`);
    const prove = proving(bob);
    const answer = (type: string) =>
      bob.activity(type, { to: [ann.id], cc: [PUBLIC], object: idOf(root) });
    const answers = async () => {
      const { Event } = await cid.get<PostRecord & { Event: EventRecord }>(
        path,
      );
      return Event.Participations.map(({ Status }) => Status);
    };
    const mallory = third.actor(`mallory${names}`);
    await mallory.send(kith(), answer("Join"));
    await mallory.send(kith(), proving(mallory)(answer("Join")));
    await kith().settle();
    assert.deepEqual(await answers(), []);
    await ann.deliver(kith(), prove(answer("Join")));
    assert.deepEqual(await answers(), ["accepted"]);
    await ann.deliver(kith(), prove(answer("TentativeAccept")));
    assert.deepEqual(await answers(), ["tentative"]);
    await ann.deliver(kith(), prove(answer("Leave")));
    assert.deepEqual(await answers(), []);
    assert.deepEqual(third.ofType("Accept"), [], "Ann's server says that");
  });

  test("people mentioned in a comment are notified, even if the post's server does not forward it", async () => {
    const { cid, ann, root, path } = await follow();
    const bea = third.actor(`bea${names}`);
    await cid.post("/search", { handle: bea.handle });
    third.delivered.length = 0;
    await cid.post(`${path}/comments`, { text: `And @{${bea.handle}}?` });
    await kith().settle();
    const [create, ...more] = third.ofType("Create");
    assert.deepEqual(more, []);
    const object = create?.activity["object"] as JsonObject;
    assert.equal(object["inReplyTo"], idOf(root));
    const tags = object["tag"] as JsonObject[];
    assert.ok(tags.some(({ href }) => href === bea.id));
    assert.ok(
      remote.delivered.some(({ path: to }) =>
        to.startsWith(new URL(ann.id).pathname),
      ),
    );
  });

  test("the counts of a poll are sent within seconds, combined", async () => {
    names += 1;
    const eve = remote.actor(`eve${names}`);
    const ann = await followedBy(eve);
    const answer = await ann.call("POST", "/posts", {
      json: {
        post: "Tell me",
        poll_question: "Tea?",
        poll_answer: ["Yes", "No"],
      },
    });
    const { Guid } = JSON.parse(answer.text) as PostRecord;
    await kith().settle();
    remote.delivered.length = 0;
    for (const voter of [eve, third.actor(`dan${names}`)]) {
      const vote = voter.note({
        inReplyTo: objectOf(kith(), Guid),
        name: "Yes",
        content: "",
        to: [actorOf(kith(), ann.username)],
      });
      await voter.deliver(kith(), voter.activity("Create", { object: vote }));
    }
    kith().clock.advance(10_000);
    await kith().settle();
    const updates = remote.ofType("Update");
    assert.ok(updates.length > 0 && updates.length <= 2);
    const { oneOf } = updates.at(-1)?.activity["object"] as JsonObject;
    const [yes] = oneOf as { replies: JsonObject }[];
    assert.equal(yes?.replies["totalItems"], 2);
  });
});
