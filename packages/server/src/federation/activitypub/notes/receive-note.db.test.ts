import assert from "node:assert/strict";
import { before, test } from "node:test";
import { readNote, PUBLIC, type JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../../../../test/support/server/databases.ts";
import {
  useKith,
  type TestPerson,
} from "../../../../test/support/server/kith-server.ts";
import { remotePerson } from "../../../../test/support/remote/remote-people.ts";
import type {
  NotificationRecord,
  PostRecord,
} from "../../../../test/support/server/wire.ts";
import type { Person } from "../../../features/people/index.ts";
import { newGuid } from "../../../lib/guids.ts";
import { receiveNote } from "./receive-note.ts";
import { NO_LIMITS } from "../../../lib/limits/limits.ts";
import { createStrangers } from "../../inbound/strangers.ts";
import { createUris } from "../records/uris.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let ann: TestPerson;

  before(async () => {
    ann = await kith().person({ handle: "ann" });
  });

  async function receive(author: Person, more: JsonObject): Promise<string> {
    const { server, baseUrl, host, clock, db } = kith();
    const id = `https://remote.example/objects/${newGuid()}`;
    const note = readNote({
      id,
      type: "Note",
      attributedTo: author.addresses.actorUri ?? assert.fail(),
      to: [PUBLIC],
      ...more,
    });
    const deps = {
      ...server.features,
      clock,
      db,
      handleHost: host,
      strangers: createStrangers({
        ...server.features,
        limits: NO_LIMITS,
        factor: 1,
      }),
      uris: createUris(baseUrl),
      fetchDocument: async () => undefined,
      jsonLd: { compact: () => assert.fail("no document is fetched") },
      discoverActor: async () => undefined,
    };
    const reader = await server.features.people.find({ handle: `ann@${host}` });
    // A local person is related to it.
    const cc = [deps.uris.actor("ann")];
    await receiveNote(deps, { ...note, cc }, author, reader ?? null);
    return id;
  }

  test("sensitive marks, tags and mentions of a Note are found as in any text", async () => {
    const author = await remotePerson(kith(), "noter@remote.example");
    const { posts } = kith().server.features;
    const profile = `${kith().baseUrl}/u/ann`;
    const content = `<p><a href="${profile}" class="u-url mention">@ann</a> <a href="https://remote.example/tags/Stoat" rel="tag">#Stoat</a></p>`;
    const href = createUris(kith().baseUrl).actor("ann");
    const tag = [
      { type: "Mention", name: "@ann", href },
      { type: "Mention", name: "@ann", href: profile },
      { type: "Mention", name: "@x", href: "https://remote.example/users/x" },
      { type: "Hashtag", name: "#Stoat", href: "https://remote.example/s" },
    ];
    const sensitive = await receive(author, { content, tag, sensitive: true });
    const post = await posts.find({ uri: sensitive });
    assert.equal(post?.nsfw, true);
    const plain = await receive(author, { content: "<p>plain</p>" });
    assert.equal((await posts.find({ uri: plain }))?.nsfw, false);
    const answer = await receive(author, {
      content: "<p>@ann</p>",
      tag: tag.slice(0, 1),
      inReplyTo: plain,
    });
    await kith().settle();
    const notifications = await ann.get<NotificationRecord[]>("/notifications");
    const comment = await kith().server.features.comments.find({ uri: answer });
    assert.deepEqual(
      notifications.map(({ ShareableGuid }) => ShareableGuid).toSorted(),
      [post.guid, comment?.guid].toSorted(),
    );
    const found = await ann.get<PostRecord[]>("/tags/stoat/posts");
    assert.deepEqual(
      found.map(({ Guid }) => Guid),
      [post.guid],
    );
  });

  test("where a Note was written is kept, where it is a position", async () => {
    const author = await remotePerson(kith(), "walker@remote.example");
    const { posts } = kith().server.features;
    const placeOf = async (location: JsonObject) => {
      const uri = await receive(author, { content: "<p>x</p>", location });
      return (await posts.find({ uri }))?.location;
    };
    const position = { type: "Place", latitude: 48.2081741, longitude: 16 };
    assert.deepEqual(await placeOf({ ...position, name: "Vienna" }), {
      address: "Vienna",
      lat: "48.208174",
      lng: "16",
    });
    const address = {
      type: "PostalAddress",
      postalCode: "1010",
      addressLocality: "Wien",
      addressCountry: "Austria",
    };
    const postal = await placeOf({ ...position, address });
    assert.equal(postal?.address, "1010 Wien, Austria");
    assert.equal(await placeOf({ type: "Place", name: "Vienna" }), null);
    assert.equal(await placeOf({ ...position, latitude: 91 }), null);
  });

  test("a limited reply to a public post is shown to its recipients alone, and is no comment", async () => {
    const author = await remotePerson(kith(), "whisperer@remote.example");
    const { posts, comments } = kith().server.features;
    const root = await receive(author, { content: "<p>for all</p>" });
    const whisper = await receive(author, {
      content: "<p>for ann</p>",
      inReplyTo: root,
      to: [],
    });
    assert.equal(await comments.find({ uri: whisper }), undefined);
    const post = await posts.find({ uri: whisper });
    assert.equal(post?.public, false);
    const seen = await ann.get<PostRecord>(`/posts/${post.guid}`);
    assert.equal(seen.Text, "for ann");
    const bob = await kith().person();
    await bob.notFound("GET", `/posts/${post.guid}`);
    const open = await posts.find({ uri: root });
    const { Comments } = await bob.get<PostRecord>(`/posts/${open?.guid}`);
    assert.deepEqual(Comments, []);
  });
});
