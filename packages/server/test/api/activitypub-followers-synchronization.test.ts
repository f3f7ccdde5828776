import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { followersDigest } from "@kith/activitypub";
import { assertError } from "../support/server/api-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { actorOf, ask } from "../support/remote/linked-data.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let [near, far]: RemoteServer[] = [];
  let names = 0;
  before(async () => {
    near = await RemoteServer.start();
    far = await RemoteServer.start();
  });
  after(() => Promise.all([near?.close(), far?.close()]));

  const actor = (person: TestPerson) => actorOf(kith(), person.username);
  const stranger = (at: RemoteServer | undefined): RemoteActor =>
    at?.actor(`sync${++names}`) ?? assert.fail();
  const followerOf = async (
    person: TestPerson,
    at: RemoteServer | undefined,
  ) => {
    const follower = stranger(at);
    const object = actor(person);
    await follower.deliver(kith(), follower.activity("Follow", { object }));
    return follower;
  };
  /** The header of the last Create received by a server. */
  const saidTo = (at: RemoteServer | undefined) =>
    at?.ofType("Create").at(-1)?.headers ?? assert.fail("nothing came");
  const partOf = (person: TestPerson) =>
    `${actor(person)}/followers_synchronization`;
  const readPart = async (by: RemoteActor, person: TestPerson) => {
    const { status, text } = await by.get(kith(), partOf(person));
    assert.equal(status, 200, text);
    return JSON.parse(text) as { orderedItems: string[]; totalItems: number };
  };

  test("each server gets the digest of its own followers, signed", async () => {
    const ann = await kith().person();
    const [eve, fay, gus] = [
      await followerOf(ann, near),
      await followerOf(ann, near),
      await followerOf(ann, far),
    ];
    await ann.post("/posts", { post: "to all who follow" });
    await kith().settle();
    for (const [at, those] of [
      [near, [eve, fay]],
      [far, [gus]],
    ] as const) {
      const headers = saidTo(at);
      const digest = followersDigest(those.map(({ id }) => id));
      assert.equal(
        headers["collection-synchronization"],
        `collectionId="${actor(ann)}/followers", url="${partOf(ann)}", digest="${digest}"`,
      );
      const signed = /headers="([^"]*)"/.exec(String(headers["signature"]));
      assert.match(signed?.[1] ?? "", /\bcollection-synchronization\b/);
    }
    for (const { id } of [eve, fay])
      assert.ok(id.startsWith(near?.origin ?? "-"));
    const sorted = (ids: readonly string[]) => [...ids].sort();
    const part = await readPart(eve, ann);
    assert.deepEqual(sorted(part.orderedItems), sorted([eve.id, fay.id]));
    assert.equal(part.totalItems, 2);
    assert.deepEqual((await readPart(gus, ann)).orderedItems, [gus.id]);
  });

  test("an unfollower is in neither, and limited posts have no digest", async () => {
    const ann = await kith().person();
    const [eve, fay] = [
      await followerOf(ann, near),
      await followerOf(ann, near),
    ];
    const follow = { type: "Follow", actor: eve.id, object: actor(ann) };
    await eve.deliver(kith(), eve.activity("Undo", { object: follow }));
    await ann.post("/posts", { post: "once more" });
    await kith().settle();
    const said = String(saidTo(near)["collection-synchronization"]);
    assert.ok(said.includes(followersDigest([fay.id])), said);
    assert.deepEqual((await readPart(eve, ann)).orderedItems, [fay.id]);
    const [accept] = near?.ofType("Accept") ?? [];
    assert.equal(accept?.headers["collection-synchronization"], undefined);
  });

  test("the partial collection is only for servers: others learn nothing, about any server", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    await followerOf(ann, near);
    const path = partOf(ann);
    for (const by of [null, ann, bob])
      assertError(await ask(path, by), 404, "Not found", by?.username ?? "-");
    assert.deepEqual((await readPart(stranger(far), ann)).orderedItems, []);
    const nobody = path.replace(ann.username, "nobody");
    const answer = await stranger(far).get(kith(), nobody);
    assertError(answer, 404, "Not found", nobody);
  });
});
