import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { MIN_PASSWORD_LENGTH } from "../../features/accounts/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import {
  alertView,
  hiddenField,
  lineField,
  passwordField,
  usernameField,
  zoneField,
} from "../kit/form-fields.ts";
import { html, type Html } from "../kit/html.ts";
import { sendPage } from "../kit/send-page.ts";
import { faultWords, type SignUpFormFault } from "../sign-in/account-views.ts";
import { currentLanguage } from "../languages/reader.ts";
import { pageTexts, setupTexts as texts } from "../languages/texts.ts";
import { SETUP } from "../session/places.ts";
import type { PagesContext } from "../session/visitor.ts";
import { fromOf, startSession } from "../sign-in/second-step-routes.ts";

const FORM = Type.Object({
  code: text("The code that the server printed when it started"),
  username: text("The name before the @ of the handle"),
  password: text("The password"),
  confirm: text("The password again"),
  time_zone: text("The time zone of the browser"),
});

type Typed = {
  readonly username: string;
  readonly code: string;
  readonly faults: readonly SignUpFormFault[];
  readonly isWrongCode: boolean;
};

const NOTHING: Typed = {
  ...{ username: "", code: "", faults: [], isWrongCode: false },
};

/**
 * The first account of a server, which is its admin: by the code of the server, or without
 * one where only this machine reaches it. Afterwards there is no such page.
 */
export function setupRoutes(app: FastifyInstance, context: PagesContext): void {
  app.get(
    SETUP,
    { config: { access: "anyone", limit: "read" } },
    async (_request, reply) => {
      await refuseSetUp(context);
      return sendForm(context, reply, 200, NOTHING);
    },
  );
  app.post(
    SETUP,
    { config: { access: "anyone", limit: "credentials" } },
    (request, reply) => setUp(context, request, reply),
  );
}

/** @throws {KithError} `not_found` */
async function refuseSetUp({ accounts }: PagesContext): Promise<void> {
  if (await accounts.hasAdmin())
    throw new KithError("not_found", "The server is set up.");
}

/** Only this machine reaches the server, and nobody has an account. */
async function needsNoCode({
  accounts,
  isOfThisMachine,
}: PagesContext): Promise<boolean> {
  return isOfThisMachine && (await accounts.isNew());
}

async function setUp(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { accounts } = context;
  await refuseSetUp(context);
  const input = readInput(FORM, request.parameters);
  const { code = "", username = "", password = "" } = input;
  const typed = { ...NOTHING, username, code };
  const isFree = await needsNoCode(context);
  if (!isFree && !accounts.isSetupCode(code))
    return sendForm(context, reply, 403, { ...typed, isWrongCode: true });
  if ((input.confirm ?? password) !== password)
    return sendForm(context, reply, 422, {
      ...{ ...typed, faults: ["confirm_differs"] },
    });
  const result = await accounts.signUp({
    ...{ username, password, isFounder: true, from: request.network },
    locale: currentLanguage(),
    ...(input.time_zone !== undefined && { timeZone: input.time_zone }),
  });
  if (result.kind === "refused")
    return sendForm(context, reply, 422, { ...typed, faults: result.faults });
  const signedIn = await accounts.signIn(username, password, fromOf(request));
  if (signedIn?.kind !== "signed_in")
    throw new Error("The new admin cannot sign in");
  return startSession(context, request, reply, signedIn.secret);
}

async function sendForm(
  context: PagesContext,
  reply: FastifyReply,
  status: number,
  typed: Typed,
): Promise<FastifyReply> {
  const isFree = await needsNoCode(context);
  return sendPage(reply, {
    status,
    head: { title: texts.title, noindex: true },
    session: null,
    main: setupView(context.host, typed, isFree),
  });
}

function setupView(host: string, typed: Typed, isFree: boolean): Html {
  const { username, code, faults, isWrongCode } = typed;
  const { account } = pageTexts;
  const isFaulty = (part: string) =>
    faults.some((fault) => fault.startsWith(part));
  return html`<h1>${texts.title}</h1>
    <p class="lead">${texts.about}</p>
    ${alertView([
      ...(isWrongCode ? [texts.wrongCode] : []),
      ...faults.map(faultWords),
    ])}
    <form method="post" action="${SETUP}" class="stacked">
      ${hiddenField("to", "/admin/server")} ${zoneField()}
      ${
        !isFree &&
        lineField("code", code, {
          ...{ label: texts.code, hint: texts.codeHint },
          attributes: html`required autocapitalize="characters"
          spellcheck="false" maxlength="100"`,
        })
      }
      ${usernameField(username, {
        hint: account.usernameHint(host),
        isFaulty: isFaulty("username"),
      })}
      ${passwordField("password", "new-password", {
        label: account.password,
        hint: account.passwordHint(MIN_PASSWORD_LENGTH),
        minLength: MIN_PASSWORD_LENGTH,
        isFaulty: isFaulty("password"),
      })}
      ${passwordField("confirm", "new-password", {
        label: account.confirm,
        isFaulty: isFaulty("confirm"),
      })}
      <p class="actions"><button>${texts.begin}</button></p>
    </form>`;
}
