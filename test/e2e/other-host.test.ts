import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { ApiClient } from "../support/api-client.ts";
import { spawnKith } from "../support/kith-command.ts";
import { eventually, KithProcess } from "../support/kith-process.ts";

const WARNING = /The addresses of the people here end with @\S+, but/;

test("a server warns at its start that its people have addresses of another host", async () => {
  const kith = await KithProcess.start({
    database: "sqlite",
    protocols: "activitypub",
  });
  try {
    await ApiClient.signUp(kith.baseUrl, "alice");
    await kith.stop();
    await kith.start();
    assert.doesNotMatch(kith.output, WARNING);
    await kith.stop();
    const moved = spawnKith(["serve"], {
      ...kith.settings,
      KITH_BASE_URL: "https://other.example",
    });
    const ended = once(moved, "exit");
    let output = "";
    for (const stream of [moved.stdout, moved.stderr])
      stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
    await eventually(async () => assert.match(output, WARNING));
    assert.match(output, /KITH_BASE_URL says other\.example\./);
    moved.kill("SIGINT");
    assert.deepEqual(await ended, [0, null]);
  } finally {
    await kith.remove();
  }
});
