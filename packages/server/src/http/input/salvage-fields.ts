import { Busboy } from "@fastify/busboy";
import type { BodyTooLarge } from "./read-body.ts";
import { collect, type Parameters } from "./parameters.ts";

const MAX_PARTS = 200;

/**
 * Reads the texts at the beginning and the end of a multipart form that is too large: its files,
 * which lie between them, are lost, and what was typed is not.
 */
export async function salvageFields(
  contentType: string,
  { head, tail }: Pick<BodyTooLarge, "head" | "tail">,
): Promise<Parameters> {
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType);
  const mark = `\r\n--${boundary?.[1] ?? boundary?.[2] ?? ""}`;
  const at = boundary ? tail.indexOf(mark) : -1;
  const parts = [head, ...(at < 0 ? [] : [tail.subarray(at + 2)])];
  const found = await Promise.all(
    parts.map((it) => readTexts(contentType, it)),
  );
  return collect(found.flat().slice(0, MAX_PARTS));
}

/** The texts in a form that may end anywhere. */
async function readTexts(
  contentType: string,
  piece: Buffer,
): Promise<[string, string][]> {
  const pairs: [string, string][] = [];
  const parser = createParser(contentType, piece.length);
  if (!parser) return pairs;
  await new Promise<void>((resolve) => {
    parser.on("field", (name, value) => void pairs.push([name, value]));
    parser.on("file", (_name, stream) => {
      stream.on("error", () => resolve());
      stream.resume();
    });
    parser.on("error", () => resolve());
    parser.on("finish", resolve);
    parser.end(piece);
  });
  return pairs;
}

function createParser(contentType: string, fieldSize: number) {
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      limits: { parts: MAX_PARTS, fieldSize },
    });
  } catch {
    return undefined;
  }
}
