import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { DiasporaPod } from "../support/remote/diaspora-pod.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  actorOf,
  objectOf,
  sendFollow,
} from "../support/remote/linked-data.ts";
import { podPost } from "../support/remote/pod-entities.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import type {
  CommentRecord,
  PersonRecord,
  PostRecord,
} from "../support/server/wire.ts";

const idOf = ({ id }: JsonObject): string => {
  assert.ok(typeof id === "string");
  return id;
};

type Found = PersonRecord & { ShareableType?: string; ShareableGuid?: string };

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let pod: DiasporaPod;
  let ann: TestPerson;
  let bob: TestPerson;
  let eve: RemoteActor;
  let names = 0;
  before(async () => {
    remote = await RemoteServer.start();
    pod = await DiasporaPod.start();
    ann = await kith().person();
    bob = await kith().person();
  });
  after(() => Promise.all([remote.close(), pod.close()]));
  beforeEach(() => {
    names += 1;
    eve = remote.actor(`eve${names}`);
  });

  const search = (by: TestPerson, handle: string) =>
    by.post<Found>("/search", { handle });
  const isNotFound = (by: TestPerson, handle: string) =>
    by.notFound("POST", "/search", { form: { handle } });
  const json = (path: string, document: JsonObject) =>
    remote.answers.set(path, (response) =>
      response
        .writeHead(200, { "content-type": "application/activity+json" })
        .end(JSON.stringify(document)),
    );
  const goDown = (path: string) =>
    remote.answers.set(path, (response) => response.writeHead(503).end());
  /** A remote person followed by this one. */
  const followed = async (by: TestPerson) => {
    await sendFollow(kith(), by, eve);
  };

  test("an actor is found by its id, and by the address of its page", async () => {
    const byId = await search(ann, eve.id);
    assert.equal(byId.Author, eve.handle);
    assert.equal(byId.ShareableType, undefined);
    assert.deepEqual(byId, await search(ann, eve.handle));
    const zoe = remote.actor(`zoe${names}`);
    const page = `${remote.origin}/@${zoe.name}`;
    zoe.profile = { url: page };
    json(`/@${zoe.name}`, zoe.document());
    const byPage = await search(ann, page);
    assert.equal(byPage.Author, zoe.handle);
    goDown(`/@${zoe.name}`);
    assert.deepEqual(await search(ann, ` ${page} `), byPage);
  });

  test("a page that WebFinger knows leads to the person", async () => {
    const page = `${remote.origin}/profile/${eve.name}`;
    const subject = `acct:${eve.handle}`;
    const type = "application/activity+json";
    const links = [{ rel: "self", type, href: eve.id }];
    json("/.well-known/webfinger", { subject, links });
    const found = await search(ann, page);
    remote.answers.delete("/.well-known/webfinger");
    assert.equal(found.Author, eve.handle);
  });

  test("a post is found by its id and by its page: its author, and its Guid", async () => {
    const url = `${remote.origin}/@${eve.name}/1`;
    const note = eve.note({ url, content: "<p>found</p>" });
    const id = idOf(note);
    remote.documents.set(id, note);
    json(new URL(url).pathname, note);
    const found = await search(ann, url);
    assert.equal(found.Author, eve.handle);
    assert.equal(found.ShareableType, "Post");
    const post = await ann.get<PostRecord>(`/posts/${found.ShareableGuid}`);
    assert.equal(post.Text, "found");
    assert.equal(post.PersonID, found.ID);
    // It is stored here now, independent of its server.
    goDown(new URL(url).pathname);
    goDown(new URL(id).pathname);
    assert.deepEqual(await search(bob, url), found);
    assert.deepEqual(await search(bob, id), found);
  });

  test("a comment elsewhere brings the post that it answers", async () => {
    const root = eve.note();
    const answer = eve.note({
      inReplyTo: idOf(root),
      content: "<p>yes</p>",
    });
    for (const note of [root, answer]) remote.documents.set(idOf(note), note);
    const found = await search(ann, idOf(answer));
    assert.equal(found.ShareableType, "Comment");
    const path = `/comments/${found.ShareableGuid}`;
    assert.equal((await ann.get<CommentRecord>(path)).Text, "yes");
  });

  test("a limited post is found only by its recipients", async () => {
    await followed(ann);
    const url = `${remote.origin}/@${eve.name}/2`;
    const to = [actorOf(kith(), ann.username)];
    const note = eve.note({ to, url });
    await eve.deliver(kith(), eve.activity("Create", { to, object: note }));
    for (const address of [idOf(note), url]) {
      const found = await search(ann, address);
      assert.equal(found.ShareableType, "Post");
      await isNotFound(bob, address);
      // Not even where its server shows it to ours.
      remote.documents.set(address, note);
      await isNotFound(bob, address);
    }
    const aspect = await ann.post<{ ID: number }>("/aspects", { name: "few" });
    const own = await ann.post<PostRecord>("/posts", {
      post: "for few",
      aspectID: aspect.ID,
    });
    const address = `${kith().baseUrl}/posts/${own.Guid}`;
    assert.equal((await search(ann, address)).ShareableGuid, own.Guid);
    await isNotFound(bob, address);
  });

  test("local objects are found by their addresses here", async () => {
    const { baseUrl } = kith();
    const post = await ann.post<PostRecord>("/posts", { post: "here" });
    const comment = await bob.post<CommentRecord>(
      `/posts/${post.ID}/comments`,
      { comment: "yes" },
    );
    for (const address of [
      actorOf(kith(), ann.username),
      `${baseUrl}/u/${ann.username}`,
      `${baseUrl}/people/${ann.record.Guid}`,
    ])
      assert.equal((await search(bob, address)).Author, ann.handle, address);
    for (const address of [
      objectOf(kith(), post.Guid),
      `${baseUrl}/posts/${post.Guid}`,
    ]) {
      const found = await search(bob, address);
      assert.equal(found.Author, ann.handle);
      assert.equal(found.ShareableGuid, post.Guid);
    }
    const said = await search(ann, objectOf(kith(), comment.Guid));
    assert.deepEqual(
      [said.Author, said.ShareableType, said.ShareableGuid],
      [bob.handle, "Comment", comment.Guid],
    );
    await isNotFound(bob, `${baseUrl}/posts/${"0".repeat(32)}`);
    await isNotFound(bob, baseUrl);
  });

  test("a person on a pod and a post there are found by their pages", async () => {
    const carl = pod.person(`carl${names}`);
    const dora = pod.person(`dora${names}`);
    const byGuid = await search(ann, `${pod.origin}/people/${carl.guid}`);
    assert.equal(byGuid.Author, carl.handle);
    const byName = await search(ann, `${pod.origin}/u/${dora.name}`);
    assert.equal(byName.Author, dora.handle);
    const fred = pod.person(`fred${names}`);
    const post = podPost(fred, { text: "on a pod" });
    pod.shelve("post", post.guid, await fred.seal(post));
    const address = `${pod.origin}/posts/${post.guid}`;
    const found = await search(ann, address);
    assert.deepEqual(
      [found.Author, found.ShareableType, found.ShareableGuid],
      [fred.handle, "Post", post.guid],
    );
    pod.serves.clear();
    assert.deepEqual(await search(bob, address), found);
    assert.equal(
      (await search(bob, `${pod.origin}/people/${fred.guid}`)).ID,
      found.ID,
    );
  });

  test("a page of one server cannot name a person of another; a post names its own author", async () => {
    const other = await DiasporaPod.start();
    try {
      const carl = pod.person(`carl${names}`);
      const post = podPost(carl);
      // Pods show remote content, too.
      other.shelve("post", post.guid, await carl.seal(post));
      const found = await search(ann, `${other.origin}/posts/${post.guid}`);
      assert.equal(found.Author, carl.handle);
      await isNotFound(ann, `${other.origin}/people/${carl.guid}`);
      const forged = podPost(carl);
      const { privateKey } = pod.person("mallory");
      const sealed = await carl.seal(forged, { privateKey });
      other.shelve("post", forged.guid, sealed);
      await isNotFound(ann, `${other.origin}/posts/${forged.guid}`);
      // The document names an id elsewhere, where nothing is.
      json("/lie", eve.note({ id: `${other.origin}/notes/1` }));
      await isNotFound(ann, `${remote.origin}/lie`);
      // The page is on another host than the actor: it is not the actor's.
      const page = `${other.origin}/@somebody`;
      eve.profile = { url: page };
      await search(ann, eve.id);
      await isNotFound(ann, page);
    } finally {
      await other.close();
    }
  });

  test("an unrelated address finds nothing", async () => {
    for (const address of [
      "https://",
      "ftp://files.example/1",
      "javascript:alert(1)",
      `${remote.origin}/nothing/here`,
      `https://name:secret@${new URL(remote.origin).host}/users/${eve.name}`,
      `${remote.origin}/${"x".repeat(5000)}`,
    ])
      await isNotFound(ann, address);
  });

  test("a blocked server is not contacted", async () => {
    const shut = await RemoteServer.start("127.0.0.1");
    try {
      const { hostPolicies } = kith().server.features;
      await hostPolicies.set(null, "127.0.0.1", { blocked: true });
      await isNotFound(ann, shut.actor("mal").id);
      await isNotFound(ann, `${shut.origin}/notes/1`);
      assert.deepEqual(shut.asked, []);
    } finally {
      await shut.close();
    }
  });
});
