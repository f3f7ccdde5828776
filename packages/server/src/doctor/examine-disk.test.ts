import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { examineDisk } from "./examine-disk.ts";

test("a missing data directory is no full disk", async () => {
  const dataDir = path.join(import.meta.dirname, "none");
  const { state, says, advice } = await examineDisk(dataDir);
  assert.equal(state, "failed");
  assert.match(says, /no data directory/);
  assert.match(advice ?? "", /KITH_DATA_DIR/);
  assert.doesNotMatch(advice ?? "", /Free some space/);
});
