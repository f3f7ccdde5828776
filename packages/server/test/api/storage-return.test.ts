import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC } from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { DAY_MS } from "../support/server/test-clock.ts";
import type { PostRecord } from "../support/server/wire.ts";
import { idOf } from "../support/remote/proving-actor.ts";
import { RemoteServer } from "../support/remote/remote-server.ts";

type Results = { readonly Posts: readonly PostRecord[] };

forEachDatabase((kind) => {
  const kith = useKith(kind, { env: { KITH_REMOTE_POST_DAYS: "90" } });
  let remote: RemoteServer;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  const askFor = async (who: TestPerson, uri: string) => {
    const q = encodeURIComponent(uri);
    return (await who.get<Results>(`/search?q=${q}`)).Posts[0];
  };

  const passAndClean = async (who: TestPerson) => {
    kith().clock.advance(91 * DAY_MS);
    // Notes that the account was used, so that refusals after it write nothing.
    await who.get("/notifications");
    await kith().server.storage.clean({ pauseMs: 0 });
  };

  test("somebody who asks for a removed post gets it from its server, and edits and deletions of it hold", async () => {
    const who = await kith().person();
    const ann = remote.actor("ann");
    const note = ann.note({ content: "<p>worth a second look</p>" });
    remote.documents.set(idOf(note), note);
    const first = await askFor(who, idOf(note));
    assert.equal(first?.Text, "worth a second look");
    await passAndClean(who);
    await who.notFound("GET", `/posts/${first.Guid}`);
    const { people } = kith().server.features;
    assert.equal(await people.find({ handle: ann.handle }), undefined);
    assert.equal(remote.delivered.length, 0, "nobody is told");
    // An edit of what is not here changes nothing, as of any unknown post.
    const edited = {
      ...note,
      content: "<p>worth a third look</p>",
      updated: kith().clock.now().toISOString(),
    };
    const update = ann.activity("Update", { object: edited, to: [PUBLIC] });
    const { status } = await ann.send(kith(), update);
    assert.ok(status < 300, String(status));
    await kith().settle();
    remote.documents.set(idOf(note), edited);
    const again = await askFor(who, idOf(note));
    assert.equal(again?.Text, "worth a third look");
    assert.notEqual(again.ID, 0);
    await who.post(`/posts/${again.Guid}/comments`, { comment: "indeed" });
    await passAndClean(who);
    assert.equal((await askFor(who, idOf(note)))?.CommentsCount, 1);
    const object = { id: idOf(note), type: "Tombstone" };
    remote.documents.delete(idOf(note));
    await ann.deliver(kith(), ann.activity("Delete", { object, to: [PUBLIC] }));
    await who.notFound("GET", `/posts/${again.Guid}`);
    assert.equal(await askFor(who, idOf(note)), undefined);
  });
});
