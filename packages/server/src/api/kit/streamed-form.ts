import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import type { Static, TObject } from "typebox";
import { readInput, type Need } from "../../http/input/input.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import {
  receiveForm,
  type IncomingFile,
} from "../../http/input/receive-form.ts";
import { readCommon, readSent } from "./route.ts";

type StreamedRoute<S extends TObject> = {
  readonly path: string;
  readonly input: TObject;
  readonly needs: readonly Need[];
  /** The parameters beside the file. */
  readonly others: S;
  /** The field of the file. */
  readonly file: string;
};

/**
 * Reads the form of a route whose file is read as it comes (`body: "stream"`).
 * @param take gets the file, once the parameters before it are checked
 * @throws {KithError} as `readSent`, also if there is no file
 */
export async function readStreamed<S extends TObject>(
  route: StreamedRoute<S>,
  request: FastifyRequest,
  take: (file: IncomingFile) => Promise<void>,
): Promise<Static<S>> {
  readCommon(request);
  const { body, headers } = request;
  const query = request.parameters;
  const read = (fields: Parameters): Static<S> => {
    request.parameters = { ...query, ...fields };
    readCommon(request);
    return readInput(route.others, request.parameters);
  };
  // A body of another form has no file, and is refused here.
  if (!(body instanceof Readable)) {
    readSent(route, request);
    return read({});
  }
  const type = headers["content-type"] ?? "";
  const fields = await receiveForm(body, type, route.file, (file, before) => {
    read(before);
    return take(file);
  });
  return read(fields);
}
