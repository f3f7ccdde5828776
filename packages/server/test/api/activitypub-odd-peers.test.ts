import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertError } from "../support/server/api-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  actorOf,
  submitAndApply,
  sendFollow,
} from "../support/remote/linked-data.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import type { PersonRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let names = 0;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  const stranger = (): RemoteActor => remote.actor(`odd${++names}`);
  const followed = async (by: TestPerson): Promise<RemoteActor> => {
    const other = stranger();
    await sendFollow(kith(), by, other);
    return other;
  };

  test("an actor that changes its handle is the one who it was, under the new one", async () => {
    const ann = await kith().person();
    const eve = await followed(ann);
    const { people } = kith().server.features;
    const before = await people.find({ uri: eve.id });
    // By this name its server knows it now.
    const renamed = stranger();
    Object.defineProperty(renamed, "id", { value: eve.id });
    eve.profile = { preferredUsername: renamed.name, name: "Eve anew" };
    const object = eve.document();
    await eve.deliver(kith(), eve.activity("Update", { object }));
    const after = await people.find({ uri: eve.id });
    assert.equal(after?.id, before?.id);
    assert.equal(after?.handle, renamed.handle);
    const { handle } = renamed;
    const shown = await ann.post<PersonRecord>("/search", { handle });
    assert.equal(shown.Guid, before?.guid);
    const again = { type: "Follow", object: eve.id };
    const follows = () => remote.ofType("Follow").length;
    const sent = follows();
    await submitAndApply(kith(), ann, again);
    await kith().settle();
    assert.equal(follows(), sent, "it is followed already");
  });

  test("a Note that answers itself is the root of its thread", async () => {
    const ann = await kith().person();
    const eve = await followed(ann);
    const note = eve.note({ content: "<p>round</p>" });
    const uri = note["id"] as string;
    const object = { ...note, inReplyTo: uri };
    await eve.deliver(kith(), eve.activity("Create", { object }));
    const post = await kith().server.features.posts.find({ uri });
    assert.equal(post?.text, "round");
  });

  test("a signature by a key of this server is none, and counts as one", async () => {
    const [ann, eve] = [await kith().person(), stranger()];
    const like = () => eve.activity("Like", { object: "https://x.example/1" });
    const path = `${actorOf(kith(), ann.username)}/actor#main-key`;
    for (const keyId of [path, `${kith().baseUrl}/nowhere#key`]) {
      const answer = await eve.send(kith(), like(), { keyId });
      assertError(answer, 401, "Unauthorized", keyId);
    }
  });
});
