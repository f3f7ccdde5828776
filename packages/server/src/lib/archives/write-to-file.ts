import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";

type Options = {
  /** `a` appends to a file that exists. */
  readonly flags?: "wx" | "a";
  readonly signal?: AbortSignal | undefined;
};

/**
 * Writes what the last of these streams gives into a file that only the server's user reads.
 * Where it fails, it has let go of the file: a stream opens its file late, and would else
 * create it after a removal of the folder.
 */
export async function writeToFile(
  file: string,
  streams: readonly [AsyncIterable<unknown>, ...NodeJS.ReadWriteStream[]],
  { flags = "wx", signal }: Options = {},
): Promise<void> {
  const sink = createWriteStream(file, { flags, mode: 0o600 });
  const closed = new Promise((resolve) => sink.once("close", resolve));
  try {
    await pipeline([...streams, sink], { ...(signal && { signal }) });
  } catch (error) {
    await closed;
    throw error;
  }
}
