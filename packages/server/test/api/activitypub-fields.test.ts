import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { proxiedSource } from "../support/pages/proxied-source.ts";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  actorOf,
  objectOf,
  read,
  sendFollow,
} from "../support/remote/linked-data.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import type { PostRecord } from "../support/server/wire.ts";

type Beside = {
  readonly Language?: string;
  readonly Emojis?: readonly { Shortcode: string; Url: string }[];
};
type Profile = Beside & {
  readonly Fields?: readonly { Name: string; Value: string }[];
  readonly HeaderUrl?: string;
  readonly Locked?: boolean;
  readonly Indexable?: boolean;
};

const CAT = "https://pics.example/cat.png";
const emoji = (name: string, url: string): JsonObject => ({
  type: "Emoji",
  name,
  icon: { type: "Image", url },
});
const EMOJIS = [{ Shortcode: "cat", Url: CAT }];

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  const page = async (path: string) =>
    (await fetch(kith().baseUrl + path)).text();
  const followed = async (by: TestPerson, name: string) => {
    const actor = remote.actor(name);
    await sendFollow(kith(), by, actor);
    return actor;
  };
  const say = (by: RemoteActor, type: string, object: JsonObject | string) =>
    by.deliver(kith(), by.activity(type, { object, to: [PUBLIC] }));
  const postOf = async (author: RemoteActor, reader: TestPerson) => {
    const all = await reader.get<(PostRecord & Beside)[]>("/posts");
    const isOwn = ({ Person }: PostRecord) => Person.Author === author.handle;
    return all.find(isOwn) ?? assert.fail();
  };

  test("language, emojis and points of pictures come with a post, and go with an edit", async () => {
    const ann = await kith().person();
    const eve = await followed(ann, "eve");
    const picture = {
      type: "Image",
      mediaType: "image/png",
      url: "https://pics.example/1.png",
      name: "one",
    };
    const note = eve.note({
      content: "<p>oi :cat: <code>:cat:</code></p>",
      contentMap: { "PT-br": "<p>oi :cat: <code>:cat:</code></p>" },
      summary: "a :cat:",
      tag: [
        emoji(":cat:", CAT),
        emoji(":data:", "data:image/png;base64,AA=="),
        emoji(":no name:", CAT),
      ],
      attachment: [{ ...picture, focalPoint: [-0.42, 1] }],
    });
    await say(eve, "Create", note);
    const post = await postOf(eve, ann);
    assert.deepEqual([post.Language, post.Emojis], ["pt-BR", EMOJIS]);
    assert.deepEqual(
      post.Photos.map((photo) => (photo as { Focus?: object }).Focus),
      [{ X: -0.42, Y: 1 }],
    );
    const shown = await page(`/posts/${post.Guid}`);
    assert.match(
      shown,
      RegExp(
        `<summary[^>]*>\\s*a <img class="emoji"[^]*<div class="text e-content" dir="auto" lang="pt-BR"><p>oi <img class="emoji" ${proxiedSource(CAT)} alt=":cat:"[^>]*> <code>:cat:</code>`,
      ),
    );

    const inReplyTo = note["id"] as string;
    const reply = eve.note({
      content: "<p>re :cat:</p>",
      contentMap: { de: "<p>re :cat:</p>" },
      tag: emoji("cat", CAT),
      inReplyTo,
    });
    await say(eve, "Create", reply);
    const commentOf = async () =>
      (await postOf(eve, ann)).Comments[0] as Beside;
    const { Language, Emojis } = await commentOf();
    assert.deepEqual([Language, Emojis], ["de", EMOJIS]);
    assert.match(await page(`/posts/${post.Guid}`), /lang="de"><p>re <img/);

    const updated = "2026-02-01T00:00:00Z";
    const attachment = [{ ...picture, name: "two", focalPoint: [0, 0.5] }];
    await say(eve, "Update", {
      ...{ ...note, updated, attachment, tag: [] },
      contentMap: { und: note["content"] as string },
    });
    await say(eve, "Update", { ...reply, updated, tag: [], contentMap: {} });
    const edited = await postOf(eve, ann);
    const comment = await commentOf();
    for (const { Language, Emojis } of [edited, comment])
      assert.deepEqual([Language, Emojis], [undefined, undefined]);
    assert.deepEqual(
      edited.Photos.map(({ ID, Text, ...photo }) => [
        ...[ID, Text],
        (photo as { Focus?: object }).Focus,
      ]),
      [[post.Photos[0]?.ID, "two", { X: 0, Y: 0.5 }]],
    );
    const later = { ...note, updated: "2026-03-01T00:00:00Z" };
    await say(eve, "Update", { ...later, attachment: [picture] });
    const [last] = (await postOf(eve, ann)).Photos as { Focus?: object }[];
    assert.equal(last?.Focus, undefined);
  });

  test("an event has its categories, and others after an edit", async () => {
    const ann = await kith().person();
    const gus = await followed(ann, "gus");
    const event = gus.note({
      type: "Event",
      name: "Repair café",
      startTime: "2030-07-14T15:30:00Z",
      category: ["COMMUNITY", "COMMUNITY", "FOOD", ` ${"X".repeat(200)}\n`],
    });
    await say(gus, "Create", event);
    const categories = async () => {
      const { Event } = await postOf(gus, ann);
      return (Event as { Categories?: string[] } | null)?.Categories;
    };
    const long = "X".repeat(64);
    assert.deepEqual(await categories(), ["COMMUNITY", "FOOD", long]);
    const updated = "2026-02-01T00:00:00Z";
    await say(gus, "Update", { ...event, category: "SPORTS", updated });
    assert.deepEqual(await categories(), ["SPORTS"]);
    const later = "2026-03-01T00:00:00Z";
    await say(gus, "Update", { ...event, category: null, updated: later });
    assert.equal(await categories(), undefined);
  });

  test("a remote profile has its fields, header and flags, and loses those it no longer has", async () => {
    const ann = await kith().person();
    const eve = remote.actor("eva");
    eve.profile = {
      name: "Eva :cat:",
      manuallyApprovesFollowers: true,
      indexable: true,
      image: { type: "Image", url: "https://pics.example/wide.png" },
      tag: [emoji(":cat:", CAT)],
      attachment: [
        {
          type: "PropertyValue",
          name: "\u202ESite\u0007",
          value:
            '<a href="https://eva.example">:cat: site</a><script>x</script>',
        },
        {
          type: "PropertyValue",
          name: "<b>Bad</b>",
          value: '<a href="javascript:alert(1)">click</a><img src=x onerror=y>',
        },
        { type: "PropertyValue", name: "Empty", value: " " },
        { type: "IdentityProof", name: "x", value: "y" },
      ],
    };
    await say(await followed(ann, "eva"), "Update", eve.id);
    const search = () =>
      ann.post<{ ID: number; Guid: string; Profile: Profile }>("/search", {
        handle: eve.handle,
      });
    const { Profile, Guid } = await search();
    assert.deepEqual(Profile.Fields, [
      { Name: "Site", Value: "[:cat: site](https://eva.example)" },
      { Name: "<b>Bad</b>", Value: "click" },
    ]);
    assert.deepEqual(
      [Profile.HeaderUrl, Profile.Locked, Profile.Indexable, Profile.Emojis],
      ["https://pics.example/wide.png", true, true, EMOJIS],
    );
    const shown = await page(`/people/${Guid}`);
    assert.match(
      shown,
      RegExp(
        `<img class="header hue\\d" ${proxiedSource("https://pics.example/wide.png")}`,
      ),
    );
    assert.match(shown, /<h1 class="p-name"><bdi>Eva <img class="emoji"/);
    assert.match(
      shown,
      /<dt><bdi>Site<\/bdi><\/dt>\s*<dd[^>]*>.*<a href="https:\/\/eva\.example"[^>]*><img class="emoji"/,
    );
    assert.match(shown, /&lt;b&gt;Bad/);
    assert.match(shown, /approves followers/);
    assert.doesNotMatch(shown, /javascript:|onerror|<script>x/);

    eve.profile = {
      name: "Eva",
      attachment: Array.from({ length: 60 }, (_, at) => ({
        type: "PropertyValue",
        name: `n${at}`,
        value: `v${at}`,
      })),
      image: { type: "Image", url: "data:image/png;base64,AA==" },
      type: "Service",
    };
    await say(eve, "Update", eve.id);
    assert.match(await page(`/people/${Guid}`), /program posts here/);
    const changed = (await search()).Profile;
    assert.equal(changed.Fields?.length, 20);
    assert.deepEqual(
      [changed.HeaderUrl, changed.Locked, changed.Indexable, changed.Emojis],
      [undefined, undefined, undefined, undefined],
    );
    eve.profile = { type: "Group" };
    await say(eve, "Update", eve.id);
    assert.match(await page(`/people/${Guid}`), /This is a group/);
    eve.profile = {};
    await say(eve, "Update", eve.id);
    assert.equal((await search()).Profile.Fields, undefined);
    const last = await page(`/people/${Guid}`);
    assert.doesNotMatch(last, /program posts here|This is a group/);
  });

  test("local posts name their language, over ActivityPub too", async () => {
    const ann = await kith().person();
    const post = await ann.post<PostRecord & Beside>("/posts", {
      post: "olá",
      language: " PT-br ",
    });
    assert.equal(post.Language, "pt-BR");
    const comment = await ann.post<{ Guid: string } & Beside>(
      `/posts/${post.Guid}/comments`,
      { comment: "sim", language: "pt" },
    );
    assert.equal(comment.Language, "pt");
    for (const [guid, map] of [
      [post.Guid, { "pt-BR": "<p>olá</p>" }],
      [comment.Guid, { pt: "<p>sim</p>" }],
    ] as const) {
      const note = await read(objectOf(kith(), guid));
      assert.deepEqual(note["contentMap"], map);
    }
    const plain = await ann.post<PostRecord & Beside>("/posts", {
      post: "x",
      language: "",
    });
    assert.equal(plain.Language, undefined);
    const bad = { post: "x", language: "no tag" };
    await ann.badRequest("POST", "/posts", { form: bad });
    // With a language the HTML would be included twice: other servers refuse overlong objects.
    const long = await ann.post<PostRecord>("/posts", {
      post: "a ".repeat(8000),
      language: "en",
    });
    const note = await read(objectOf(kith(), long.Guid));
    assert.equal(note["contentMap"], undefined);
  });

  test("profile fields are visible to those who see the bio", async () => {
    const ann = await kith().person();
    const bob = await kith().person();
    const given = {
      FieldName: ["Site", " ", "Pronouns"],
      FieldValue: ["<https://ann.example>", "", "she/*her*"],
      Indexable: true,
    };
    const answer = await ann.call("PUT", "/profile", { json: given });
    const own = JSON.parse(answer.text) as Profile;
    assert.deepEqual(own.Fields, [
      { Name: "Site", Value: "<https://ann.example>" },
      { Name: "Pronouns", Value: "she/*her*" },
    ]);
    assert.equal(own.Indexable, true);
    const actor = await read(actorOf(kith(), ann.username));
    assert.equal(actor["indexable"], true);
    const [site, pronouns] = actor["attachment"] as JsonObject[];
    assert.match(
      site?.["value"] as string,
      /^<a href="https:\/\/ann\.example"/,
    );
    assert.deepEqual(pronouns, {
      type: "PropertyValue",
      name: "Pronouns",
      value: "she/<em>her</em>",
    });
    const seen = async () =>
      (await bob.get<Profile>(`/people/${ann.record.ID}/profile`)).Fields;
    assert.equal((await seen())?.length, 2);
    await ann.put("/profile", { BioFor: "nobody" });
    assert.equal(await seen(), undefined);
    assert.doesNotMatch(await page(`/u/${ann.username}`), /ann\.example/);
    const closed = await read(actorOf(kith(), ann.username));
    assert.equal(closed["attachment"], undefined);
    for (const bad of [
      { FieldName: ["a"] },
      { FieldName: ["a"], FieldValue: ["b", "c"] },
      { FieldName: ["a"], FieldValue: [" "] },
      { FieldName: Array(21).fill("a"), FieldValue: Array(21).fill("b") },
    ])
      await ann.badRequest("PUT", "/profile", { json: bad });
    const none = await ann.put<Profile>("/profile", {
      FieldName: "",
      FieldValue: "",
    });
    assert.deepEqual([none.Fields, none.Indexable], [undefined, true]);
  });
});
