import * as fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { readStages } from "./containerfile.ts";
import { runStages } from "./run-stages.ts";
import { canMakeRoots, rootSystem } from "./system-root.ts";
import { unseal, userSystem } from "./system-user.ts";
import type { System } from "./system.ts";
import { findEngine, tryImage } from "./try-image.ts";
import { tryStage } from "./try-stage.ts";

type Say = (text: string) => void;

/**
 * Builds the image of the Containerfile and runs a server in it, with a root that nothing can
 * write to. Without a container engine its steps run in trees of files on this system instead.
 * @param context a folder with the sources, and maybe other files
 * @throws where a step fails, or the server does not become healthy, or does not end well
 */
export async function tryContainer(context: string, say: Say): Promise<void> {
  const engine = findEngine();
  if (engine !== undefined) {
    say(`Building and running the image with ${engine}`);
    return tryImage(engine, context);
  }
  if (canMakeRoots()) {
    say("No container engine is here: running the steps of the image in roots");
    return tryStages(context, rootSystem, say);
  }
  say("No container engine is here, and no right to mount: running the steps");
  return tryStages(context, userSystem, say);
}

/** @throws as `tryContainer` does */
export async function tryStages(
  context: string,
  system: System,
  say: Say,
): Promise<void> {
  const work = fs.mkdtempSync(path.join(tmpdir(), "kith-container-"));
  try {
    // The user of the image reads files below.
    fs.chmodSync(work, 0o755);
    const file = path.join(context, "Containerfile");
    const stages = readStages(fs.readFileSync(file, "utf8"));
    const root = runStages(stages, context, { system, work, say });
    const stage = stages.at(-1);
    if (!stage) throw new Error("The Containerfile has no stage");
    system.seal(root, stage.folder);
    await tryStage(stage, (command) => system.launch(root, command));
  } finally {
    unseal(work);
    fs.rmSync(work, { recursive: true, force: true });
  }
}
