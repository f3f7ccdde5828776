/** A recording is a sound or a video. The containers that are taken. */
export type RecordingFormat = "mp4" | "webm" | "mp3" | "ogg" | "flac" | "wav";

/** A recording in a new container, without the metadata of the old one. */
export type ProcessedRecording = {
  /** Such as `video/mp4`. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  /** Pixels as shown, after any rotation; 0 for a sound. */
  readonly width: number;
  readonly height: number;
  readonly durationMs: number;
  /** Frames per second; 0 for a sound. */
  readonly frameRate: number;
  /** Is it a video without a sound? */
  readonly isSilent: boolean;
};

/** Of one uploaded recording. */
export type RecordingLimits = {
  readonly maxBytes: number;
  readonly maxDurationMs: number;
};

/** The sides of the largest pictures that browsers decode on phones. */
export const MAX_FRAME_PIXELS = 3840 * 2160;
export const MAX_FRAMES_PER_SECOND = 120;

/** Bytes that `recordingFormatOf` needs. */
export const RECORDING_HEAD_BYTES = 16;

const PICTURE_BRANDS = ["avif", "avis", "heic", "heix", "heim", "mif1", "msf1"];

/**
 * Detects the container by the first bytes: the name and the declared type do
 * not count. Whether it can be played is decided when it is read.
 */
export function recordingFormatOf(
  bytes: Uint8Array,
): RecordingFormat | undefined {
  const head = Buffer.from(bytes.subarray(0, RECORDING_HEAD_BYTES));
  const text = head.toString("latin1");
  if (text.slice(4, 8) === "ftyp")
    return PICTURE_BRANDS.includes(text.slice(8, 12)) ? undefined : "mp4";
  if (text.startsWith("\x1aE\xdf\xa3")) return "webm";
  if (text.startsWith("OggS")) return "ogg";
  if (text.startsWith("fLaC")) return "flac";
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WAVE") return "wav";
  if (text.startsWith("ID3")) return "mp3";
  // A frame of MPEG audio, layer III.
  const [first = 0, second = 0] = head;
  return first === 0xff && (second & 0xe6) === 0xe2 ? "mp3" : undefined;
}

/** The request to the child process. */
export type RecordingRequest = {
  readonly bytes: Uint8Array;
  readonly format: RecordingFormat;
  readonly maxDurationMs: number;
};

/** The response of the child process. */
export type RecordingResponse =
  | { readonly kind: "recording"; readonly recording: ProcessedRecording }
  | { readonly kind: RecordingFault; readonly reason: string };

export type RecordingFault = "broken" | "too_large" | "unsupported";

/** A recording that is not taken. The reason is a sentence without a full stop. */
export class RecordingRefused extends Error {
  readonly kind: RecordingFault;
  constructor(kind: RecordingFault, reason: string) {
    super(reason);
    this.name = "RecordingRefused";
    this.kind = kind;
  }
}
