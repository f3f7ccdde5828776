import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import {
  LIST_KINDS,
  UploadRefused,
  type ListKind,
} from "../../features/imports/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import { discardBody, receiveForm } from "../../http/input/receive-form.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { checkCsrf } from "../kit/csrf.ts";
import { sendPage } from "../kit/send-page.ts";
import { importTexts as texts } from "../languages/texts.ts";
import { IMPORTS } from "../session/places.ts";
import { signInPath } from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import { importsView, mibOf } from "./imports-view.ts";

type OfId = { Params: { id: string } };

const PAGE = { offset: 0, limit: 50 };

/** Imports of the visitor: an upload, its rehearsal, and the start. */
export function importPageRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  app.get(
    IMPORTS,
    { config: { access: "session", limit: "read" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session) return redirectTo(reply, signInPath(IMPORTS));
      return sendImports(context, reply, session, undefined);
    },
  );
  app.post(
    IMPORTS,
    { config: { access: "session", limit: "costly", body: "stream" } },
    (request, reply) => receiveImport(context, request, reply),
  );
  const { heldImports } = context;
  for (const [name, act] of [
    ["start", startAsTyped(context)],
    ["stop", ({ user }, id) => heldImports.stop(user.userId, id)],
    ["delete", ({ user }, id) => heldImports.remove(user.userId, id)],
  ] as const satisfies readonly (readonly [string, Act])[])
    app.post<OfId>(
      `${IMPORTS}/:id/${name}`,
      { config: { access: "session", limit: "costly" } },
      async (request, reply) => {
        const session = await findVisitor(context, request);
        if (!session)
          return askToSignIn(context, request, reply, { to: IMPORTS });
        checkCsrf(session, request.parameters);
        try {
          await act(session, idOf(request.params.id), request);
        } catch (error) {
          const fault = faultOfAct(error);
          if (fault === undefined) throw error;
          return sendImports(context, reply, session, ...fault);
        }
        return redirectTo(reply, IMPORTS);
      },
    );
}

type Act = (
  session: Session,
  id: number,
  request: FastifyRequest,
) => Promise<unknown>;

/** With a password the account of the archive moves here, too. */
const startAsTyped =
  ({ heldImports }: PagesContext): Act =>
  ({ user }, id, { network, parameters }) => {
    const { password = "" } = readInput(START, parameters);
    const proof = password === "" ? undefined : { password, from: network };
    return heldImports.start(user, id, proof);
  };

const START = Type.Object({ password: text("Moves the account here, too") });

function faultOfAct(
  error: unknown,
): [fault: string, status: number] | undefined {
  if (!(error instanceof KithError)) return undefined;
  if (error.code === "unauthorized") return [texts.move.wrong, 422];
  const isLate = error.code === "conflict" || error.code === "bad_request";
  return isLate ? [texts.faults.state, 409] : undefined;
}

/** @throws {KithError} `not_found` */
function idOf(given: string): number {
  if (!/^[1-9]\d{0,14}$/.test(given))
    throw new KithError("not_found", "There is no such import.");
  return Number(given);
}

async function receiveImport(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { body } = request;
  const session = await findVisitor(context, request);
  if (!session) {
    if (body instanceof Readable) discardBody(body);
    return askToSignIn(context, request, reply, { to: IMPORTS });
  }
  try {
    if (!(body instanceof Readable)) {
      checkCsrf(session, request.parameters);
      throw new UploadRefused("missing");
    }
    await readUpload(context, request, session, body);
  } catch (error) {
    const fault = faultOf(error, context.heldImports.maxBytes);
    if (fault === undefined) throw error;
    return sendImports(context, reply, session, ...fault);
  }
  return redirectTo(reply, IMPORTS);
}

async function readUpload(
  { heldImports }: PagesContext,
  { headers }: FastifyRequest,
  session: Session,
  body: Readable,
): Promise<void> {
  const type = headers["content-type"] ?? "";
  await heldImports.receive(session.user.userId, async (take) => {
    // The token comes first, so that nothing is stored for another site.
    const fields = await receiveForm(body, type, "file", (file, before) => {
      checkCsrf(session, before);
      return take(file);
    });
    checkCsrf(session, fields);
    return readKind(fields["kind"]);
  });
}

const readKind = (given: unknown): ListKind | undefined =>
  LIST_KINDS.find((kind) => kind === given);

/** The words for what the visitor can change, with their status. */
function faultOf(
  error: unknown,
  maxBytes: number,
): [fault: string, status: number] | undefined {
  if (!(error instanceof KithError)) return undefined;
  const { faults } = texts;
  switch (error.code) {
    case "forbidden":
      return [faults.expired, 403];
    case "conflict":
      return [faults.busy, 409];
    case "too_large":
      return [faults.tooLarge(mibOf(maxBytes)), 413];
    case "too_many_requests":
      return [faults.tooMany, 429];
    case "unavailable":
      return [faults.full, 503];
    case "bad_request":
      return [wordsOf(error), 422];
    default:
      return undefined;
  }
}

function wordsOf(error: KithError): string {
  const { faults } = texts;
  if (!(error instanceof UploadRefused)) return faults.refused;
  return faults[error.reason];
}

async function sendImports(
  { heldImports, clock }: PagesContext,
  reply: FastifyReply,
  session: Session,
  fault: string | undefined,
  status = 200,
): Promise<FastifyReply> {
  return sendPage(reply, {
    status,
    head: { title: texts.title, noindex: true },
    session,
    main: importsView(session, {
      ...{ fault, maxBytes: heldImports.maxBytes, now: clock.now() },
      imports: await heldImports.list(session.user.userId, PAGE),
    }),
  });
}
