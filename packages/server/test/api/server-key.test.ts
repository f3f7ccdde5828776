import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const rename = (from: string, to: string) =>
    kith().db.transaction((tx) =>
      sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(
        tx,
      ),
    );

  test("a fault of the database when the server's key is first asked for ends with the fault", async () => {
    const ask = async () =>
      (await fetch(`${kith().baseUrl}/api/v1/ap/instance`)).status;
    await rename("server_keys", "server_keys_away");
    assert.equal(await ask(), 500);
    await rename("server_keys_away", "server_keys");
    assert.equal(await ask(), 200);
  });
});
