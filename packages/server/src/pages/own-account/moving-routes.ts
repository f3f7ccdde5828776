import type { FastifyInstance, FastifyReply } from "fastify";
import type { Static } from "typebox";
import type { Session } from "../../features/accounts/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { sendPage } from "../kit/send-page.ts";
import { accountTexts as texts } from "../languages/texts.ts";
import { signInPath } from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { receiveDraft } from "../sign-in/receive-draft.ts";
import { movingView, type MovingDraft } from "./moving-view.ts";
import { MOVING } from "./own-account-view.ts";

const FORM = Type.Object({
  aliases: text("Handles or addresses of accounts elsewhere, one a line"),
  handle: text("The handle of the account on the other server"),
  signature: text("What the other server gave"),
  password: text("The password of the account here"),
  direction: text("`here` to come here, `away` to go away"),
});

type Form = Static<typeof FORM>;

/** The words for an act that is done, and its result. */
type Done = Pick<MovingDraft, "notice" | "signed">;

type Act = (
  context: PagesContext,
  session: Session,
  form: Form,
  from: string,
) => Promise<Done>;

/** In the order of the page. */
const ACTS: Readonly<Record<"aliases" | "sign" | "away" | "here", Act>> = {
  aliases: async ({ moving }, { user }, { aliases = "" }) => {
    await moving.setAliases(user, linesOf(aliases));
    return { notice: texts.moving.aliases.saved };
  },
  sign: async ({ moving }, { user }, form, from) => {
    const { direction, password = "" } = form;
    if (direction !== "here" && direction !== "away")
      throw new KithError("bad_request", "There is no such direction.");
    const proof = { password, from };
    const handle = handleOf(form);
    return { signed: await moving.sign(user, proof, direction, handle) };
  },
  away: async ({ moving }, { user }, form, from) => {
    const { password = "", signature = "" } = form;
    const given = { password, from, otherHandle: handleOf(form) };
    const isSigned = signature.trim() !== "";
    await moving.leave(user, {
      ...given,
      ...(isSigned && { signature: signature.trim() }),
    });
    return { notice: texts.moving.away.begun };
  },
  here: async ({ moving }, { user }, form, from) => {
    const { password = "", signature = "" } = form;
    const given = { password, from, otherHandle: handleOf(form) };
    await moving.arrive(user, { ...given, signature: signature.trim() });
    return { notice: texts.moving.here.begun };
  },
};

/** The forms with which an account moves between servers. */
export function movingPageRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  app.get(
    MOVING,
    { config: { access: "session", limit: "read" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session) return redirectTo(reply, signInPath(MOVING));
      return sendMoving(context, reply, session, {});
    },
  );
  for (const name of ["aliases", "sign", "away", "here"] as const)
    app.post(
      `${MOVING}/${name}`,
      {
        config: {
          access: "session",
          limit: name === "aliases" ? "costly" : "credentials",
        },
      },
      (request, reply) => {
        const back = { to: MOVING };
        return receiveDraft(context, request, reply, back, (session, isOld) => {
          const form = readInput(FORM, request.parameters);
          const typed = typedOf(form);
          return isOld
            ? sendMoving(
                context,
                reply,
                session,
                { ...typed, fault: texts.expired },
                403,
              )
            : perform(context, reply, session, name, {
                ...{ form, typed, from: request.network },
              });
        });
      },
    );
}

async function perform(
  context: PagesContext,
  reply: FastifyReply,
  session: Session,
  name: keyof typeof ACTS,
  given: {
    readonly form: Form;
    readonly typed: Partial<MovingDraft>;
    readonly from: string;
  },
): Promise<FastifyReply> {
  const { form, typed, from } = given;
  try {
    const done = await ACTS[name](context, session, form, from);
    return await sendMoving(context, reply, session, done);
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
    const isWrong = error.code === "unauthorized";
    if (!isWrong && error.code !== "bad_request") throw error;
    const fault = isWrong ? texts.wrong : texts.moving[name].refused;
    return sendMoving(context, reply, session, { ...typed, fault }, 422);
  }
}

async function sendMoving(
  { moving }: PagesContext,
  reply: FastifyReply,
  session: Session,
  draft: Partial<MovingDraft>,
  status = 200,
): Promise<FastifyReply> {
  const aliases =
    draft.aliases ?? (await moving.listAliases(session.user)).join("\n");
  return sendPage(reply, {
    status,
    head: { title: texts.moving.title, noindex: true },
    session,
    main: movingView(session, { ...draft, aliases }),
    // A signature is a secret.
    ...(draft.signed && { script: null }),
  });
}

/** The fields that are shown again: never a password. */
function typedOf({ aliases, handle, signature }: Form): Partial<MovingDraft> {
  return {
    ...(aliases !== undefined && { aliases }),
    ...(handle !== undefined && { handle }),
    ...(signature !== undefined && { signature }),
  };
}

function linesOf(typed: string): string[] {
  return typed
    .split(/[\n,]/)
    .map((line) => line.trim().replace(/^@/, ""))
    .filter((line) => line !== "");
}

/** @throws {KithError} `bad_request` for a blank one */
function handleOf({ handle = "" }: Form): string {
  const name = handle.trim().replace(/^@/, "");
  if (name === "") throw new KithError("bad_request", "No handle is given.");
  return name;
}
