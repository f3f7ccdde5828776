import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";

type Options = {
  /** `a` appends to a file that exists. */
  readonly flags?: "wx" | "a";
  readonly signal?: AbortSignal | undefined;
};

/**
 * Pipes streams into a file that only the server's user may read. Rejects only once the file
 * is closed: a stream opens its file asynchronously, and could otherwise create it after the
 * folder was removed.
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
