import type { FastifyReply } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import { toText, type Html } from "./html.ts";
import { layout, type PageHead } from "./layout.ts";

const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/;

function policy(images: string): string {
  return (
    `default-src 'none'; style-src 'self'; img-src ${images}; ` +
    `form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
  );
}

/**
 * What a page may load: its own style, pictures, and nothing that runs. Other
 * servers that are tried out on the same machine have their pictures on http.
 */
export function contentSecurityPolicy(baseUrl: string): string {
  const http = LOOPBACK.test(baseUrl) ? " http:" : "";
  return policy(`'self' https: data:${http}`);
}

/** The same for a page with the script that asks for passkeys: ours, and no other. */
export function policyWithScript(baseUrl: string): string {
  return `${contentSecurityPolicy(baseUrl)}; script-src 'self'; connect-src 'self'`;
}

/** An error page shows nothing of anybody. */
export const ERROR_PAGE_POLICY = policy("'self'");

/** Sends one page. What depends on the cookie says so to caches. */
export function sendPage(
  reply: FastifyReply,
  { status = 200, head, session, main }: HtmlPage,
): FastifyReply {
  return reply
    .code(status)
    .type("text/html; charset=utf-8")
    .headers({
      "cache-control": session ? "private, no-store" : "no-cache",
      vary: "Accept, Cookie",
    })
    .send(toText(layout(head, session, main)));
}

export type HtmlPage = {
  readonly status?: number;
  readonly head: PageHead;
  /** null: a page that is the same whoever sees it. */
  readonly session: Session | undefined | null;
  readonly main: Html;
};
