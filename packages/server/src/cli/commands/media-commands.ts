import type { FolderSize, MediaStore } from "../../lib/media/media-store.ts";
import { moveMedia } from "../../lib/media/move-media.ts";
import { inUnits } from "../in-units.ts";
import type { Progress } from "../show-progress.ts";
import { UsageError, type CommandOptions, type Write } from "../usage.ts";

export type MediaCommandCall = {
  readonly folder: MediaStore;
  /** null without an object store. */
  readonly objects: MediaStore | null;
  readonly words: readonly string[];
  readonly options: CommandOptions;
  readonly write: Write;
  readonly progress: Progress;
};

const USAGE = "kith media, kith media move, kith media move back";

/** `kith media …` @throws {UsageError} */
export async function runMediaCommand(call: MediaCommandCall): Promise<void> {
  const [first, second, ...more] = call.words;
  if (more.length > 0) throw new UsageError(USAGE);
  if (first === undefined) return show(call);
  if (first !== "move" || (second !== undefined && second !== "back"))
    throw new UsageError(USAGE);
  return move(call, second === "back");
}

async function show(call: MediaCommandCall): Promise<void> {
  const { folder, objects, options, write } = call;
  const inFolder = await folder.measure();
  const inStore = objects && (await objects.measure());
  if (options.json)
    return write(JSON.stringify({ folder: inFolder, objects: inStore }));
  write(`In the data directory: ${describe(inFolder)}.`);
  write(
    inStore
      ? `In the object store: ${describe(inStore)}.`
      : "There is no object store (KITH_MEDIA_URL).",
  );
}

async function move(call: MediaCommandCall, isBack: boolean): Promise<void> {
  const { folder, objects, options, write, progress } = call;
  if (!objects)
    throw new UsageError(
      "Set KITH_MEDIA_URL to the object store that uploads go to, or come back from.",
    );
  const [from, to] = isBack ? [objects, folder] : [folder, objects];
  const all = await from.measure();
  const moved = await moveMedia(from, to, (done) =>
    progress(describe(done), done.bytes / Math.max(1, all.bytes)),
  );
  if (options.json) return write(JSON.stringify(moved));
  write(`Moved: ${describe(moved)}.`);
  if (isBack)
    write(
      "Restart Kith without KITH_MEDIA_URL, and run this once more with it: for what was uploaded meanwhile.",
    );
}

function describe({ files, bytes }: FolderSize): string {
  return `${files} files, ${inUnits(bytes)}`;
}
