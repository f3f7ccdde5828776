import type { FastifyInstance } from "fastify";
import { apiDocsView } from "./api-docs-view.ts";
import { sendPage } from "../kit/send-page.ts";
import { pageTexts } from "../languages/texts.ts";
import type { PagesContext } from "../session/visitor.ts";

/**
 * The documentation of the service API, for programmers. It never changes while
 * the server runs, so it is rendered once.
 */
export function apiDocsRoutes(
  app: FastifyInstance,
  { apiDocument, baseUrl }: PagesContext,
): void {
  const main = apiDocsView(apiDocument);
  const head = {
    title: pageTexts.apiDocs.title,
    canonical: `${baseUrl}/api/docs`,
  };
  app.get(
    "/api/docs",
    { config: { access: "anyone", limit: "read" } },
    (_request, reply) => sendPage(reply, { head, session: null, main }),
  );
}
