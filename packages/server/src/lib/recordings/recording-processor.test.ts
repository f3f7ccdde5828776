import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { parseBuffer } from "music-metadata";
import {
  readRecording,
  RECORDINGS,
  type RecordingName,
} from "../../../test/support/recordings.ts";
import { KithError, type ErrorCode } from "../errors.ts";
import {
  createRecordingProcessor,
  type RecordingProcessorOptions,
} from "./recording-processor.ts";

const LIMITS = { maxBytes: 1024 * 1024, maxDurationMs: 60_000 };
const NAMES = Object.keys(RECORDINGS) as RecordingName[];

const isRefused =
  (...codes: ErrorCode[]) =>
  (error: unknown) =>
    error instanceof KithError && codes.includes(error.code);

describe("the process that reads recordings", () => {
  const started: ReturnType<typeof createRecordingProcessor>[] = [];
  const start = (options: Partial<RecordingProcessorOptions> = {}) => {
    const recordings = createRecordingProcessor({ limits: LIMITS, ...options });
    started.push(recordings);
    return recordings;
  };
  const recordings = start();
  after(() => {
    for (const one of started) one.close();
  });

  for (const name of NAMES) {
    const { type, isVideo } = RECORDINGS[name];
    const isShort = name === "sound.flac" || name === "sound.wav";

    test(`${name} is written anew, as another reader confirms`, async () => {
      const made = await recordings.process(readRecording(name));
      assert.equal(made.mediaType, type);
      assert.deepEqual([made.width, made.height], isVideo ? [64, 48] : [0, 0]);
      assert.equal(made.isSilent, name === "silent.mp4");
      const length = isShort ? 300 : 1000;
      assert.ok(Math.abs(made.durationMs - length) < 120, `${made.durationMs}`);
      assert.ok(
        isVideo ? Math.abs(made.frameRate - 10) < 0.5 : made.frameRate === 0,
        `${made.frameRate}`,
      );
      const { format, common } = await parseBuffer(made.bytes, type, {
        duration: true,
      });
      // It knows no length of a video without a sound.
      if (!made.isSilent)
        assert.ok(
          Math.abs((format.duration ?? 0) * 1000 - length) < 120,
          `${format.duration}`,
        );
      assert.equal(Boolean(format.hasVideo), isVideo);
      assert.equal(format.hasAudio, name !== "silent.mp4");
      assert.deepEqual(
        [common.title, common.artist, common.comment, common.picture],
        [undefined, undefined, undefined, undefined],
      );
    });

    test(`nothing of the metadata of ${name} remains`, async () => {
      const given = readRecording(name);
      assert.ok(given.includes("Secret"));
      const { bytes } = await recordings.process(given);
      const words = ["Secret", "48.1372", "2021", "x264", "Lavf", "libvorbis"];
      for (const word of words)
        for (const encoding of ["latin1", "utf16le"] as const)
          assert.ok(
            !Buffer.from(bytes).includes(Buffer.from(word, encoding)),
            `${word} in ${encoding}`,
          );
      // The time of the planted metadata, since 1904 and in Matroska's nanoseconds.
      const at = Date.UTC(2021, 2, 4, 5, 6, 7);
      const since1904 = Buffer.alloc(4);
      since1904.writeUInt32BE(at / 1000 + 2_082_844_800);
      assert.ok(!Buffer.from(bytes).includes(since1904));
    });

    test(`a written ${name} can be written again`, async () => {
      const first = await recordings.process(readRecording(name));
      const second = await recordings.process(first.bytes);
      assert.equal(second.mediaType, first.mediaType);
      assert.ok(Math.abs(second.durationMs - first.durationMs) < 60);
    });
  }

  test("other codecs, other files and empty ones are refused", async () => {
    for (const bytes of [
      readRecording("hevc.mp4"),
      Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
      Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
      Buffer.alloc(0),
    ])
      await assert.rejects(
        recordings.process(bytes),
        isRefused("unsupported_media_type"),
      );
  });

  test("a recording above a limit is refused", async () => {
    const bytes = readRecording("video.mp4");
    const small = start({ limits: { ...LIMITS, maxBytes: 5000 } });
    await assert.rejects(small.process(bytes), isRefused("too_large"));
    const short = start({ limits: { ...LIMITS, maxDurationMs: 500 } });
    for (const name of NAMES) {
      if (name === "sound.flac" || name === "sound.wav") continue;
      await assert.rejects(
        short.process(readRecording(name)),
        isRefused("too_large"),
        name,
      );
    }
  });

  for (const [title, bytes] of Object.entries(hostileFiles()))
    test(`${title} is refused, and the next recording is read`, async () => {
      await assert.rejects(
        recordings.process(bytes),
        isRefused(
          ...(["bad_request", "too_large", "unsupported_media_type"] as const),
        ),
      );
      await recordings.process(readRecording("sound.mp3"));
    });

  test("a file that takes too long is given up", async () => {
    const hasty = start({ deadlineMs: 1 });
    await assert.rejects(
      hasty.process(readRecording("video.mp4")),
      isRefused("unavailable"),
    );
  });
});

function hostileFiles(): Record<string, Buffer> {
  const video = readRecording("video.mp4");
  const box = (name: string, ...content: Buffer[]) => {
    const body = Buffer.concat(content);
    const head = Buffer.alloc(8);
    head.writeUInt32BE(body.length + 8);
    head.write(name, 4, "latin1");
    return Buffer.concat([head, body]);
  };
  const ftyp = video.subarray(0, 32);
  let nested = box("trak");
  for (let depth = 0; depth < 2000; depth += 1) nested = box("moov", nested);
  const zeroes = Buffer.alloc(8);
  zeroes.write("moov", 4, "latin1");
  zeroes.writeUInt32BE(1);
  const track = video.subarray(
    video.indexOf("trak") - 4,
    video.indexOf("trak") - 4 + video.readUInt32BE(video.indexOf("trak") - 4),
  );
  return {
    "a video without its end": video.subarray(0, 900),
    "a head alone": ftyp,
    "a box of size zero in a loop": Buffer.concat([
      ftyp,
      ...Array<Buffer>(1000).fill(zeroes),
    ]),
    "boxes in boxes": Buffer.concat([ftyp, nested]),
    "a table of four billion samples": overwritten(video, "stsz", 12),
    "a table of four billion times": overwritten(video, "stts", 8),
    "a table of four billion chunks": overwritten(video, "stco", 8),
    "a video of years": overwritten(video, "stts", 16),
    "thousands of tracks": Buffer.concat([
      ftyp,
      box("moov", ...Array<Buffer>(800).fill(track)),
    ]),
    "a video with a unit behind its packet": overwritten(
      video,
      "\x06\x05\xff",
      -4,
    ),
    "an endless element of Matroska": Buffer.concat([
      readRecording("video.webm").subarray(0, 60),
      Buffer.alloc(200, 0xff),
    ]),
    "pages of Ogg without an end": Buffer.concat(
      Array<Buffer>(2000).fill(readRecording("sound.ogg").subarray(0, 58)),
    ),
  };
}

/** Writes the largest number into a field of each box of this name. */
function overwritten(file: Buffer, name: string, offset: number): Buffer {
  const bytes = Buffer.from(file);
  let at = bytes.indexOf(name, 0, "latin1");
  for (; at !== -1; at = bytes.indexOf(name, at + 4, "latin1"))
    bytes.writeUInt32BE(0xffffffff, at + offset);
  return bytes;
}
