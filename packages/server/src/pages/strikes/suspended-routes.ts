import type { FastifyInstance, FastifyReply } from "fastify";
import type { UserId } from "../../features/ids.ts";
import { readInput, text } from "../../http/input/input.ts";
import { Type } from "../../lib/json-schema.ts";
import { alertView, hiddenField } from "../kit/form-fields.ts";
import { noticeView } from "../kit/components/notices-view.ts";
import { html, type HtmlValue } from "../kit/html.ts";
import { sendPage } from "../kit/send-page.ts";
import { pageTexts, strikeTexts as texts } from "../languages/texts.ts";
import type { PagesContext } from "../session/visitor.ts";
import { APPEALED, tryToAppeal, keptAppeal } from "./try-to-appeal.ts";
import { strikesView, type AppealForm } from "./strike-view.ts";

/** Where people who are suspended, and so have no session, appeal. */
const SUSPENDED_APPEAL = "/users/appeal";

const PROVEN = Type.Object({
  ...APPEALED.properties,
  token: text("The proof of a sign-in that the suspension refused"),
});

/** As many as somebody reads at once. */
const NEWEST = { offset: 0, limit: 20 } as const;

/** The appeals of people who are suspended. */
export function suspendedRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  app.post(
    SUSPENDED_APPEAL,
    { config: { access: "anyone", limit: "credentials" } },
    async (request, reply) => {
      const input = readInput(PROVEN, request.parameters);
      const userId = context.strikes.tokens.read(input.token ?? "") as
        UserId | undefined;
      const self = await findSuspended(context, userId);
      if (!self)
        return send(
          reply,
          404,
          html`${alertView([texts.proofEnded])}${back()}`,
        );
      const fault = await tryToAppeal(context, self, input);
      const shown = await suspensionView(
        context,
        self.userId,
        keptAppeal(input),
      );
      const said =
        fault === undefined ? noticeView(texts.sent) : alertView([fault]);
      const status = fault === undefined ? 200 : 422;
      return send(reply, status, html`${said} ${shown}${back()}`);
    },
  );
}

const back = () =>
  html`<p><a href="/users/sign_in">${pageTexts.signIn}</a></p>`;

/** @returns undefined for somebody who is not suspended, and reads it after a sign-in */
async function findSuspended(
  { accounts, people }: PagesContext,
  userId: UserId | undefined,
) {
  const account =
    userId === undefined ? undefined : await accounts.findById(userId);
  if (account?.state !== "suspended") return undefined;
  const person = await people.find({ userId: account.id });
  return person && { personId: person.id, userId: account.id };
}

/** The decisions about a suspended account, with forms, after the right password. */
export async function suspensionView(
  { clock, people, strikes }: PagesContext,
  userId: UserId,
  typed?: AppealForm["typed"],
): Promise<HtmlValue> {
  const person = await people.find({ userId });
  if (!person) return undefined;
  const own = await strikes.listOf(person.id, NEWEST);
  const proof = hiddenField("token", strikes.tokens.make(userId));
  const form = { action: SUSPENDED_APPEAL, proof, typed };
  return html`<h2>${texts.suspended}</h2>
    ${strikesView(own, form, clock.now())}`;
}

function send(
  reply: FastifyReply,
  status: number,
  main: HtmlValue,
): FastifyReply {
  return sendPage(reply, {
    status,
    head: { title: texts.title, noindex: true },
    session: undefined,
    main: html`<h1>${texts.title}</h1>
      ${main}`,
  });
}
