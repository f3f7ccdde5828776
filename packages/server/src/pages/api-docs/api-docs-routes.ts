import type { FastifyInstance } from "fastify";
import { once } from "../../lib/once.ts";
import { apiDocsView } from "./api-docs-view.ts";
import { sendPage } from "../kit/send-page.ts";
import { pageTexts } from "../languages/texts.ts";
import type { PagesContext } from "../session/visitor.ts";

/**
 * The documentation of the service API, for programmers. It never changes while
 * the server runs, so its first reader has it rendered: a start need not wait for it.
 */
export function apiDocsRoutes(
  app: FastifyInstance,
  { apiDocument, baseUrl }: PagesContext,
): void {
  const main = once(() => apiDocsView(apiDocument()));
  const head = {
    title: pageTexts.apiDocs.title,
    canonical: `${baseUrl}/api/docs`,
  };
  app.get(
    "/api/docs",
    { config: { access: "anyone", limit: "read" } },
    (_request, reply) =>
      sendPage(reply, { head, session: null, main: main(), script: null }),
  );
}
