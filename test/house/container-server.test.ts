import { test } from "node:test";
import { root } from "../../scripts/project-files.ts";
import { tryContainer } from "../../scripts/release/container/try-container.ts";

// With a container engine it builds the image and runs it, without one it runs the steps of
// the Containerfile on this system. It takes half a minute.

test("a server of the Containerfile becomes healthy on a root that cannot be written to, and ends", async (t) => {
  await tryContainer(root, (text) => t.diagnostic(text));
});
