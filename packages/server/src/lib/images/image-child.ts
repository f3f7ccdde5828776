// The program of the child process that decodes pictures: a decoder that
// crashes, hangs or uses too much memory does not affect the server, and the
// memory of a large picture is returned to the system when the child ends.
import sharp, { type OutputInfo, type Sharp } from "sharp";
import { encode as encodeBlurhash } from "blurhash";
import {
  imageFormatOf,
  MAX_IMAGE_PIXELS,
  type ImagePurpose,
  type ImageRequest,
  type ImageResponse,
  type ImageSize,
  type ProcessedImage,
} from "./image.ts";
import { messageOf } from "../errors.ts";
import { dropPermissions } from "../isolation/restricted-process.ts";

const MAX_SIDE = 65_535;
const FULL_SIDE = 2048;
const MAX_FRAMES = 300;
/** Of a larger animation only the first frame is kept. */
const MAX_ANIMATED_PIXELS = 24_000_000;
const MAX_ANIMATED_SIDE = 800;
const MAX_RESIDENT_BYTES = 1_200_000_000;
/** The exit code for a picture that took too much memory. */
const OUT_OF_MEMORY = 77;

sharp.cache(false);
sharp.concurrency(1);
// Only the required decoders.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: [
    "VipsForeignLoadJpegBuffer",
    "VipsForeignLoadPngBuffer",
    "VipsForeignLoadNsgifBuffer",
    "VipsForeignLoadWebpBuffer",
    "VipsForeignLoadHeifBuffer",
  ],
});

type Format = "jpeg" | "png" | "gif" | "webp";
type Pixels = { readonly data: Buffer; readonly info: OutputInfo };
type Box = { readonly width: number; readonly height: number };
type Cut = Box & { readonly fit: "inside" | "cover" };

const EXTENSIONS = { jpeg: "jpg", png: "png", gif: "gif", webp: "webp" };

/** The sizes that diaspora* servers request for pictures in posts. */
const POST_SIZES: readonly [ImageSize, Cut][] = [
  ["scaled_full", { width: 700, height: FULL_SIDE, fit: "inside" }],
  ["thumb_large", { width: 300, height: 1500, fit: "inside" }],
  ["thumb_medium", { width: 100, height: 100, fit: "inside" }],
  ["thumb_small", { width: 50, height: 50, fit: "cover" }],
];

const AVATAR_SIZES: readonly [ImageSize, Cut][] = [
  ["thumb_large", { width: 300, height: 300, fit: "cover" }],
  ["thumb_medium", { width: 100, height: 100, fit: "cover" }],
  ["thumb_small", { width: 50, height: 50, fit: "cover" }],
];

/** Above a profile, at the proportions of other servers. */
const HEADER_SIZES: readonly [ImageSize, Cut][] = [
  ["scaled_full", { width: 1500, height: 500, fit: "cover" }],
];

const SIZES: Readonly<Record<ImagePurpose, readonly [ImageSize, Cut][]>> = {
  post: POST_SIZES,
  avatar: AVATAR_SIZES,
  header: HEADER_SIZES,
};

class PictureTooLarge extends Error {}

async function processImage({
  bytes,
  purpose,
}: ImageRequest): Promise<ProcessedImage> {
  const found = imageFormatOf(bytes);
  if (found === undefined) throw new Error("Not a picture");
  // Keeps the format of the picture if browsers support it widely; AVIF becomes
  // JPEG.
  const format: Format = found === "avif" ? "jpeg" : found;
  const frames = await checkHeader(bytes);
  const still =
    found === "jpeg" ? await decodeJpeg(bytes) : await decode(bytes);
  const files: { size: ImageSize; bytes: Buffer; box: Box }[] = [];
  if (purpose === "post") {
    const { data, info } = frames
      ? await animate(bytes, format, frames)
      : await write(fromPixels(still), format);
    const height = info.pageHeight ?? info.height;
    files.push({
      size: "full",
      bytes: data,
      box: { width: info.width, height },
    });
  }
  for (const [size, cut] of SIZES[purpose]) {
    const resized = fromPixels(still).resize({
      ...cut,
      withoutEnlargement: cut.fit === "inside",
    });
    const { data, info } = await write(resized, format);
    files.push({ size, bytes: data, box: info });
  }
  const { width = 0, height = 0 } = files[0]?.box ?? {};
  return {
    mediaType: `image/${format}`,
    extension: EXTENSIONS[format],
    width,
    height,
    blurhash: await blurhashOf(still),
    files: files.map(({ size, bytes: written }) => ({ size, bytes: written })),
  };
}

type Frames = {
  readonly scale: number;
  readonly count: number;
  /** As in EXIF; 1 is upright. */
  readonly orientation: number;
  readonly delay: number[] | undefined;
  readonly loop: number | undefined;
};

/**
 * Checks the metadata of the file before any pixel is decoded.
 * @returns how to keep it, if it is an animation that can be kept
 */
async function checkHeader(bytes: Uint8Array): Promise<Frames | undefined> {
  const header = sharp(bytes, { limitInputPixels: false });
  const metadata = await header.metadata();
  const { width, height, pages = 1, format, delay, loop } = metadata;
  if (width < 1 || height < 1) throw new Error("A side is missing");
  if (width > MAX_SIDE || height > MAX_SIDE)
    throw new PictureTooLarge("A side is too long");
  if (width * height > MAX_IMAGE_PIXELS)
    throw new PictureTooLarge("Too many pixels");
  const isKept =
    (format === "gif" || format === "webp") &&
    pages > 1 &&
    pages <= MAX_FRAMES &&
    width * height * pages <= MAX_ANIMATED_PIXELS;
  if (!isKept) return undefined;
  return {
    scale: Math.min(1, MAX_ANIMATED_SIDE / Math.max(width, height)),
    count: pages,
    orientation: metadata.orientation ?? 1,
    delay,
    loop,
  };
}

const END_OF_JPEG = Buffer.from([0xff, 0xd9]);

/**
 * Some programs lose the marker at the end of a file; if more is missing, the
 * decoder warns.
 */
async function decodeJpeg(bytes: Uint8Array): Promise<Pixels> {
  try {
    return await decode(bytes);
  } catch (error) {
    const whole = Buffer.concat([bytes, END_OF_JPEG]);
    return decode(whole, "warning").catch(() => {
      throw error;
    });
  }
}

/** Decodes the pixels, upright, in sRGB with 8 bits, without metadata. */
function decode(
  bytes: Uint8Array,
  failOn: "error" | "warning" = "error",
): Promise<Pixels> {
  return (
    sharp(bytes, { failOn, limitInputPixels: MAX_IMAGE_PIXELS })
      .autoOrient()
      // Otherwise 16 bits with a profile are converted twice.
      .pipelineColourspace("srgb")
      .resize({
        width: FULL_SIDE,
        height: FULL_SIDE,
        fit: "inside",
        withoutEnlargement: true,
      })
      .toColourspace("srgb")
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true })
  );
}

function fromPixels({ data, info }: Pixels): Sharp {
  const { width, height, channels } = info;
  return sharp(data, { raw: { width, height, channels } });
}

async function animate(
  bytes: Uint8Array,
  format: Format,
  frames: Frames,
): Promise<Pixels> {
  const side = MAX_ANIMATED_SIDE;
  const { scale } = frames;
  const image =
    frames.orientation > 1
      ? await turnFrames(bytes, frames)
      : sharp(bytes, {
          animated: true,
          failOn: "error",
          limitInputPixels: MAX_IMAGE_PIXELS,
        });
  const small =
    scale < 1
      ? image.resize({ width: side, height: side, fit: "inside" })
      : image;
  return write(small, format);
}

/**
 * Rotation does not apply to animations: each frame is rotated, and they are
 * joined again. They are decoded once, since decoding a frame by number would
 * decode all before it.
 */
async function turnFrames(
  bytes: Uint8Array,
  { count, orientation, delay, loop }: Frames,
): Promise<Sharp> {
  const { data, info } = await sharp(bytes, {
    animated: true,
    failOn: "error",
    limitInputPixels: MAX_IMAGE_PIXELS,
  })
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  const { width, channels } = info;
  const size = data.length / count;
  const raw = { width, height: info.height / count, channels };
  const turned: Buffer[] = [];
  for (let at = 0; at < data.length; at += size) {
    const lying = await sharp(data.subarray(at, at + size), { raw })
      .withMetadata({ orientation })
      .png({ compressionLevel: 1 })
      .toBuffer();
    const upright = sharp(lying).autoOrient().png({ compressionLevel: 1 });
    turned.push(await upright.toBuffer());
  }
  const joined = sharp(turned, {
    join: { animated: true },
    limitInputPixels: MAX_IMAGE_PIXELS,
  });
  // Encoded as an animation again, the only form with delays.
  const whole = await joined
    .webp({
      lossless: true,
      effort: 0,
      ...(delay && { delay }),
      ...(loop !== undefined && { loop }),
    })
    .toBuffer();
  return sharp(whole, { animated: true, limitInputPixels: MAX_IMAGE_PIXELS });
}

function write(image: Sharp, format: Format): Promise<Pixels> {
  return encodeAs(image, format).toBuffer({ resolveWithObject: true });
}

function encodeAs(image: Sharp, format: Format): Sharp {
  switch (format) {
    case "jpeg":
      return image
        .flatten({ background: "white" })
        .jpeg({ quality: 85, progressive: true });
    case "png":
      return image.png({ compressionLevel: 8 });
    case "webp":
      return image.webp({ quality: 85 });
    case "gif":
      return image.gif({ effort: 3 });
  }
}

async function blurhashOf(pixels: Pixels): Promise<string> {
  const { data, info } = await fromPixels(pixels)
    .resize({ width: 32, height: 32, fit: "inside" })
    .flatten({ background: "white" })
    .toColourspace("srgb")
    .ensureAlpha()
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  const colours = new Uint8ClampedArray(data);
  return encodeBlurhash(colours, info.width, info.height, 4, 3);
}

async function answer(request: ImageRequest): Promise<ImageResponse> {
  try {
    return { kind: "image", image: await processImage(request) };
  } catch (error) {
    const kind = error instanceof PictureTooLarge ? "too_large" : "broken";
    return { kind, reason: messageOf(error) };
  }
}

// All code is loaded: from here on the process reads only the picture, which
// comes as a message.
dropPermissions();

process.on("message", (request: ImageRequest) => {
  void answer(request).then((response) => process.send?.(response));
});
process.on("disconnect", () => process.exit());

setInterval(() => {
  if (process.memoryUsage.rss() > MAX_RESIDENT_BYTES)
    process.exit(OUT_OF_MEMORY);
}, 50).unref();
