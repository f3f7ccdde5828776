import type { Readable } from "node:stream";
import { Busboy } from "@fastify/busboy";
import { KithError } from "../../lib/errors.ts";
import type { Parameters } from "./parameters.ts";

/** A file of a form that is read as it comes, without being in memory as a whole. */
export type IncomingFile = {
  /** As the client names it; may be empty. */
  readonly name: string;
  readonly stream: AsyncIterable<Buffer>;
};

type TakeFile = (file: IncomingFile, fields: Parameters) => Promise<void>;

const MAX_PARTS = 20;
const MAX_FIELD_BYTES = 10_000;
/** A client that sends nothing for so long is gone. */
const IDLE_MS = 60_000;
/** Bytes of a refused body that are read on, so that the client gets to read the response. */
const MAX_DISCARDED_BYTES = 32 * 1024 * 1024;

/**
 * Reads a multipart form with at most one file, of any size.
 * @param fileField the only field that may hold a file
 * @param take reads the file; it gets the fields that came before
 * @returns all fields
 * @throws {KithError} `bad_request` for a malformed form, or one that broke off; what `take`
 *   throws
 */
export async function receiveForm(
  payload: Readable,
  contentType: string,
  fileField: string,
  take: TakeFile,
): Promise<Parameters> {
  const fields = Object.create(null) as Record<string, string | string[]>;
  const parser = createParser(contentType);
  const endWatch = watchIdle(payload);
  try {
    await new Promise<void>((resolve, reject) => {
      const taking: Promise<void>[] = [];
      const refuse = (): void => reject(malformed());
      parser.on("field", (name, value) => {
        const before = fields[name];
        fields[name] = before === undefined ? value : [before, value].flat();
      });
      parser.on("file", (name, stream, fileName) => {
        stream.on("error", refuse);
        payload.once("close", () => {
          if (!payload.readableEnded) stream.destroy(malformed());
        });
        // Browsers send this if no file was chosen.
        if (name === fileField && fileName === "") return void stream.resume();
        if (name !== fileField || taking.length > 0) return refuse();
        const reading = (async () =>
          take({ name: fileName, stream }, fields))();
        taking.push(reading);
        reading.catch(reject);
      });
      for (const limit of ["partsLimit", "filesLimit", "fieldsLimit"] as const)
        parser.on(limit, refuse);
      parser.on("error", refuse);
      parser.on("finish", () => {
        Promise.all(taking).then(() => resolve(), reject);
      });
      payload.once("error", refuse);
      payload.once("close", () => {
        if (!payload.readableEnded) refuse();
      });
      payload.pipe(parser);
    });
    return fields;
  } catch (error) {
    payload.unpipe(parser);
    discardBody(payload);
    throw error;
  } finally {
    endWatch();
  }
}

/** Reads what is left of a refused body, up to a limit. */
export function discardBody(payload: Readable): void {
  let left = MAX_DISCARDED_BYTES;
  payload.on("error", () => {});
  payload.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) payload.destroy();
  });
  payload.resume();
}

function createParser(contentType: string) {
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      limits: {
        ...{ parts: MAX_PARTS, fields: MAX_PARTS, files: 2 },
        fieldSize: MAX_FIELD_BYTES,
      },
    });
  } catch {
    throw malformed();
  }
}

/** Ends a body that brings nothing, unless it waits for us. @returns a function that ends this */
function watchIdle(payload: Readable): () => void {
  let isActive = true;
  const note = (): void => {
    isActive = true;
  };
  payload.on("data", note);
  // The pipe to the parser decides when the data flows.
  payload.pause();
  const timer = setInterval(() => {
    if (!isActive && !payload.isPaused()) payload.destroy();
    isActive = false;
  }, IDLE_MS).unref();
  return () => {
    clearInterval(timer);
    payload.off("data", note);
  };
}

function malformed(): KithError {
  return new KithError(
    "bad_request",
    "The multipart form is malformed, broke off, or has a file that is not taken here.",
  );
}
