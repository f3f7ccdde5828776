import assert from "node:assert/strict";
import { test } from "node:test";
import { remotePerson, remotePost } from "../support/remote/remote-people.ts";
import { upload } from "../support/scenes/pictures.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type { PhotoRecord, PostRecord } from "../support/server/wire.ts";

type Focused = PhotoRecord & { Focus?: { X: number; Y: number } };

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const change = (
    who: TestPerson,
    { ID }: PhotoRecord,
    form: Record<string, string>,
  ) => who.put<Focused>(`/photos/${ID}`, form);

  test("a picture is uploaded with a focal point, which changes alone or goes", async () => {
    const ann = await kith().person();
    const photo: Focused = await upload(ann, undefined, {
      text: "a deer",
      focus: "0.5,-0.25",
    });
    assert.deepEqual(photo.Focus, { X: 0.5, Y: -0.25 });
    const moved = await change(ann, photo, { focus: " -1 , .5 " });
    assert.deepEqual(moved.Focus, { X: -1, Y: 0.5 });
    assert.equal(moved.Text, "a deer");
    const renamed = await change(ann, photo, { text: "two deer" });
    assert.deepEqual(
      [renamed.Text, renamed.Focus],
      ["two deer", { X: -1, Y: 0.5 }],
    );
    const both = await change(ann, photo, { text: "none", focus: "" });
    assert.deepEqual([both.Text, both.Focus], ["none", undefined]);
    const plain: Focused = await upload(ann);
    assert.equal(plain.Focus, undefined);
  });

  test("a point outside of the picture, or none at all, is refused", async () => {
    const ann = await kith().person();
    const photo = await upload(ann, undefined, { focus: "0,0" });
    for (const focus of [
      ...["1.1,0", "0,-2", "0", "0,0,0", "x,y", "NaN,0", "1e0,0", ",", "0;0"],
      ...["Infinity,0", "0x1,0", `0,${"1".repeat(10_000)}`, "٠,٠", "--1,0"],
    ])
      await ann.badRequest("PUT", `/photos/${photo.ID}`, { form: { focus } });
    const left = await ann.get<Focused>(`/photos/${photo.ID}`);
    assert.deepEqual(left.Focus, { X: 0, Y: 0 });
    const bob = await kith().person();
    const form = { focus: "1,1" };
    await bob.notFound("PUT", `/photos/${photo.ID}`, { form });
  });

  test("it is sent over ActivityPub, and shown on the page", async () => {
    const ann = await kith().person();
    const photos = [
      await upload(ann, undefined, { focus: "-1,0.9" }),
      await upload(ann),
    ];
    const photoID = photos.map(({ ID }) => ID);
    const json = { post: "look", photoID };
    const answer = await ann.call("POST", "/posts", { json });
    const post = JSON.parse(answer.text) as PostRecord;
    const url = `${kith().baseUrl}/posts/${post.Guid}`;
    const read = async () => {
      const accept = "application/activity+json";
      const sent = await fetch(url, { headers: { accept } });
      const note = (await sent.json()) as {
        attachment: { focalPoint?: number[] }[];
      };
      return note.attachment.map(({ focalPoint }) => focalPoint);
    };
    assert.deepEqual(await read(), [[-1, 0.9], undefined]);
    const page = await (await fetch(url)).text();
    assert.match(page, /class="focus-x0 focus-y0"/);
    assert.equal(page.match(/focus-x/g)?.length, 1);
    await change(ann, photos[1] ?? assert.fail(), { focus: "0.1,-1" });
    assert.deepEqual(await read(), [
      [-1, 0.9],
      [0.1, -1],
    ]);
    const { UpdatedAt } = await ann.get<PostRecord>(`/posts/${post.ID}`);
    assert.ok(UpdatedAt > post.UpdatedAt);
  });

  test("the pictures of a remote post keep the order of its last edit", async () => {
    const ann = await kith().person();
    const by = await remotePerson(kith(), `order@${kind}.example`);
    const photos = ["one", "two", "three"].map((name) => ({
      url: `https://remote.example/${name}.png`,
      text: name,
    }));
    const { posts } = kith().server.features;
    const received = await posts.receive(remotePost(by, { photos }));
    assert.ok(received.kind === "stored");
    const { id, guid } = received.value;
    const shown = async () =>
      (await ann.get<PostRecord>(`/posts/${id}`)).Photos.map(
        ({ Text }) => Text,
      );
    assert.deepEqual(await shown(), ["one", "two", "three"]);
    const [one, two, three] = photos as [
      { url: string; text: string },
      ...typeof photos,
    ];
    const edited = await posts.receiveEdit({
      guid,
      by: by.id,
      text: "turned",
      editedAt: kith().clock.now().toISOString(),
      photos: [three, one, two].flatMap((photo) => photo ?? []),
    });
    assert.equal(edited, "changed");
    assert.deepEqual(await shown(), ["three", "one", "two"]);
  });
});
