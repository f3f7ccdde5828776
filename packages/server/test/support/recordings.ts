import { readFileSync } from "node:fs";

/** The small recordings of `recordings/README.md`. */
export const RECORDINGS = {
  "video.mp4": { type: "video/mp4", isVideo: true },
  "silent.mp4": { type: "video/mp4", isVideo: true },
  "video.mov": { type: "video/mp4", isVideo: true },
  "video.webm": { type: "video/webm", isVideo: true },
  "vp9.webm": { type: "video/webm", isVideo: true },
  "sound.mp3": { type: "audio/mpeg", isVideo: false },
  "sound.ogg": { type: "audio/ogg", isVideo: false },
  "opus.ogg": { type: "audio/ogg", isVideo: false },
  "sound.m4a": { type: "audio/mp4", isVideo: false },
  "sound.flac": { type: "audio/flac", isVideo: false },
  "sound.wav": { type: "audio/wav", isVideo: false },
} as const;

export type RecordingName = keyof typeof RECORDINGS;

export function readRecording(name: RecordingName | "hevc.mp4"): Buffer {
  return readFileSync(new URL(`./recordings/${name}`, import.meta.url));
}
