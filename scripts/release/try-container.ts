import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { readStages } from "./containerfile.ts";
import { findEngine, tryImage } from "./try-image.ts";
import { tryInRoots } from "./try-in-roots.ts";

/**
 * Builds the image of the Containerfile and runs a server in it, with a root that nothing can
 * write to. Without a container engine its steps run in roots made of this system instead.
 * @param archive a tar of the tracked files
 * @throws where a step fails, or the server does not become healthy, or does not end well
 */
export async function tryContainer(
  archive: string,
  say: (text: string) => void,
): Promise<void> {
  const folder = fs.mkdtempSync(path.join(tmpdir(), "kith-container-"));
  try {
    const context = path.join(folder, "context");
    fs.mkdirSync(context);
    execFileSync("tar", ["-xf", archive, "-C", context]);
    const engine = findEngine();
    if (engine !== undefined) {
      say(`Building and running the image with ${engine}`);
      return await tryImage(engine, context);
    }
    say("No container engine is here: running the steps of the image in roots");
    const text = fs.readFileSync(path.join(context, "Containerfile"), "utf8");
    await tryInRoots(readStages(text), context, folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
