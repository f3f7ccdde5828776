import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { proxiedSource } from "../support/pages/proxied-source.ts";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  actorOf,
  objectOf,
  sendFollow,
} from "../support/remote/linked-data.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import type { PostRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let names = 0;
  let notes = 0;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  const followed = async (by: TestPerson): Promise<RemoteActor> => {
    const other = remote.actor(`writer${++names}`);
    await sendFollow(kith(), by, other);
    return other;
  };
  const write = async (by: RemoteActor, members: JsonObject) => {
    const published = `2026-01-03T00:00:${String(++notes).padStart(2, "0")}Z`;
    const object = by.note({ published, ...members });
    await by.deliver(kith(), by.activity("Create", { object, to: [PUBLIC] }));
    return object;
  };
  const newest = async (person: TestPerson) => {
    const [post] = await person.get<PostRecord[]>("/posts");
    return post ?? assert.fail();
  };
  const handleOf = ({ username }: TestPerson) =>
    `${username}@${new URL(kith().baseUrl).host}`;
  const page = async (post: PostRecord) =>
    (await fetch(`${kith().baseUrl}/posts/${post.Guid}`)).text();

  test("tags count next to punctuation and in the object alone; plain signs do not", async () => {
    const ann = await kith().person();
    const eve = await followed(ann);
    const href = "https://x.example/tags/beside";
    await write(eve, {
      content: `<p>(<a href="${href}" class="mention hashtag" rel="tag">#<span>Beside</span></a>) #none</p>`,
      tag: [
        { type: "Hashtag", href, name: "#Beside" },
        { type: "Hashtag", href: "https://x.example/v?t=alone", name: "alone" },
      ],
    });
    const post = await newest(ann);
    const withTag = async (tag: string) =>
      (await (await fetch(`${kith().baseUrl}/tags/${tag}`)).text()).includes(
        post.Guid,
      );
    assert.deepEqual(
      [await withTag("beside"), await withTag("alone"), await withTag("none")],
      [true, true, false],
    );
    assert.match(await page(post), /\/tags\/beside"[^>]*>#<span>Beside/);
  });

  test("people who are named are links, known or not", async () => {
    const ann = await kith().person();
    const eve = await followed(ann);
    const here = actorOf(kith(), ann.username);
    const away = "https://x.example/@zoe";
    await write(eve, {
      content: `<p><a href="${here}" class="u-url mention">@<span>${ann.username}</span></a> <a href="${away}" class="u-url mention">@<span>zoe</span></a></p>`,
      tag: [{ type: "Mention", href: here, name: `@${handleOf(ann)}` }],
    });
    const html = await page(await newest(ann));
    assert.match(html, new RegExp(`/people/${ann.record.Guid}"[^>]*>@<span>`));
    assert.match(
      html,
      /<a href="https:\/\/x\.example\/@zoe"[^>]*>@zoe@x\.example/,
    );
  });

  test("pictures of a reply are shown with it, also without any words", async () => {
    const ann = await kith().person();
    const eve = await followed(ann);
    const post = await ann.post<PostRecord>("/posts", { post: "look" });
    const inReplyTo = objectOf(kith(), post.Guid);
    const picture = (name: string) => ({
      type: "Document",
      mediaType: "image/png",
      url: `https://x.example/${name}.png`,
      name: `a #${name} @{${handleOf(ann)}}`,
    });
    const reply = await write(eve, {
      inReplyTo,
      content: "<p>mine</p>",
      attachment: [picture("one"), picture("two")],
    });
    await write(eve, { inReplyTo, content: "", attachment: picture("three") });
    await write(eve, { inReplyTo, content: "" });
    const comments = async () =>
      (await ann.get<PostRecord>(`/posts/${post.Guid}`)).Comments.map(
        ({ Text, Photos = [] }) => [
          Text,
          ...Photos.map((photo) => `${photo.Url} ${photo.Text}`),
        ],
      );
    const shown = (name: string) =>
      `${picture(name).url} ${picture(name).name}`;
    assert.deepEqual(await comments(), [
      ["mine", shown("one"), shown("two")],
      ["", shown("three")],
    ]);
    const html = await page(post);
    assert.match(
      html,
      RegExp(
        `<img\\s+${proxiedSource("https://x.example/three.png")}\\s+alt="a #three @\\{`,
      ),
    );
    const object = {
      ...reply,
      attachment: picture("four"),
      updated: "2026-02-01T00:00:00Z",
    };
    await eve.deliver(kith(), eve.activity("Update", { object, to: [PUBLIC] }));
    assert.deepEqual(await comments(), [
      ["mine", shown("four")],
      ["", shown("three")],
    ]);
  });
});
