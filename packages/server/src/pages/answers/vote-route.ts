import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { isGuid } from "../../lib/guids.ts";
import { Type } from "../../lib/json-schema.ts";
import { checkCsrf } from "../kit/csrf.ts";
import { wantsJson } from "../kit/wanted-type.ts";
import { pageTexts } from "../languages/texts.ts";
import { backToPost } from "../posts/act-view.ts";
import { sendPostPage } from "../posts/post-routes.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";

const texts = pageTexts.poll;

const VOTE = Type.Object({
  to: text("The page to which the act leads back"),
  answer: Type.Optional(
    Type.Array(Type.String(), { description: "The Guids of the answers" }),
  ),
});

type OfGuid = { Params: { guid: string } };

/** The votes in the polls of posts. */
export function voteRoute(app: FastifyInstance, context: PagesContext): void {
  app.post<OfGuid>(
    "/posts/:guid/vote",
    { config: { access: "session", limit: "write" } },
    (request, reply) => receiveVote(context, request, reply),
  );
}

/** A vote that is not counted leads to its post again, with the reason beside the poll. */
async function receiveVote(
  context: PagesContext,
  request: FastifyRequest<OfGuid>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { guid } = request.params;
  if (!isGuid(guid)) throw new KithError("not_found", "No such thing.");
  const { answer = [], to: given } = readInput(VOTE, request.parameters);
  const to = backToPost(given, guid);
  const session = await findVisitor(context, request);
  if (!session) return askToSignIn(context, request, reply, { to });
  checkCsrf(session, request.parameters);
  try {
    await context.polls.vote(session.user, { guid }, answer);
  } catch (error) {
    const isRefused =
      error instanceof KithError && error.code === "bad_request";
    if (!isRefused || wantsJson(request.headers.accept)) throw error;
    return sendPostPage(context, request, reply, {
      ...{ guid, session, draft: { text: "" }, status: 422 },
      voteFault: answer.length === 0 ? texts.noChoice : texts.refused,
    });
  }
  return redirectTo(reply, to);
}
