import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { MIN_PASSWORD_LENGTH } from "../../features/accounts/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import {
  addressField,
  alertView,
  hiddenField,
  passwordField,
} from "../kit/form-fields.ts";
import { html, type Html } from "../kit/html.ts";
import { sendPage } from "../kit/send-page.ts";
import { mailTexts, pageTexts } from "../languages/texts.ts";
import type { PagesContext } from "../session/visitor.ts";
import { LOST_PASSWORD } from "../session/places.ts";
import { NEW_PASSWORD } from "./mail-paths.ts";
import { refuseWithoutMail } from "./mail-settings-routes.ts";

const texts = mailTexts.reset;

const BODY_LIMIT = 32 * 1024;
const LOST = Type.Object({
  email: text("The e-mail address of the account"),
});
const CHOSEN = Type.Object({
  token: text("The secret of the link of a mail"),
  password: text("The new password"),
  confirm: text("The new password again; programs may leave it out"),
});

/** A new password for somebody who has lost it, by a link that is sent by mail. */
export function resetRoutes(app: FastifyInstance, context: PagesContext): void {
  const reading = { config: { access: "anyone", limit: "read" } } as const;
  const proving = {
    config: { access: "anyone", limit: "credentials" },
    bodyLimit: BODY_LIMIT,
  } as const;
  app.get(LOST_PASSWORD, reading, async (_request, reply) => {
    refuseWithoutMail(context);
    return send(reply, askView("", []));
  });
  app.post(LOST_PASSWORD, proving, (request, reply) =>
    ask(context, request, reply),
  );
  app.get(NEW_PASSWORD, reading, async ({ parameters }, reply) => {
    refuseWithoutMail(context);
    const { token = "" } = readInput(CHOSEN, parameters);
    return sendChoice(context, reply, token, []);
  });
  app.post(NEW_PASSWORD, proving, (request, reply) =>
    choose(context, request, reply),
  );
}

/** The answer is the same whether somebody has the address or not. */
async function ask(
  context: PagesContext,
  { parameters, network }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  refuseWithoutMail(context);
  const { email = "" } = readInput(LOST, parameters);
  try {
    await context.mails.askForReset(email, network);
  } catch (error) {
    if (!(error instanceof KithError) || error.code !== "invalid") throw error;
    const { malformed } = mailTexts.settings;
    return send(reply, askView(email, [malformed]), 422);
  }
  return send(
    reply,
    html`<h1>${texts.title}</h1>
      <p class="notice" role="status">${texts.sent}</p>`,
  );
}

async function choose(
  context: PagesContext,
  { parameters }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  refuseWithoutMail(context);
  const input = readInput(CHOSEN, parameters);
  const { token = "", password = "", confirm = password } = input;
  const { faults } = pageTexts.account;
  if (confirm !== password)
    return sendChoice(context, reply, token, [faults.confirm_differs]);
  try {
    await context.mails.resetPassword(token, password);
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
    if (error.code === "not_found") return sendEnded(reply);
    if (error.code !== "bad_request") throw error;
    return sendChoice(context, reply, token, [faults.password_too_short]);
  }
  return send(
    reply,
    html`<h1>${texts.title}</h1>
      <p class="notice" role="status">${texts.done}</p>
      <p>${texts.stays}</p>
      <p><a href="/users/sign_in">${pageTexts.signIn}</a></p>`,
  );
}

function askView(typed: string, faults: readonly string[]): Html {
  return html`<h1>${texts.title}</h1>
    ${alertView(faults)}
    <form method="post" action="${LOST_PASSWORD}" class="stacked">
      ${addressField(texts.address, {
        ...{ value: typed, hint: texts.about, isRequired: true },
        isFaulty: faults.length > 0,
      })}
      <p class="actions"><button>${texts.send}</button></p>
    </form>`;
}

async function sendChoice(
  { mails }: PagesContext,
  reply: FastifyReply,
  token: string,
  faults: readonly string[],
): Promise<FastifyReply> {
  const name = await mails.findResetName(token);
  if (name === undefined) return sendEnded(reply);
  const main = html`<h1>${texts.title}</h1>
    ${alertView(faults)}
    <p>${texts.choose(name)}</p>
    <form method="post" action="${NEW_PASSWORD}" class="stacked">
      ${hiddenField("token", token)} ${hiddenField("username", name)}
      ${passwordField("password", "new-password", {
        label: pageTexts.account.password,
        hint: pageTexts.account.passwordHint(MIN_PASSWORD_LENGTH),
        minLength: MIN_PASSWORD_LENGTH,
        isFaulty: faults.length > 0,
      })}
      ${passwordField("confirm", "new-password", {
        label: pageTexts.account.confirm,
      })}
      <p class="actions"><button>${texts.save}</button></p>
    </form>`;
  return send(reply, main, faults.length > 0 ? 422 : 200);
}

function sendEnded(reply: FastifyReply): FastifyReply {
  const main = html`<h1>${texts.title}</h1>
    ${alertView([mailTexts.confirm.ended])}
    <p><a href="${LOST_PASSWORD}">${texts.lost}</a></p>`;
  return send(reply, main, 404);
}

function send(reply: FastifyReply, main: Html, status = 200): FastifyReply {
  return sendPage(reply, {
    status,
    head: { title: texts.title, noindex: true },
    ...{ session: undefined, main, script: null },
  });
}
