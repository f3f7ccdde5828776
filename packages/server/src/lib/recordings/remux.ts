import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FLAC,
  FlacOutputFormat,
  Input,
  MP3,
  MP4,
  Mp3OutputFormat,
  Mp4OutputFormat,
  OGG,
  OggOutputFormat,
  Output,
  QTFF,
  WAVE,
  WavOutputFormat,
  WEBM,
  WebMOutputFormat,
  type AudioCodec,
  type EncodedPacket,
  type InputAudioTrack,
  type InputFormat,
  type InputVideoTrack,
  type OutputFormat,
  type VideoCodec,
} from "mediabunny";
import {
  MAX_FRAME_PIXELS,
  MAX_FRAMES_PER_SECOND,
  RecordingRefused,
  type ProcessedRecording,
  type RecordingFormat,
  type RecordingRequest,
} from "./recording.ts";
import { BoundedSource } from "./bounded-source.ts";
import { checkMp4 } from "./check-mp4.ts";
import { stripUserData, stripVorbisComments } from "./strip-metadata.ts";

type Container = {
  readonly inputs: readonly InputFormat[];
  readonly output: () => OutputFormat;
  readonly video: readonly VideoCodec[];
  readonly sound: readonly AudioCodec[];
  readonly soundType: string;
  /** Names of the codecs, for the author. */
  readonly taken: string;
};

/** Only codecs that every current browser plays. */
const CONTAINERS: Readonly<Record<RecordingFormat, Container>> = {
  mp4: {
    inputs: [MP4, QTFF],
    output: () => new Mp4OutputFormat({ fastStart: "in-memory" }),
    video: ["avc"],
    sound: ["aac", "mp3"],
    soundType: "audio/mp4",
    taken: "H.264 and AAC or MP3",
  },
  webm: {
    inputs: [WEBM],
    output: () => new WebMOutputFormat(),
    video: ["vp8", "vp9", "av1"],
    sound: ["opus", "vorbis"],
    soundType: "audio/webm",
    taken: "VP8, VP9 or AV1 and Opus or Vorbis",
  },
  mp3: {
    inputs: [MP3],
    output: () => new Mp3OutputFormat(),
    video: [],
    sound: ["mp3"],
    soundType: "audio/mpeg",
    taken: "MP3",
  },
  ogg: {
    inputs: [OGG],
    output: () => new OggOutputFormat(),
    video: [],
    sound: ["opus", "vorbis"],
    soundType: "audio/ogg",
    taken: "Opus or Vorbis",
  },
  flac: {
    inputs: [FLAC],
    output: () => new FlacOutputFormat(),
    video: [],
    sound: ["flac"],
    soundType: "audio/flac",
    taken: "FLAC",
  },
  wav: {
    inputs: [WAVE],
    output: () => new WavOutputFormat(),
    video: [],
    sound: ["pcm-u8", "pcm-s16", "pcm-s24", "pcm-f32"],
    soundType: "audio/wav",
    taken: "PCM",
  },
};

/** A phone writes some four tracks. */
const MAX_TRACKS = 32;
/** Containers add a little to each packet; none shrinks a packet. */
const MAX_GROWTH_BYTES = 64 * 1024;

/**
 * Copies the packets of the first video and the first sound into a new
 * container. All else stays behind: names, places, times, covers, subtitles,
 * and tracks of sensors.
 * @throws {RecordingRefused}
 * @throws any error of the library, for a broken file
 */
export async function remux({
  bytes,
  format,
  maxDurationMs,
}: RecordingRequest): Promise<ProcessedRecording> {
  const container = CONTAINERS[format];
  if (format === "mp4") checkMp4(bytes);
  const { video, sound } = await chooseTracks(bytes, container);
  const output = new Output({
    format: container.output(),
    target: new BufferTarget(),
  });
  const limits: CopyLimits = {
    bytesLeft: bytes.length + MAX_GROWTH_BYTES,
    maxDurationMs,
  };
  const copies = [
    ...(video ? [await addVideo(output, video, limits)] : []),
    ...(sound ? [await addSound(output, sound, limits)] : []),
  ];
  await output.start();
  const copied = await Promise.all(copies.map((copy) => copy()));
  await output.finalize();
  const { buffer } = output.target;
  const durationMs = Math.max(...copied.map((one) => one.durationMs));
  if (!buffer || durationMs <= 0)
    throw new RecordingRefused("broken", "It has no length");
  return {
    bytes: new Uint8Array(buffer),
    durationMs,
    isSilent: sound === undefined,
    ...(video
      ? await describeVideo(video, copied[0]?.packets ?? 0, durationMs)
      : { width: 0, height: 0, frameRate: 0 }),
    mediaType: video ? `video/${format}` : container.soundType,
  };
}

async function chooseTracks(
  bytes: Uint8Array,
  { inputs, video: pictures, sound: sounds, taken }: Container,
): Promise<{
  readonly video: InputVideoTrack | undefined;
  readonly sound: InputAudioTrack | undefined;
}> {
  const input = new Input({
    source: new BoundedSource(bytes),
    formats: [...inputs],
  });
  const tracks = await input.getTracks();
  if (tracks.length > MAX_TRACKS)
    throw new RecordingRefused("too_large", "It has too many tracks");
  if (tracks.length === 0)
    throw new RecordingRefused("broken", "It has no tracks");
  let hasOtherVideo = false;
  let hasOtherSound = false;
  let video: InputVideoTrack | undefined;
  let sound: InputAudioTrack | undefined;
  for (const track of tracks)
    if (track.isVideoTrack()) {
      const codec = await track.getCodec();
      if (codec === null || !pictures.includes(codec)) hasOtherVideo = true;
      else video ??= track;
    } else if (track.isAudioTrack()) {
      const codec = await track.getCodec();
      if (codec === null || !sounds.includes(codec)) hasOtherSound = true;
      else sound ??= track;
    }
  const isMuted = hasOtherSound && !sound;
  const isBlind = hasOtherVideo && !video && pictures.length > 0;
  if (isMuted || isBlind || (!video && !sound))
    throw new RecordingRefused("unsupported", `It must have ${taken}`);
  return { video, sound };
}

/** The limits of both tracks together. */
type CopyLimits = { bytesLeft: number; readonly maxDurationMs: number };

type Copied = { readonly packets: number; readonly durationMs: number };

async function addVideo(
  output: Output,
  track: InputVideoTrack,
  limits: CopyLimits,
): Promise<() => Promise<Copied>> {
  const [codec, decoderConfig] = await Promise.all([
    track.getCodec(),
    track.getDecoderConfig(),
  ]);
  if (codec === null || decoderConfig === null) throw unreadable();
  const source = new EncodedVideoPacketSource(codec);
  output.addVideoTrack(source, { rotation: await track.getRotation() });
  const strip = codec === "avc" ? stripperOf(decoderConfig) : undefined;
  return () =>
    copyPackets(track, limits, strip, async (packet) =>
      source.add(packet, { decoderConfig }),
    ).finally(() => source.close());
}

async function addSound(
  output: Output,
  track: InputAudioTrack,
  limits: CopyLimits,
): Promise<() => Promise<Copied>> {
  const [codec, config] = await Promise.all([
    track.getCodec(),
    track.getDecoderConfig(),
  ]);
  if (codec === null || config === null) throw unreadable();
  const decoderConfig =
    codec === "vorbis"
      ? { ...config, description: stripVorbisComments(descriptionOf(config)) }
      : config;
  const source = new EncodedAudioPacketSource(codec);
  output.addAudioTrack(source);
  return () =>
    copyPackets(track, limits, undefined, async (packet) =>
      source.add(packet, { decoderConfig }),
    ).finally(() => source.close());
}

/** The size of lengths is in the record of the decoder (ISO/IEC 14496-15, section 5.3.3). */
function stripperOf(config: object): (bytes: Uint8Array) => Uint8Array {
  const lengthBytes = ((descriptionOf(config)[4] ?? 0) & 3) + 1;
  return (bytes) => stripUserData(bytes, lengthBytes);
}

/** The headers of the codec. The library declares them in types of browsers. */
function descriptionOf(config: object): Uint8Array {
  const description: unknown = Reflect.get(config, "description");
  if (ArrayBuffer.isView(description)) {
    const { buffer, byteOffset, byteLength } = description;
    return new Uint8Array(buffer, byteOffset, byteLength);
  }
  if (description instanceof ArrayBuffer) return new Uint8Array(description);
  throw unreadable();
}

/** Tables may name the same bytes many times, and any times. */
async function copyPackets(
  track: InputVideoTrack | InputAudioTrack,
  limits: CopyLimits,
  strip: ((bytes: Uint8Array) => Uint8Array) | undefined,
  add: (packet: EncodedPacket) => Promise<void>,
): Promise<Copied> {
  let packets = 0;
  let durationMs = 0;
  for await (const packet of new EncodedPacketSink(track).packets()) {
    limits.bytesLeft -= packet.byteLength + 1;
    if (limits.bytesLeft < 0)
      throw new RecordingRefused("broken", "Its parts overlap");
    const endMs = (packet.timestamp + packet.duration) * 1000;
    if (!Number.isFinite(endMs))
      throw new RecordingRefused("broken", "Its times are broken");
    if (endMs > limits.maxDurationMs)
      throw new RecordingRefused("too_large", "It is too long");
    durationMs = Math.max(durationMs, Math.round(endMs));
    packets += 1;
    await add(strip ? packet.clone({ data: strip(packet.data) }) : packet);
  }
  return { packets, durationMs };
}

async function describeVideo(
  track: InputVideoTrack,
  frames: number,
  durationMs: number,
): Promise<Pick<ProcessedRecording, "width" | "height" | "frameRate">> {
  const width = await track.getDisplayWidth();
  const height = await track.getDisplayHeight();
  if (!(width >= 1 && height >= 1))
    throw new RecordingRefused("broken", "A side is missing");
  if (width * height > MAX_FRAME_PIXELS)
    throw new RecordingRefused("too_large", "It has too many pixels");
  const frameRate = Math.round((frames * 100_000) / durationMs) / 100;
  if (frameRate > MAX_FRAMES_PER_SECOND)
    throw new RecordingRefused("too_large", "It has too many frames");
  return { width: Math.round(width), height: Math.round(height), frameRate };
}

function unreadable(): RecordingRefused {
  return new RecordingRefused("broken", "It has no description of its codec");
}
