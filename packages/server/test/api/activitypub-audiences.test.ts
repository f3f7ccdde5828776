import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import {
  isJsonArray,
  isJsonObject,
  PUBLIC,
  type JsonObject,
} from "@kith/activitypub";
import { NO_ADDRESSES } from "../../src/features/people/index.ts";
import {
  actorOf,
  submitAndApply,
  objectOf,
  read,
  readDocument,
} from "../support/remote/linked-data.ts";
import { DiasporaPod } from "../support/remote/diaspora-pod.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import { readRecording } from "../support/recordings.ts";
import { upload } from "../support/scenes/pictures.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type { PersonRecord, PostRecord } from "../support/server/wire.ts";

type Input = Readonly<Record<string, unknown>>;

type Preview = {
  Audience: { Kind: string; Names: string[] };
  Public: boolean;
  PeopleCount: number;
  People: PersonRecord[];
  HostsCount: number;
  Hosts: string[];
  NotKept: {
    Kind: string;
    Text: string;
    People: PersonRecord[];
    Hosts: string[];
  }[];
};

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const withoutPods = useKith(kind, {
    env: { KITH_PROTOCOLS: "activitypub" },
  });
  let near: RemoteServer;
  let far: RemoteServer;
  let pod: DiasporaPod;
  let ann: TestPerson;
  let flo: RemoteActor;
  let mia: RemoteActor;
  let aspect: number;

  before(async () => {
    near = await RemoteServer.start();
    far = await RemoteServer.start();
    pod = await DiasporaPod.start();
    ann = await kith().person();
    [flo, mia] = [near.actor("flo"), far.actor("mia")];
    const object = actorOf(kith(), ann.username);
    await flo.deliver(kith(), flo.activity("Follow", { object }));
    ({ ID: aspect } = await ann.post<{ ID: number }>("/aspects", {
      name: "few",
    }));
    for (const { handle } of [mia, pod.person("bob")]) {
      const { ID } = await ann.post<PersonRecord>("/search", { handle });
      await ann.post(`/people/${ID}/aspects/${aspect}`);
    }
    await kith().settle();
  });
  after(() => Promise.all([near.close(), far.close(), pod.close()]));
  beforeEach(() => {
    for (const server of [near, far]) server.delivered.length = 0;
    pod.posted.length = 0;
  });

  async function publish(json: Input): Promise<PostRecord> {
    const { status, text } = await ann.call("POST", "/posts", { json });
    assert.equal(status, 200, text);
    await kith().settle();
    return JSON.parse(text) as PostRecord;
  }

  const followers = () => `${actorOf(kith(), ann.username)}/followers`;

  const addressOf = (document: JsonObject | undefined) =>
    document && { to: document["to"], cc: document["cc"] };

  /** The Create that came last, whose object has the same audience. */
  function newest(remote: RemoteServer): JsonObject | undefined {
    const create = remote.ofType("Create").at(-1)?.activity;
    if (!create) return undefined;
    const { object } = create;
    assert.ok(isJsonObject(object));
    assert.deepEqual(addressOf(object), addressOf(create));
    return object;
  }

  const mentionsIn = ({ tag }: JsonObject) =>
    isJsonArray(tag)
      ? tag.flatMap((it) =>
          isJsonObject(it) && it["type"] === "Mention" ? [it["href"]] : [],
        )
      : [];

  test("a post to followers names their collection, and goes to them alone", async () => {
    const { Guid } = await publish({
      post: `hello, @{${flo.handle}} and @{${mia.handle}}`,
      audience: "followers",
    });
    const expected = { to: [followers()], cc: [flo.id] };
    const note = newest(near);
    assert.deepEqual(addressOf(note), expected);
    // Mia is mentioned, but does not follow: her server is not asked to notify her.
    assert.deepEqual(mentionsIn(note ?? {}), [flo.id]);
    assert.equal(newest(far), undefined);
    assert.equal(pod.posted.length, 0);
    const url = objectOf(kith(), Guid);
    const served = readDocument(await flo.get(kith(), url));
    assert.deepEqual(addressOf(served), expected);
    assert.equal((await mia.get(kith(), url)).status, 404);
    assert.equal((await fetch(url)).status, 404);
    const outbox = `${actorOf(kith(), ann.username)}/outbox?page=1`;
    assert.ok(!JSON.stringify(await read(outbox)).includes(Guid));
    await ann.delete(`/posts/${Guid}`);
    await kith().settle();
    const [deleted] = near.ofType("Delete");
    assert.deepEqual(addressOf(deleted?.activity), {
      to: [followers()],
      cc: [],
    });
    assert.equal(far.ofType("Delete").length, 0);
  });

  test("an unlisted post has the public collection in cc, and its comments have, too", async () => {
    const { ID, Guid } = await publish({ post: "quiet", audience: "unlisted" });
    const unlisted = { to: [followers()], cc: [PUBLIC] };
    assert.deepEqual(addressOf(newest(near)), unlisted);
    assert.deepEqual(addressOf(newest(far)), unlisted);
    assert.deepEqual(addressOf(await read(objectOf(kith(), Guid))), unlisted);
    await ann.post(`/posts/${ID}/comments`, { comment: "as quiet" });
    await kith().settle();
    assert.deepEqual(addressOf(newest(near)), unlisted);
    await ann.delete(`/posts/${ID}`);
    await kith().settle();
    const [deleted] = near.ofType("Delete");
    assert.deepEqual(addressOf(deleted?.activity), unlisted);
  });

  test("a post to named people goes to each of them, and one for oneself to nobody", async () => {
    await publish({ post: "for you", person: [mia.handle] });
    assert.deepEqual(addressOf(newest(far)), { to: [mia.id], cc: [] });
    assert.equal(newest(near), undefined);
    far.delivered.length = 0;
    const said = `note to myself about @{${mia.handle}}`;
    await publish({ post: said, audience: "self" });
    for (const server of [near, far]) assert.equal(server.delivered.length, 0);
    assert.equal(pod.posted.length, 0);
  });

  test("a limited post has no tag for a mentioned person who does not get it", async () => {
    const eve = far.actor("eve");
    await ann.post("/search", { handle: eve.handle });
    const text = `@{${eve.handle}} need not know, @{${mia.handle}}`;
    await publish({ post: text, aspectID: aspect });
    const note = newest(far) ?? {};
    assert.deepEqual(note["to"], [mia.id]);
    assert.ok(!mentionsIn(note).includes(eve.id));
  });

  test("an outbox takes the same audiences", async () => {
    const to = followers();
    const note = { type: "Note", content: "<p>from a client</p>" };
    await submitAndApply(kith(), ann, { ...note, to });
    await submitAndApply(kith(), ann, { ...note, to, cc: PUBLIC });
    await submitAndApply(kith(), ann, note);
    await kith().settle();
    const posts = await ann.get<PostRecord[]>("/posts");
    assert.deepEqual(
      posts.slice(0, 3).map(({ Audience }) => Audience?.Kind),
      ["self", "unlisted", "followers"],
    );
  });

  test("the preview names the people and servers that the post then goes to", async () => {
    const hostOf = ({ origin }: { origin: string }) => new URL(origin).host;
    const text = `hello, @{${flo.handle}}`;
    const inputs: Input[] = [
      { audience: "everyone" },
      { audience: "unlisted" },
      { audience: "followers" },
      { audience: "all_aspects" },
      { aspectID: aspect },
      { audience: "people" },
      { person: [mia.handle] },
      { audience: "self" },
      {},
    ];
    for (const input of inputs) {
      for (const server of [near, far]) server.delivered.length = 0;
      pod.posted.length = 0;
      const json = { post: text, ...input };
      const answer = await ann.call("POST", "/audience", { json });
      assert.equal(answer.status, 200, answer.text);
      const preview = JSON.parse(answer.text) as Preview;
      await kith().settle();
      const servers = [near, far, pod];
      const gets = (server: (typeof servers)[number]) =>
        "posted" in server ? server.posted.length : server.delivered.length;
      assert.ok(servers.every((server) => gets(server) === 0));
      const { Public } = await publish(json);
      const reached = servers.filter((server) => gets(server) > 0);
      const what = JSON.stringify(input);
      assert.equal(preview.Public, Public, what);
      assert.deepEqual(preview.Hosts, reached.map(hostOf).toSorted(), what);
      assert.equal(preview.HostsCount, reached.length, what);
      assert.equal(preview.PeopleCount, preview.People.length, what);
      assert.equal(preview.PeopleCount, reached.length, what);
    }
  });

  test("the preview says what will not be kept", async () => {
    const preview = async (json: Input) => {
      const { text } = await ann.call("POST", "/audience", { json });
      const { NotKept } = JSON.parse(text) as Preview;
      return NotKept.map(({ Kind, People, Hosts }) => [
        Kind,
        ...People.map(({ Author }) => Author),
        ...Hosts,
      ]);
    };
    const podHost = new URL(pod.origin).host;
    const post = `@{${flo.handle}}, @{${mia.handle}}`;
    assert.deepEqual(await preview({ aspectID: aspect, post }), [
      ["mentions", flo.handle],
    ]);
    assert.deepEqual(await preview({ audience: "everyone", post }), []);
    assert.deepEqual(await preview({ audience: "unlisted" }), [
      ["listed", podHost],
    ]);
    pod.put(
      "/.well-known/nodeinfo",
      JSON.stringify({
        links: [
          {
            rel: "http://nodeinfo.diaspora.software/ns/schema/2.0",
            href: `${pod.origin}/nodeinfo/2.0`,
          },
        ],
      }),
      "application/json",
    );
    const software = { software: { name: "diaspora" } };
    pod.put("/nodeinfo/2.0", JSON.stringify(software), "application/json");
    kith().clock.advance(8 * 24 * 3_600_000);
    await preview({ aspectID: aspect });
    await kith().settle();
    assert.deepEqual(await preview({ aspectID: aspect }), [["edits", podHost]]);
    const sound = await upload(ann, readRecording("sound.mp3"));
    const wall = await upload(ann);
    const withFiles = (...photos: { ID: number }[]) =>
      preview({ aspectID: aspect, photoID: photos.map((it) => it.ID) });
    assert.deepEqual(await withFiles(wall), [["edits", podHost]]);
    assert.deepEqual(await withFiles(wall, sound), [
      ["edits", podHost],
      ["recordings", podHost],
    ]);
    const { ID } = await ann.post<{ ID: number }>("/aspects", { name: "none" });
    assert.deepEqual(await preview({ aspectID: ID }), [["nobody"]]);
    assert.deepEqual(await preview({ audience: "self" }), []);
  });

  test("the preview names the people whom this server cannot reach", async () => {
    const alone = withoutPods();
    const ben = await alone.person();
    const seedLocation = "https://pod.example/";
    const eve = await alone.server.features.remotePeople.store({
      handle: "eve@pod.example",
      publicKeyPem: ben.record.SerializedPublicKey,
      keys: [],
      protocols: ["diaspora"],
      addresses: { ...NO_ADDRESSES, seedLocation },
      profile: {},
    });
    assert.ok(eve);
    const post = "hello, @{eve@pod.example}";
    const json = { personID: [eve.id], post };
    const { text } = await ben.call("POST", "/audience", { json });
    const preview = JSON.parse(text) as Preview;
    assert.deepEqual([preview.PeopleCount, preview.HostsCount], [0, 0]);
    assert.deepEqual(
      preview.NotKept.map(({ Kind, People }) => [Kind, People[0]?.Author]),
      [
        ["nobody", undefined],
        ["unreachable", eve.handle],
      ],
    );
    await kith().anonymous.unauthorized("POST", "/audience");
  });
});
