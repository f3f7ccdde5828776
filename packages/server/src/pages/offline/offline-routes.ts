import type { FastifyInstance } from "fastify";
import { createHash } from "node:crypto";
import { isNotModified } from "../../http/not-modified.ts";
import { assetPath, readAsset } from "../kit/assets.ts";
import { READER_HEADER, readerOf, sendPage } from "../kit/send-page.ts";
import { scriptTexts } from "../languages/texts.ts";
import { findVisitor, type PagesContext } from "../session/visitor.ts";
import { OFFLINE, offlineView } from "./offline-view.ts";

/** The style, scripts and icons of the kept pages. */
const SHELL = [
  ...(["kith.css", "kith.js", "offline.js"] as const),
  ...(["favicon.svg", "icon-180.png"] as const),
].map(assetPath);

/** It may ask this server for pages and do nothing else. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'";

/** The worker that keeps Home for reading without network, and the page that it shows then. */
export function offlineRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const config = { access: "anyone", limit: "read" } as const;
  const worker = workerScript();
  const tag = `"${hashOf(worker)}"`;
  // A worker sees the requests below its own path alone: this one is at the root.
  app.get("/offline-worker.js", { config }, async ({ headers }, reply) => {
    void reply.headers({
      "cache-control": "no-cache",
      "content-security-policy": WORKER_POLICY,
      etag: tag,
    });
    // Browsers ask again after each page.
    if (isNotModified(headers, tag)) return reply.code(304).send();
    return reply.type("text/javascript; charset=utf-8").send(worker);
  });
  app.get(OFFLINE, { config }, async (request, reply) => {
    const session = await findVisitor(context, request);
    void reply.header(READER_HEADER, readerOf(session));
    return sendPage(reply, {
      head: { title: scriptTexts.offline.title, noindex: true },
      // Neither places nor forms, which would need the network.
      session: null,
      main: offlineView(),
      script: "offline.js",
    });
  });
}

/** With the names of the shell: where one is new, so is the worker, and browsers replace theirs. */
function workerScript(): string {
  const shell = JSON.stringify(SHELL);
  const version = hashOf(shell);
  const given = `self.kith = { shell: ${shell}, version: "${version}" };\n`;
  return given + readAsset("offline-worker.js").toString("utf8");
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
