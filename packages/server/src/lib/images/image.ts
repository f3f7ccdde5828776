/** The use of a picture, which decides its sizes. */
export type ImagePurpose = "post" | "avatar" | "header";

/**
 * Sizes by the names that diaspora* servers put before a file name; `full` is
 * the file name alone.
 */
export type ImageSize =
  "full" | "scaled_full" | "thumb_large" | "thumb_medium" | "thumb_small";

/** A re-encoded picture in all of its sizes. */
export type ProcessedImage = {
  readonly mediaType: string;
  /** Of its files, without a dot. */
  readonly extension: string;
  /** Pixels of the largest size. */
  readonly width: number;
  readonly height: number;
  /** A blurred placeholder until it is loaded. */
  readonly blurhash: string;
  readonly files: readonly {
    readonly size: ImageSize;
    readonly bytes: Uint8Array;
  }[];
};

/** Bytes of one uploaded picture. */
export const MAX_IMAGE_BYTES = 20 * 1024 * 1024;

/** All frames of an animation count as one picture of this many pixels. */
export const MAX_IMAGE_PIXELS = 64_000_000;

type ImageFormat = "jpeg" | "png" | "gif" | "webp" | "avif";

const startsWith = (bytes: Uint8Array, text: string, at = 0): boolean =>
  Buffer.from(bytes.subarray(at, at + text.length)).equals(
    Buffer.from(text, "latin1"),
  );

/**
 * Detects the format by the first bytes: the name and the declared type do not
 * count. SVG and PDF are documents, not pictures.
 */
export function imageFormatOf(bytes: Uint8Array): ImageFormat | undefined {
  if (startsWith(bytes, "\xff\xd8\xff")) return "jpeg";
  if (startsWith(bytes, "\x89PNG\r\n\x1a\n")) return "png";
  if (startsWith(bytes, "GIF87a") || startsWith(bytes, "GIF89a")) return "gif";
  if (startsWith(bytes, "RIFF") && startsWith(bytes, "WEBP", 8)) return "webp";
  if (["avif", "avis"].some((brand) => startsWith(bytes, `ftyp${brand}`, 4)))
    return "avif";
  return undefined;
}

/** The request to the child process. */
export type ImageRequest = {
  readonly bytes: Uint8Array;
  readonly purpose: ImagePurpose;
};

/** The response of the child process. */
export type ImageResponse =
  | { readonly kind: "image"; readonly image: ProcessedImage }
  | { readonly kind: "broken"; readonly reason: string }
  | { readonly kind: "too_large"; readonly reason: string };
