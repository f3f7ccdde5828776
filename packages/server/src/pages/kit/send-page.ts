import type { FastifyReply } from "fastify";
import { errorBody, type ErrorAnswer } from "../../http/error-response.ts";
import { toText, type Html } from "./html.ts";
import { layout, type PageHead } from "./layout.ts";
import type { ShownSession } from "./navigation.ts";

function policy(images: string): string {
  return (
    `default-src 'none'; style-src 'self'; img-src ${images}; ` +
    `form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
  );
}

/**
 * The content security policy of a page: its own styles and pictures, and no
 * scripts. Pictures of other servers come from this one.
 */
export const PAGE_POLICY = policy("'self' data:");

/** The same for a page with our script for passkeys, and no other. */
export const POLICY_WITH_SCRIPT = `${PAGE_POLICY}; script-src 'self'; connect-src 'self'`;

/** An error page shows no user content. */
export const ERROR_PAGE_POLICY = policy("'self'");

/**
 * Sends a page. A response that depends on the cookie declares it to caches.
 */
export function sendPage(
  reply: FastifyReply,
  { status = 200, head, session, main }: HtmlPage,
): FastifyReply {
  return reply
    .code(status)
    .type("text/html; charset=utf-8")
    .headers({
      "cache-control": session ? "private, no-store" : "no-cache",
      vary: "Accept, Accept-Language, Cookie",
    })
    .send(toText(layout(head, session, main)));
}

export type HtmlPage = {
  readonly status?: number;
  readonly head: PageHead;
  /** null: the page is the same for everyone. */
  readonly session: ShownSession | undefined | null;
  readonly main: Html;
};

/** Sends an error to a program, which asked for no page. */
export function sendJsonError(
  reply: FastifyReply,
  answer: ErrorAnswer,
): FastifyReply {
  return reply
    .code(answer.status)
    .header("vary", "Accept, Cookie")
    .type("application/json; charset=utf-8")
    .send(errorBody(answer));
}
