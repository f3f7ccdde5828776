import type { ChildProcess } from "node:child_process";
import { KithError } from "../errors.ts";
import { childIsolate } from "../isolation/child-isolate.ts";
import { IsolatedTasks } from "../isolation/isolated-tasks.ts";
import {
  imageFormatOf,
  MAX_IMAGE_BYTES,
  type ImagePurpose,
  type ImageRequest,
  type ImageResponse,
  type ProcessedImage,
} from "./image.ts";
import { forkRestricted } from "../isolation/restricted-process.ts";

/** Decodes and re-encodes pictures in a separate process. */
export type ImageProcessor = {
  /**
   * @throws {KithError} `unsupported_media_type` for an unknown format,
   *   `too_large`, `bad_request` for a broken one, `unavailable` if the queue
   *   is full or the process died of it
   */
  process(bytes: Uint8Array, purpose: ImagePurpose): Promise<ProcessedImage>;
  /** The id of the child process, if one is running. */
  childId(): number | undefined;
  close(): void;
};

export type ImageProcessorOptions = {
  /** The time limit of one picture. */
  readonly deadlineMs?: number;
  /** How long an idle process is kept. */
  readonly idleMs?: number;
  /** How many pictures may wait. */
  readonly maxWaiting?: number;
};

const MAX_JAVASCRIPT_MB = 192;

const CHILD = new URL("./image-child.ts", import.meta.url);

/**
 * Runs one child process on demand, which takes one picture after the other.
 */
export function createImageProcessor({
  deadlineMs = 20_000,
  idleMs = 30_000,
  maxWaiting = 16,
}: ImageProcessorOptions = {}): ImageProcessor {
  let child: ChildProcess | undefined;
  const tasks = new IsolatedTasks<ImageRequest, ImageResponse>({
    start: (events) => {
      child = forkRestricted(CHILD, MAX_JAVASCRIPT_MB);
      return childIsolate(child, events, "The picture takes too much memory.");
    },
    ...{ deadlineMs, idleMs, maxWaiting },
    tooLong: "The picture took too long",
    tooMany: "Too many pictures wait",
  });
  return {
    process: async (bytes, purpose) => {
      if (bytes.length === 0)
        throw new KithError("bad_request", "There is no picture.");
      if (bytes.length > MAX_IMAGE_BYTES)
        throw new KithError(
          "too_large",
          `The picture must have at most ${MAX_IMAGE_BYTES} bytes.`,
        );
      if (imageFormatOf(bytes) === undefined)
        throw new KithError(
          "unsupported_media_type",
          "The file must be a picture: JPEG, PNG, GIF, WebP or AVIF.",
        );
      const response = await tasks.run({ bytes, purpose });
      if (response.kind === "image") return response.image;
      const code = response.kind === "broken" ? "bad_request" : "too_large";
      throw new KithError(
        code,
        `The picture cannot be used: ${response.reason}.`,
      );
    },
    childId: () => (child && isRunning(child) ? child.pid : undefined),
    close: () => tasks.close(),
  };
}

function isRunning({ killed, exitCode, signalCode }: ChildProcess): boolean {
  return !killed && exitCode === null && signalCode === null;
}
