import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { useKith } from "../../packages/server/test/support/server/kith-server.ts";
import { ParameterWalk } from "./parameter-walk.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind, { env: { KITH_INVITATIONS: "users" } });

  test("each invalid parameter of each operation is refused by name, and nothing changes", async (t) => {
    const walk = await ParameterWalk.open(kith());
    assert.deepEqual(walk.notViolated, []);
    const faults = await walk.run();
    t.diagnostic(`${walk.calls} calls`);
    assert.deepEqual(faults, []);
    assert.deepEqual(
      walk.kept,
      [],
      "a cache may keep what a token is answered",
    );
  });
});
