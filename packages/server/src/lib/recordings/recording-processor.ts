import { KithError, type ErrorCode } from "../errors.ts";
import { childIsolate } from "../isolation/child-isolate.ts";
import { IsolatedTasks } from "../isolation/isolated-tasks.ts";
import { forkRestricted } from "../isolation/restricted-process.ts";
import {
  recordingFormatOf,
  type ProcessedRecording,
  type RecordingFault,
  type RecordingLimits,
  type RecordingRequest,
  type RecordingResponse,
} from "./recording.ts";

/** Reads and rewrites recordings in a separate process. */
export type RecordingProcessor = {
  readonly limits: RecordingLimits;
  /**
   * @throws {KithError} `unsupported_media_type` for an unknown format or codec,
   *   `too_large`, `bad_request` for a broken one, `unavailable` if the queue
   *   is full or the process died of it
   */
  process(bytes: Uint8Array): Promise<ProcessedRecording>;
  close(): void;
};

export type RecordingProcessorOptions = {
  readonly limits: RecordingLimits;
  /** The time limit of one recording. */
  readonly deadlineMs?: number;
  /** How long an idle process is kept. */
  readonly idleMs?: number;
  /** How many recordings may wait. */
  readonly maxWaiting?: number;
};

const MAX_JAVASCRIPT_MB = 256;

const CHILD = new URL("./recording-child.ts", import.meta.url);

const CODES: Readonly<Record<RecordingFault, ErrorCode>> = {
  broken: "bad_request",
  too_large: "too_large",
  unsupported: "unsupported_media_type",
};

/**
 * Runs one child process on demand, which takes one recording after the other.
 */
export function createRecordingProcessor({
  limits,
  deadlineMs = 20_000,
  idleMs = 30_000,
  maxWaiting = 8,
}: RecordingProcessorOptions): RecordingProcessor {
  const tasks = new IsolatedTasks<RecordingRequest, RecordingResponse>({
    start: (events) =>
      childIsolate(
        forkRestricted(CHILD, MAX_JAVASCRIPT_MB),
        events,
        "The recording takes too much memory.",
      ),
    ...{ deadlineMs, idleMs, maxWaiting },
    tooLong: "The recording took too long",
    tooMany: "Too many recordings wait",
  });
  const { maxBytes, maxDurationMs } = limits;
  return {
    limits,
    process: async (bytes) => {
      if (bytes.length > maxBytes)
        throw new KithError(
          "too_large",
          `The recording must have at most ${maxBytes} bytes.`,
        );
      const format = recordingFormatOf(bytes);
      if (format === undefined)
        throw new KithError(
          "unsupported_media_type",
          "The file must be a recording: MP4, WebM, MP3, Ogg, FLAC or WAVE.",
        );
      const response = await tasks.run({ bytes, format, maxDurationMs });
      if (response.kind === "recording") return response.recording;
      throw new KithError(
        CODES[response.kind],
        `The recording cannot be used: ${response.reason}.`,
      );
    },
    close: () => tasks.close(),
  };
}
