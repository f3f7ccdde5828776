// The program of the thread that processes JSON-LD.
import { loadJsonLd, type JsonLd } from "@kith/activitypub";
import { parentPort } from "node:worker_threads";
import { messageOf } from "../../../lib/errors.ts";
import type { JsonLdRequest, JsonLdResponse } from "./json-ld-request.ts";

async function processRequest(
  jsonLd: JsonLd,
  request: JsonLdRequest,
): Promise<JsonLdResponse> {
  const { kind, document } = request;
  return kind === "compact"
    ? {
        kind: "compacted",
        document: await jsonLd.compact(document, request.context),
      }
    : { kind: "canonized", quads: await jsonLd.canonize(document) };
}

function respond(response: JsonLdResponse): void {
  parentPort?.postMessage(response);
}

const jsonLd = await loadJsonLd();
parentPort?.on("message", (request: JsonLdRequest) => {
  void processRequest(jsonLd, request)
    .catch((error: unknown) => {
      const reason = messageOf(error);
      return { kind: "unsupported", reason } as const;
    })
    .then(respond);
});
respond({ kind: "ready" });
