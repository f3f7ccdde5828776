import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { after, before, test } from "node:test";
import { PUBLIC } from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { idOf } from "../support/remote/proving-actor.ts";
import { RemoteServer } from "../support/remote/remote-server.ts";
import { befriend } from "../support/remote/several-servers.ts";
import type { PostRecord } from "../support/server/wire.ts";

const SILENCES: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "breaks off": (response) => void response.destroy(),
  "has too much to do": (response) => void response.writeHead(503).end(),
};

/** Ann, whom a local person follows, announces a post of Bob's on a third server. */
forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let third: RemoteServer;
  before(async () => {
    [remote, third] = await Promise.all([
      RemoteServer.start(),
      RemoteServer.start(),
    ]);
  });
  after(() => Promise.all([remote.close(), third.close()]));

  async function passOn(name: string) {
    const cid = await kith().person();
    const ann = remote.actor(`ann-${name}`);
    const bob = third.actor(`bob-${name}`);
    await befriend(cid, ann.handle, "ann");
    await kith().settle();
    const note = bob.note({ content: "To be passed on", to: [PUBLIC] });
    third.documents.set(idOf(note), { ...note });
    const path = new URL(idOf(note)).pathname;
    const announce = async () => {
      const to = [PUBLIC];
      const object = idOf(note);
      await ann.deliver(kith(), ann.activity("Announce", { object, to }));
      await kith().settle();
    };
    const countShares = async () => {
      const posts = await cid.get<PostRecord[]>("/posts");
      return posts.filter(({ Type }) => Type === "Reshare").length;
    };
    const earlier = await countShares();
    const shares = async () => (await countShares()) - earlier;
    return { path, announce, shares };
  }

  for (const [name, silence] of Object.entries(SILENCES))
    test(`an announced post whose server ${name} is fetched later`, async () => {
      const { path, announce, shares } = await passOn(name.replaceAll(" ", ""));
      third.answers.set(path, silence);
      await announce();
      assert.equal(await shares(), 0);
      third.answers.delete(path);
      await kith().settle();
      assert.equal(await shares(), 0);
      kith().clock.advance(10_000);
      await kith().settle();
      assert.equal(await shares(), 1);
    });

  test("a missing post is fetched once", async () => {
    const { path, announce, shares } = await passOn("gone");
    third.answers.set(path, (response) => response.writeHead(404).end());
    await announce();
    const asked = () => third.asked.filter((one) => one.path === path).length;
    const before = asked();
    kith().clock.advance(3_600_000);
    await kith().settle();
    assert.equal(asked(), before);
    assert.equal(await shares(), 0);
  });
});
