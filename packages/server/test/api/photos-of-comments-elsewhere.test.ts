import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { DiasporaPod, type PodPerson } from "../support/remote/diaspora-pod.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { objectOf } from "../support/remote/linked-data.ts";
import { upload } from "../support/scenes/pictures.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import type {
  AspectRecord,
  CommentRecord,
  PersonRecord,
  PhotoRecord,
  PostRecord,
} from "../support/server/wire.ts";

const SECRET = /^http[^ ]+\/uploads\/[\w-]{32}\/[0-9a-f]{32}\.png$/;
const PICTURE = "https://x.example/wall.png";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let pod: DiasporaPod;
  let remote: RemoteServer;
  let ann: TestPerson;
  let bob: PodPerson;
  let dan: RemoteActor;
  let aspectID: number;

  before(async () => {
    pod = await DiasporaPod.start();
    remote = await RemoteServer.start();
    ann = await kith().person({ handle: "ann" });
    bob = pod.person("bob");
    dan = remote.actor("dan");
    const form = { name: "friends" };
    aspectID = (await ann.post<AspectRecord>("/aspects", form)).ID;
    for (const { handle } of [bob, dan]) {
      const { ID } = await ann.post<PersonRecord>("/search", { handle });
      await ann.post(`/people/${ID}/aspects/${aspectID}`);
    }
    await kith().settle();
  });
  after(() => Promise.all([pod.close(), remote.close()]));
  beforeEach(() => {
    pod.posted.length = 0;
    remote.delivered.length = 0;
  });

  /** Ann's post with a comment of hers that has a picture. */
  async function pictured(more: { aspectID?: number } = {}) {
    const post = await ann.post<PostRecord>("/posts", { post: "p", ...more });
    await kith().settle();
    const photo = await upload(ann, undefined, { text: "a [wall]" });
    const json = { comment: "look", photoID: [photo.ID] };
    const path = `/posts/${post.Guid}/comments`;
    const { status, text } = await ann.call("POST", path, { json });
    assert.equal(status, 200, text);
    await kith().settle();
    return { post, photo, comment: JSON.parse(text) as CommentRecord };
  }

  const attachedTo = (note: unknown): string[] =>
    (
      ((note as JsonObject)["attachment"] ?? []) as Record<
        "type" | "url" | "name",
        string
      >[]
    ).map(({ type, url, name }) => `${type} ${url} ${name}`);

  /** The comment as it came to the pod. */
  async function onPod({ Guid }: CommentRecord): Promise<string> {
    const comments = await pod.ofType("comment");
    const found = comments.filter(({ entity }) => entity.guid === Guid);
    return found.at(-1)?.entity.text ?? assert.fail("The comment did not come");
  }

  const sentNote = (type: "Create" | "Update") =>
    remote.ofType(type).at(-1)?.activity["object"] as JsonObject;

  test("a comment on a public post is sent with its pictures: attached, and in the text for pods", async () => {
    const { photo, comment } = await pictured();
    const note = sentNote("Create");
    assert.equal(note["id"], objectOf(kith(), comment.Guid));
    const attached = [`Image ${photo.Url} a [wall]`];
    assert.deepEqual(attachedTo(note), attached);
    assert.match(note["content"] as string, /^<p>look<\/p>$/);
    const fetched = await dan.get(kith(), objectOf(kith(), comment.Guid));
    assert.deepEqual(attachedTo(JSON.parse(fetched.text)), attached);
    assert.equal(await onPod(comment), `look\n\n![a \\[wall\\]](${photo.Url})`);
    // The same, with the same signature, for a pod that fetches it.
    const url = `${kith().baseUrl}/fetch/comment/${comment.Guid}`;
    assert.equal((await fetch(url)).status, 200);
    const alone = `${kith().baseUrl}/fetch/photo/${photo.Guid}`;
    assert.equal((await fetch(alone)).status, 404);
  });

  test("on a limited post their address has a secret, which ends with the comment", async () => {
    const { post, comment } = await pictured({ aspectID });
    const [attached = ""] = attachedTo(sentNote("Create"));
    const [, url = ""] = attached.split(" ");
    assert.match(url, SECRET);
    assert.ok((await onPod(comment)).endsWith(`](${url})`));
    assert.equal((await fetch(url)).status, 200);
    const own = await ann.get<CommentRecord>(`/comments/${comment.Guid}`);
    assert.doesNotMatch(own.Photos?.[0]?.Url ?? "", /uploads/);
    const eve = remote.actor("eve");
    const refused = await eve.get(kith(), objectOf(kith(), comment.Guid));
    assert.equal(refused.status, 404);
    const read = await dan.get(kith(), objectOf(kith(), comment.Guid));
    assert.deepEqual(attachedTo(JSON.parse(read.text)), [attached]);
    await ann.delete(`/comments/${comment.Guid}`);
    await kith().settle();
    assert.equal((await fetch(url)).status, 404);
    assert.equal((await ann.call("GET", `/posts/${post.Guid}`)).status, 200);
  });

  test("an edit sends the pictures anew", async () => {
    const { photo, comment } = await pictured();
    kith().clock.advance(5_000);
    await ann.put(`/photos/${photo.Guid}`, { text: "a gate" });
    await kith().settle();
    const described = [`Image ${photo.Url} a gate`];
    assert.deepEqual(attachedTo(sentNote("Update")), described);
    assert.ok((await onPod(comment)).includes("![a gate]("));
    kith().clock.advance(5_000);
    await ann.delete(`/photos/${photo.Guid}`);
    await kith().settle();
    assert.deepEqual(attachedTo(sentNote("Update")), []);
    assert.equal(await onPod(comment), "look");
    // Neither protocol has an object for the picture alone.
    assert.equal((await pod.ofType("photo")).length, 0);
    const gone = (await pod.ofType("retraction")).map(({ entity }) => entity);
    assert.deepEqual(
      gone.filter(({ targetType }) => targetType === "Photo"),
      [],
    );
  });

  test("those of a received reply stay on their server, change, and go with it", async () => {
    const post = await ann.post<PostRecord>("/posts", { post: "p" });
    const attachment = { type: "Document", mediaType: "image/png" };
    const reply = dan.note({
      inReplyTo: objectOf(kith(), post.Guid),
      content: "",
      sensitive: true,
      attachment: [{ ...attachment, url: PICTURE, name: "a wall" }],
    });
    const say = async (type: string, object: JsonObject | string) => {
      await dan.deliver(kith(), dan.activity(type, { object, to: [PUBLIC] }));
      await kith().settle();
    };
    await say("Create", reply);
    const photos = async (): Promise<PhotoRecord[]> => {
      const { Comments } = await ann.get<PostRecord>(`/posts/${post.Guid}`);
      return Comments[0]?.Photos ?? [];
    };
    const [photo] = await photos();
    assert.deepEqual([photo?.Url, photo?.Text], [PICTURE, "a wall"]);
    const [shown] = (await ann.get<PostRecord>(`/posts/${post.Guid}`)).Comments;
    // Sensitive pictures are behind a warning.
    assert.equal((shown as { ContentWarning?: string }).ContentWarning, "NSFW");
    const page = await fetch(`${kith().baseUrl}/posts/${post.Guid}`);
    const html = await page.text();
    assert.ok(!html.includes(`src="${PICTURE}`));
    assert.match(html, /src="[^"]*\/proxy\/[^"]+"\s+alt="a wall"/);
    kith().clock.advance(5_000);
    const two = { ...attachment, url: "https://x.example/two.png" };
    const updated = kith().clock.now().toISOString();
    await say("Update", { ...reply, updated, attachment: [two] });
    const [changed, ...others] = await photos();
    assert.deepEqual([changed?.Url, others], [two.url, []]);
    const rows = () =>
      kith()
        .db.read.selectFrom("photos")
        .select("id")
        .where("remote_url", "=", two.url)
        .execute();
    assert.equal((await rows()).length, 1);
    await say("Delete", reply["id"] as string);
    assert.deepEqual(await photos(), []);
    assert.deepEqual(await rows(), []);
  });

  test("nobody takes the picture of a comment away over diaspora*", async () => {
    const { photo } = await pictured();
    await bob.deliver(kith(), {
      ...({ type: "retraction", author: bob.handle } as const),
      ...{ targetGuid: photo.Guid, targetType: "Photo" },
    });
    await kith().settle();
    assert.equal((await fetch(photo.Url)).status, 200);
  });
});
