import type { FastifyInstance } from "fastify";
import { apiDocsView } from "./api-docs-view.ts";
import type { Html } from "../kit/html.ts";
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
  let main: Html | undefined;
  const head = {
    title: pageTexts.apiDocs.title,
    canonical: `${baseUrl}/api/docs`,
  };
  app.get(
    "/api/docs",
    { config: { access: "anyone", limit: "read" } },
    (_request, reply) => {
      main ??= apiDocsView(apiDocument);
      return sendPage(reply, { head, session: null, main, script: null });
    },
  );
}
