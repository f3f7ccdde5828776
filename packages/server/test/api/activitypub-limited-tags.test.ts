import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import {
  submitAndApply,
  objectOf,
  readDocument,
} from "../support/remote/linked-data.ts";
import { RemoteServer } from "../support/remote/remote-server.ts";
import type {
  AspectRecord,
  PersonRecord,
  PostRecord,
} from "../support/server/wire.ts";

/** A server with this software in its NodeInfo. */
async function startAs(software: string): Promise<RemoteServer> {
  const remote = await RemoteServer.start();
  const rel = "http://nodeinfo.diaspora.software/ns/schema/2.0";
  const href = `${remote.origin}/nodeinfo/2.0`;
  remote.documents.set(`${remote.origin}/.well-known/nodeinfo`, {
    links: [{ rel, href }],
  });
  remote.documents.set(href, { software: { name: software } });
  return remote;
}

const mentionsIn = (value: JsonValue | undefined): JsonValue[] =>
  isJsonObject(value) && isJsonArray(value["tag"])
    ? value["tag"].flatMap((tag) =>
        isJsonObject(tag) && tag["type"] === "Mention" ? [tag] : [],
      )
    : [];

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let servers: Record<"gotosocial" | "hollo" | "mastodon", RemoteServer>;
  before(async () => {
    servers = {
      gotosocial: await startAs("gotosocial"),
      hollo: await startAs("hollo"),
      mastodon: await startAs("mastodon"),
    };
  });
  after(async () => {
    for (const server of Object.values(servers)) await server.close();
  });

  for (const name of ["gotosocial", "hollo"] as const)
    test(`a limited post and comment name the readers of ${name} by tags, Mastodon's not`, async () => {
      await expectTagged(servers[name]);
    });

  async function expectTagged(tagging: RemoteServer): Promise<void> {
    const ann = await kith().person();
    const { mastodon } = servers;
    const [gus, mia] = [tagging.actor("gus"), mastodon.actor("mia")];
    const { ID: aspectID } = await ann.post<AspectRecord>("/aspects", {
      name: "few",
    });
    for (const { id, handle } of [gus, mia]) {
      await submitAndApply(kith(), ann, { type: "Follow", object: id });
      const { ID } = await ann.post<PersonRecord>("/search", { handle });
      await ann.post(`/people/${ID}/aspects/${aspectID}`);
    }
    await kith().settle();
    const newest = (remote: RemoteServer): JsonObject => {
      const object = remote.ofType("Create").at(-1)?.activity["object"];
      assert.ok(isJsonObject(object));
      return object;
    };
    const tag = { type: "Mention", name: `@${gus.handle}`, href: gus.id };
    const expectTags = async (guid: string) => {
      assert.deepEqual(mentionsIn(newest(tagging)), [tag]);
      assert.deepEqual(newest(tagging)["to"], [gus.id]);
      assert.deepEqual(mentionsIn(newest(mastodon)), []);
      assert.deepEqual(newest(mastodon)["to"], [mia.id]);
      const url = objectOf(kith(), guid);
      assert.deepEqual(mentionsIn(readDocument(await gus.get(kith(), url))), [
        tag,
      ]);
      assert.deepEqual(
        mentionsIn(readDocument(await mia.get(kith(), url))),
        [],
      );
    };

    const post = await ann.post<PostRecord>("/posts", {
      post: "for few",
      aspectID,
    });
    await kith().settle();
    await expectTags(post.Guid);

    const comment = await ann.post<{ Guid: string }>(
      `/posts/${post.ID}/comments`,
      { comment: "and this" },
    );
    await kith().settle();
    assert.equal(newest(tagging)["inReplyTo"], objectOf(kith(), post.Guid));
    await expectTags(comment.Guid);

    await ann.post("/posts", { post: "for everyone" });
    await kith().settle();
    assert.deepEqual(mentionsIn(newest(tagging)), []);
  }
});
