import type { FastifyReply } from "fastify";
import { errorBody, type ErrorAnswer } from "../../http/error-response.ts";
import { toText, type Html } from "./html.ts";
import { layout, type PageHead, type ShownSession } from "./layout.ts";

const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/;

function policy(images: string): string {
  return (
    `default-src 'none'; style-src 'self'; img-src ${images}; ` +
    `form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
  );
}

/**
 * The content security policy of a page: its own styles, pictures, and no
 * scripts. Servers tested on the same machine have their pictures on http.
 */
export function contentSecurityPolicy(baseUrl: string): string {
  const http = LOOPBACK.test(baseUrl) ? " http:" : "";
  return policy(`'self' https: data:${http}`);
}

/** The same for a page with our script for passkeys, and no other. */
export function policyWithScript(baseUrl: string): string {
  return `${contentSecurityPolicy(baseUrl)}; script-src 'self'; connect-src 'self'`;
}

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
