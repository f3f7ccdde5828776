import type { FastifyInstance, FastifyReply } from "fastify";
import { readInput, text } from "../../http/input/input.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { alertView, hiddenField } from "../kit/form-fields.ts";
import { html, type Html } from "../kit/html.ts";
import { sendPage } from "../kit/send-page.ts";
import { mailTexts as texts } from "../languages/texts.ts";
import type { PagesContext } from "../session/visitor.ts";
import { CONFIRM_PATH, UNSUBSCRIBE_PATH } from "./mail-paths.ts";
import { refuseWithoutMail } from "./mail-settings-routes.ts";

const TOKEN = Type.Object({ token: text("The secret of the link of a mail") });

/** A link of a mail: its question, and the act that the answer causes. */
type Link = {
  readonly path: string;
  readonly title: () => string;
  /** @returns the question and its button; undefined for a link that has ended */
  readonly ask: (
    context: PagesContext,
    token: string,
  ) => Promise<{ question: string; button: string } | undefined>;
  readonly act: (context: PagesContext, token: string) => Promise<unknown>;
  readonly done: () => string;
};

const LINKS: readonly Link[] = [
  {
    path: CONFIRM_PATH,
    title: () => texts.confirm.title,
    ask: async (context, token) => {
      refuseWithoutMail(context);
      const found = await context.mails.findWanted(token);
      return (
        found && {
          question: texts.confirm.asks(found.address, found.username),
          button: texts.confirm.confirm,
        }
      );
    },
    act: (context, token) => {
      refuseWithoutMail(context);
      return context.mails.confirm(token);
    },
    done: () => texts.confirm.done,
  },
  {
    // Also without a mail server: nobody is kept from ending mails.
    path: UNSUBSCRIBE_PATH,
    title: () => texts.unsubscribe.title,
    ask: async ({ mails }, token) => {
      const found = await mails.findSubscribed(token);
      return (
        found && {
          question: texts.unsubscribe.asks[found.scope](found.address),
          button: texts.unsubscribe.confirm,
        }
      );
    },
    act: ({ mails }, token) => mails.unsubscribe(token),
    done: () => texts.unsubscribe.done,
  },
];

/**
 * The links of mails. They work without a session: the token is the proof. Programs that look
 * at links in mails change nothing, because only the form does, and what mail programs post
 * for one click (RFC 8058).
 */
export function mailLinkRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  for (const link of LINKS) {
    app.get(
      link.path,
      { config: { access: "anyone", limit: "read" } },
      async (request, reply) => {
        const token = readToken(request.parameters);
        const asked = await link.ask(context, token);
        return asked
          ? sendForm(reply, link, token, asked)
          : sendEnded(reply, link);
      },
    );
    app.post(
      link.path,
      { config: { access: "anyone", limit: "write" } },
      async (request, reply) => {
        try {
          await link.act(context, readToken(request.parameters));
        } catch (error) {
          if (!(error instanceof KithError) || error.code !== "not_found")
            throw error;
          // Without a mail server the page itself is not there.
          if (link.path === CONFIRM_PATH) refuseWithoutMail(context);
          return sendEnded(reply, link);
        }
        return send(
          reply,
          link,
          html`<p class="notice" role="status">${link.done()}</p>`,
        );
      },
    );
  }
}

function readToken(parameters: Parameters): string {
  const { token = "" } = readInput(TOKEN, parameters);
  return token;
}

function sendForm(
  reply: FastifyReply,
  link: Link,
  token: string,
  asked: { readonly question: string; readonly button: string },
): FastifyReply {
  return send(
    reply,
    link,
    html`<form method="post" action="${link.path}">
      ${hiddenField("token", token)}
      <p>${asked.question}</p>
      <p class="actions"><button>${asked.button}</button></p>
    </form>`,
  );
}

function sendEnded(reply: FastifyReply, link: Link): FastifyReply {
  return send(reply, link, html`${alertView([texts.confirm.ended])}`, 404);
}

function send(
  reply: FastifyReply,
  { title }: Link,
  content: Html,
  status = 200,
): FastifyReply {
  return sendPage(reply, {
    status,
    head: { title: title(), noindex: true },
    session: undefined,
    main: html`<h1>${title()}</h1>
      ${content}`,
    script: null,
  });
}
