import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import { useKith } from "../../../test/support/server/kith-server.ts";
import {
  remotePerson,
  remotePost,
} from "../../../test/support/remote/remote-people.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);

  test("of reshares of a post by one person that arrive at once, one is stored and the others are refused", async () => {
    const { posts } = kith().server.features;
    const author = await remotePerson(kith(), "author@reshared.example");
    const ann = await remotePerson(kith(), "ann@reshared.example");
    const receiveTogether = (make: () => ReturnType<typeof remotePost>) =>
      Promise.all(Array.from({ length: 8 }, () => posts.receive(make())));
    // On PostgreSQL this also opens the connections.
    const [root] = await receiveTogether(() => remotePost(author));
    assert.ok(root?.kind === "stored");
    const { guid: rootGuid, personId: rootPersonId } = root.value;
    const of = { type: "reshare", rootGuid, rootPersonId } as const;
    const received = await receiveTogether(() => remotePost(ann, of));
    const countOf = (wanted: string) =>
      received.filter((one) => one.kind === wanted).length;
    assert.deepEqual([countOf("stored"), countOf("refused")], [1, 7]);
    const stored = received.find((one) => one.kind === "stored");
    const found = await posts.findReshareOf(rootGuid, ann.id);
    assert.equal(found?.guid, stored?.value.guid);
  });
});
