import type { FastifyReply } from "fastify";
import { errorBody, type ErrorAnswer } from "../../http/error-response.ts";
import { toText, type Html } from "./html.ts";
import {
  layout,
  type PageContent,
  type PageHead,
  type PageScript,
} from "./layout.ts";
import type { ShownSession } from "./navigation.ts";
import { currentAppearance, currentLanguage } from "../languages/reader.ts";

function policy(images: string): string {
  return (
    `default-src 'none'; style-src 'self'; img-src ${images}; ` +
    `media-src 'self'; ` +
    `manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
  );
}

/**
 * The content security policy of a page without script: its own styles and pictures.
 * Pictures, sounds and videos of other servers come from this one.
 */
export const PAGE_POLICY = policy("'self' data:");

/** The same for a page with a script of our own, and no other. */
export const POLICY_WITH_SCRIPT = `${PAGE_POLICY}; script-src 'self'; connect-src 'self'`;

/**
 * The same for the page that lets an app in. Browsers apply `form-action` to every redirect
 * that follows a form: to the app, and from there to wherever it goes on.
 */
export const CONSENT_POLICY = PAGE_POLICY.replace(" form-action 'self';", "");

/** The frame of a post: any site may hold it. It has no forms. */
export const EMBED_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; " +
  "form-action 'none'; base-uri 'none'; frame-ancestors *";

/** An error page shows no user content. */
export const ERROR_PAGE_POLICY = policy("'self'");

/**
 * Tells the worker of the pages whose they are, and how they look: what it keeps is for one
 * account alone. `assets/offline-worker.js` reads it.
 */
export const READER_HEADER = "kith-reader";

/** The name of the account, or a dash for a visitor; the language and the colours. */
export function readerOf(session: ShownSession | undefined): string {
  const name = session?.user.username ?? "-";
  return `${name} ${currentLanguage()} ${currentAppearance()}`;
}

/**
 * Sends a page. A response that depends on the cookie declares it to caches.
 */
export function sendPage(
  reply: FastifyReply,
  { status = 200, head, session, main, side, script = "kith.js" }: HtmlPage,
): FastifyReply {
  if (script !== null)
    void reply.header("content-security-policy", POLICY_WITH_SCRIPT);
  if (session !== null) void reply.header(READER_HEADER, readerOf(session));
  return reply
    .code(status)
    .type("text/html; charset=utf-8")
    .headers({
      "cache-control": session ? "private, no-store" : "no-cache",
      vary: "Accept, Accept-Language, Cookie",
    })
    .send(toText(layout(head, session, { main, side }, script)));
}

export type HtmlPage = PageContent & {
  readonly status?: number;
  readonly head: PageHead;
  /** null: the page is the same for everyone. */
  readonly session: ShownSession | undefined | null;
  /**
   * null for a page without script: those of errors and consent, and those with secrets. The
   * pages that ask for a passkey, and the one without network, have a script of their own.
   */
  readonly script?: PageScript | null;
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

/** Sends an element of a page, for its script. It is never kept by a cache. */
export function sendPart(reply: FastifyReply, part: Html): FastifyReply {
  return reply
    .type("text/html; charset=utf-8")
    .headers({
      "cache-control": "private, no-store",
      vary: "Cookie",
      "x-robots-tag": "noindex",
    })
    .send(toText(part));
}
