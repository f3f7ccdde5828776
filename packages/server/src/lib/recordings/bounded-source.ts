import { BufferSource } from "mediabunny";
import { RecordingRefused } from "./recording.ts";

/** Reads for a short file, and bytes of a longer one for each further read. */
const READS = 20_000;
const BYTES_PER_READ = 4;

/**
 * A file in memory that can be read so many times only: mediabunny 1.61 never
 * ends the search for the next part of a broken WebM at the end of the file.
 */
export class BoundedSource extends BufferSource {
  #readsLeft: number;

  constructor(bytes: Uint8Array) {
    super(bytes);
    this.#readsLeft = READS + Math.ceil(bytes.length / BYTES_PER_READ);
    const read = readerOf(this);
    Object.defineProperty(this, "_read", {
      value: (...args: unknown[]): unknown => {
        this.#readsLeft -= 1;
        if (this.#readsLeft < 0)
          throw new RecordingRefused("broken", "It cannot be read to its end");
        return read(...args);
      },
    });
  }
}

/** The library calls this for every read; its types do not declare it. */
function readerOf(source: BufferSource): (...args: unknown[]) => unknown {
  const read: unknown = Reflect.get(source, "_read");
  if (typeof read !== "function")
    throw new TypeError("mediabunny reads its sources in another way now");
  return (...args) => Reflect.apply(read, source, args) as unknown;
}
