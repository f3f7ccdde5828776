import assert from "node:assert/strict";
import { test } from "node:test";
import type { Audience } from "../../src/features/audiences/index.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

const AUDIENCES: readonly Audience[] = [
  { kind: "aspects", aspectIds: [] },
  { kind: "people", personIds: [] },
];

forEachDatabase((database) => {
  const kith = useKith(database);

  for (const audience of AUDIENCES)
    test(`an audience of no ${audience.kind} is refused, and nothing is stored (${database})`, async () => {
      const { record } = await kith().person();
      const author = { personId: record.ID, userId: record.UserID };
      const before = await kith().snapshot();
      await assert.rejects(
        kith().server.features.posts.publish({ author, text: "x", audience }),
        { name: "KithError", code: "bad_request" },
      );
      assert.deepEqual(await kith().snapshot(), before);
    });
});
