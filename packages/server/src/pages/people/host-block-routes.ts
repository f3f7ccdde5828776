import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { checkCsrf, csrfField } from "../kit/csrf.ts";
import {
  actForm,
  alertView,
  hiddenField,
  lineField,
} from "../kit/form-fields.ts";
import { html, type Html } from "../kit/html.ts";
import { paginationView } from "../kit/list-view.ts";
import { readKeyedPart } from "../kit/page-input.ts";
import { sendPage } from "../kit/send-page.ts";
import { contactTexts as texts } from "../languages/texts.ts";
import { signInPath } from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import { unlessDone } from "./contact-routes.ts";

export const HOST_BLOCKS = "/settings/servers";
const PAGE_SIZE = 50;

const GIVEN = Type.Object({ host: text("The host of another server") });

type Act = (session: Session, host: string) => Promise<unknown>;
type Typed = { readonly host: string; readonly fault?: string };

/** The servers that the user has blocked for itself. */
export function hostBlockRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const { blocks } = context;
  app.get(
    HOST_BLOCKS,
    { config: { access: "session", limit: "read" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session) return redirectTo(reply, signInPath(request.url));
      return sendHosts(context, request, reply, session, { host: "" });
    },
  );
  const acts: readonly (readonly [string, Act])[] = [
    ["block", ({ user }, host) => blocks.blockHost(user, host)],
    ["unblock", ({ user }, host) => unlessDone(blocks.unblockHost(user, host))],
  ];
  for (const [name, act] of acts)
    app.post(
      `${HOST_BLOCKS}/${name}`,
      { config: { access: "session", limit: "write" } },
      (request, reply) => perform(context, request, reply, act),
    );
}

async function perform(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  act: Act,
): Promise<FastifyReply> {
  const session = await findVisitor(context, request);
  if (!session)
    return askToSignIn(context, request, reply, { to: HOST_BLOCKS });
  checkCsrf(session, request.parameters);
  const { host = "" } = readInput(GIVEN, request.parameters);
  try {
    await act(session, host.trim());
  } catch (error) {
    if (!(error instanceof KithError) || error.code !== "bad_request")
      throw error;
    const typed = { host, fault: texts.hostRefused };
    return sendHosts(context, request, reply, session, typed);
  }
  return redirectTo(reply, HOST_BLOCKS);
}

async function sendHosts(
  { blocks }: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  typed: Typed,
): Promise<FastifyReply> {
  const list = { path: HOST_BLOCKS, size: PAGE_SIZE } as const;
  const order = "newest first";
  const part = await readKeyedPart(request, { ...list, order }, (page) =>
    blocks.listHosts(session.user.personId, page),
  );
  const hosts = part.items.map(({ host }) => host);
  return sendPage(reply, {
    status: typed.fault === undefined ? 200 : 422,
    head: { title: texts.hosts, noindex: true },
    session,
    main: html`<h1>${texts.hosts}</h1>
      <p class="quiet">${texts.hostsAbout}</p>
      ${hostForm(session, typed)} ${hostsView(session, hosts)}
      ${paginationView(part)}`,
  });
}

function hostForm(session: Session, { host, fault }: Typed): Html {
  return html`<form method="post" action="${HOST_BLOCKS}/block" class="stacked">
    ${csrfField(session)} ${alertView(fault === undefined ? [] : [fault])}
    ${lineField("host", host, {
      ...{ label: texts.host, hint: texts.hostHint },
      attributes: html`required maxlength="300" inputmode="url"
      autocapitalize="none" spellcheck="false"`,
    })}
    <p class="actions"><button>${texts.blockHost}</button></p>
  </form>`;
}

function hostsView(session: Session, hosts: readonly string[]): Html {
  if (hosts.length === 0) return html`<p>${texts.noHosts}</p>`;
  return html`<ul class="plain">
    ${hosts.map(
      (host) =>
        html`<li>
          <bdi>${host}</bdi>
          ${actForm(
            session,
            `${HOST_BLOCKS}/unblock`,
            html`${hiddenField("host", host)}<span class="unseen"
                >${host}</span
              >`,
            texts.unblockHost,
          )}
        </li>`,
    )}
  </ul>`;
}
