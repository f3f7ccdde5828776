import assert from "node:assert/strict";
import { before, test } from "node:test";
import { parseEnvelope, verifyEnvelope } from "@kith/diaspora";
import { NO_ADDRESSES } from "../../src/features/people/index.ts";
import { assertError } from "../support/server/api-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { actorOf, ask } from "../support/remote/linked-data.ts";
import { remotePerson, remotePost } from "../support/remote/remote-people.ts";
import type {
  AspectRecord,
  CommentRecord,
  PostRecord,
} from "../support/server/wire.ts";

const ABSENT = "0".repeat(32);

type Link = { rel: string; type?: string; href?: string; template?: string };
type Jrd = { subject: string; aliases: string[]; links: Link[] };

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let ann: TestPerson;
  before(async () => {
    ann = await kith().person();
  });

  const get = (path: string, accept = "*/*") =>
    ask(kith().baseUrl + path, null, { headers: { accept } });
  const getJson = async <T>(path: string, type: RegExp): Promise<T> => {
    const { status, headers, text } = await get(path);
    assert.equal(status, 200, `${path} ${text}`);
    assert.match(headers.get("content-type") ?? "", type, path);
    return JSON.parse(text) as T;
  };
  const finger = (resource: string) =>
    `/.well-known/webfinger?resource=${encodeURIComponent(resource)}`;

  test("WebFinger names a person under every address, with the links of both protocols", async () => {
    const { baseUrl } = kith();
    const actor = actorOf(kith(), ann.username);
    for (const resource of [
      `acct:${ann.handle}`,
      ann.handle,
      `acct:${ann.handle.toUpperCase()}`,
      actor,
      `${actor}/actor`,
      `${baseUrl}/api/v0/ap/user/${ann.username}/actor`,
      `${baseUrl}/u/${ann.username}`,
    ]) {
      const jrd = await getJson<Jrd>(
        finger(resource),
        /^application\/jrd\+json/,
      );
      assert.equal(jrd.subject, `acct:${ann.handle}`);
      assert.ok(jrd.aliases.includes(actor));
      const self = jrd.links.filter(({ rel }) => rel === "self");
      assert.deepEqual(
        self.map(({ href }) => href),
        [actor, actor],
      );
      assert.equal(self[0]?.type, "application/activity+json");
      const byRel = (rel: string) => jrd.links.find((it) => it.rel === rel);
      assert.equal(
        byRel("http://microformats.org/profile/hcard")?.href,
        `${baseUrl}/hcard/users/${ann.record.Guid}`,
      );
      assert.equal(
        byRel("http://joindiaspora.com/seed_location")?.href,
        `${baseUrl}/`,
      );
      assert.equal(
        byRel("http://webfinger.net/rel/profile-page")?.href,
        `${baseUrl}/u/${ann.username}`,
      );
      assert.equal(
        byRel("http://ostatus.org/schema/1.0/subscribe")?.template,
        `${baseUrl}/authorize_interaction?uri={uri}`,
      );
      for (const { rel } of jrd.links)
        assert.ok(rel === "self" || URL.canParse(rel), `${rel} is registered`);
    }
    const { headers } = await get(finger(ann.handle));
    assert.equal(headers.get("access-control-allow-origin"), "*");
  });

  test("WebFinger for an unknown person, a remote one, an empty resource, and the server itself", async () => {
    const { host, baseUrl } = kith();
    for (const resource of [
      `acct:nobody@${host}`,
      `acct:${ann.username}@elsewhere.example`,
      `${baseUrl}/posts/1`,
      "nonsense",
    ])
      assertError(await get(finger(resource)), 404, "Not found", resource);
    for (const path of [
      ...["", "?resource=", "?resource=a&resource=b"],
      ...["acct:", `acct:@${host}`, `acct:${host}`].map(
        (resource) => `?resource=${encodeURIComponent(resource)}`,
      ),
    ])
      assertError(
        await get(`/.well-known/webfinger${path}`),
        400,
        "Bad request",
        path,
      );
    const jrd = await getJson<Jrd>(
      finger(`acct:localhost@${host}`),
      /^application\/jrd\+json/,
    );
    assert.equal(jrd.links[0]?.href, `${baseUrl}/api/v1/ap/instance`);
  });

  test("host-meta says where WebFinger is", async () => {
    const { status, headers, text } = await get("/.well-known/host-meta");
    assert.equal(status, 200);
    assert.match(headers.get("content-type") ?? "", /^application\/xrd\+xml/);
    const template = `${kith().baseUrl}/.well-known/webfinger?resource={uri}`;
    assert.ok(text.includes(`template="${template}"`), text);
    assert.match(text, /rel="lrdd"/);
  });

  test("NodeInfo in each version that its list names", async () => {
    const { baseUrl } = kith();
    const { links } = await getJson<{ links: Link[] }>(
      "/.well-known/nodeinfo",
      /^application\/json/,
    );
    const versions = links.flatMap(
      ({ rel }) => /schema\/(\d\.\d)$/.exec(rel)?.[1] ?? [],
    );
    assert.deepEqual(versions.toSorted(), ["1.0", "2.0", "2.1"]);
    assert.equal(links.at(-1)?.href, `${baseUrl}/api/v1/ap/instance`);
    for (const version of versions) {
      const href = links.find(({ rel }) => rel.endsWith(version))?.href;
      assert.equal(href, `${baseUrl}/nodeinfo/${version}`);
      const document = await getJson<{
        version: string;
        software: { name: string };
        protocols: string[] | { inbound: string[] };
        openRegistrations: boolean;
        usage: { users: { total: number } };
      }>(`/nodeinfo/${version}`, /^application\/json; profile="http/);
      assert.equal(document.version, version);
      assert.equal(document.software.name, "kith");
      assert.equal(typeof document.openRegistrations, "boolean");
      assert.ok(document.usage.users.total >= 1);
      const spoken = Array.isArray(document.protocols)
        ? document.protocols
        : document.protocols.inbound;
      assert.ok(spoken.includes("diaspora"));
      assert.equal(spoken.includes("activitypub"), version !== "1.0");
    }
    for (const version of ["3.0", "2", "x"])
      assertError(await get(`/nodeinfo/${version}`), 404, "Not found", version);
  });

  test("x-social-relay, hCard and stream, as pods read them", async () => {
    const relay = await getJson<{ subscribe: boolean }>(
      "/.well-known/x-social-relay",
      /^application\/json/,
    );
    assert.equal(relay.subscribe, false);
    const { Guid } = ann.record;
    const card = await get(`/hcard/users/${Guid}`);
    assert.equal(card.status, 200);
    assert.match(card.headers.get("content-type") ?? "", /^text\/html/);
    assert.ok(card.text.includes(Guid));
    assert.ok(card.text.includes("BEGIN PUBLIC KEY"));
    const post = await ann.post<PostRecord>("/posts", { post: "hello" });
    const stream = await get(`/people/${Guid}/stream`, "application/json");
    const [first] = JSON.parse(stream.text) as {
      guid: string;
      author: { guid: string };
    }[];
    assert.equal(first?.guid, post.Guid);
    assert.equal(first.author.guid, Guid);
    for (const path of [`/hcard/users/${ABSENT}`, "/hcard/users/x"])
      assertError(await get(path), 404, "Not found", path);
    const none = await get(`/people/${ABSENT}/stream`, "application/json");
    assertError(none, 404, "Not found", "nobody's stream");
  });

  test("public things are handed out, sealed by their authors", async () => {
    const { ID } = await ann.post<AspectRecord>("/aspects", { name: "a" });
    const post = await ann.post<PostRecord>("/posts", { post: "hello" });
    const limited = await ann.post<PostRecord>("/posts", {
      post: "for some",
      aspectID: ID,
    });
    const said = await ann.post<CommentRecord>(`/posts/${post.ID}/comments`, {
      comment: "c",
    });
    for (const [type, guid] of [
      ["post", post.Guid],
      ["status_message", post.Guid],
      ["comment", said.Guid],
    ] as const) {
      const answer = await get(`/fetch/${type}/${guid}`);
      assert.equal(answer.status, 200, type);
      assert.equal(
        answer.headers.get("content-type"),
        "application/magic-envelope+xml",
      );
      const envelope = parseEnvelope(answer.text);
      assert.equal(envelope.claimedSender, ann.handle);
      await verifyEnvelope(envelope, ann.record.SerializedPublicKey);
    }
    for (const path of [
      `post/${limited.Guid}`,
      `post/${ABSENT}`,
      `reshare/${post.Guid}`,
      `like/${post.Guid}`,
      "post/x",
    ])
      assertError(await get(`/fetch/${path}`), 404, "Not found", path);
  });

  test("public things from elsewhere are at their authors' servers", async () => {
    const { remotePeople, posts } = kith().server.features;
    const eve = await remotePeople.store({
      handle: "eve@pod.example",
      publicKeyPem: ann.record.SerializedPublicKey,
      keys: [],
      protocols: ["diaspora"],
      addresses: {
        actorUri: null,
        inboxUri: null,
        sharedInboxUri: null,
        followersUri: null,
        seedLocation: "https://pod.example/",
        profileUrl: null,
      },
      profile: {},
    });
    assert.ok(eve);
    const post = remotePost(eve, { uri: null });
    await posts.receive(post);
    const answer = await get(`/fetch/post/${post.guid}`);
    assert.equal(answer.status, 302);
    assert.equal(
      answer.headers.get("location"),
      `https://pod.example/fetch/post/${post.guid}`,
    );
    const over = remotePost(await remotePerson(kith(), "fay@remote.example"));
    await posts.receive(over);
    const unsealed = await get(`/fetch/post/${over.guid}`);
    assertError(unsealed, 404, "Not found", "it has no diaspora* server");
  });

  test("no one is redirected to a server that an author only claims", async () => {
    const { remotePeople, posts } = kith().server.features;
    const mallory = await remotePeople.store({
      handle: "mallory@evil.example",
      publicKeyPem: ann.record.SerializedPublicKey,
      keys: [],
      protocols: ["diaspora"],
      addresses: {
        ...NO_ADDRESSES,
        seedLocation: "https://victim.example/",
        profileUrl: "https://victim.example/login",
      },
      profile: {},
    });
    assert.ok(mallory);
    const post = remotePost(mallory, { uri: null });
    await posts.receive(post);
    const answer = await get(`/fetch/post/${post.guid}`);
    assertError(answer, 404, "Not found", "its server is only claimed");
    const { text } = await get(`/people/${mallory.guid}`);
    assert.match(text, /mallory@evil\.example/);
    assert.doesNotMatch(text, /victim\.example/);
  });

  test("messages of pods are accepted without an answer, unless the recipient is unknown", async () => {
    const send = (path: string, body = "<xml/>", type = "text/plain") =>
      ask(kith().baseUrl + path, null, {
        method: "POST",
        headers: { "content-type": type },
        body,
      });
    const { Guid } = ann.record;
    for (const path of [
      "/receive/public",
      "/receive/public/",
      `/receive/users/${Guid}`,
      `/receive/users/${Guid}/`,
    ])
      for (const type of [
        "application/magic-envelope+xml",
        "application/json",
        "x/y",
      ]) {
        const { status, text } = await send(path, "nonsense", type);
        assert.equal(`${status} ${text}`, "202 ", `${path} ${type}`);
      }
    for (const guid of [ABSENT, "x"])
      assertError(await send(`/receive/users/${guid}`), 404, "Not found", guid);
    const big = "x".repeat(2 * 1024 * 1024 + 1);
    const refused = await send("/receive/public", big);
    assertError(refused, 413, "Request body too large", "a big one");
    await kith().settle();
  });
});
