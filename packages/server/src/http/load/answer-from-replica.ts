import type { FastifyInstance, FastifyRequest } from "fastify";

/** Runs `work` with reads that may be some seconds old; again with current ones if it refuses. */
export type AnswerFromReplica = <T>(
  work: () => Promise<T>,
  mayRepeat: () => boolean,
) => Promise<T>;

/** Of a person here, before and after https (`pages/session/session-cookie.ts`). */
const SESSION = /\bkith_session/;

/**
 * Answers strangers on routes with `mayBeOld` from a replica of the database. Everybody who is
 * signed in reads what they have just written, so their requests are left alone.
 */
export function answerFromReplica(
  app: FastifyInstance,
  answer: AnswerFromReplica,
): void {
  app.addHook("onRoute", (route) => {
    // Fastify adds a route for HEAD, with the same handler.
    if (!route.config?.mayBeOld || route.method !== "GET") return;
    const { handler } = route;
    route.handler = (request, reply) =>
      isStranger(request)
        ? answer(
            async () => handler.call(app, request, reply),
            () => !reply.sent && !reply.raw.headersSent,
          )
        : handler.call(app, request, reply);
  });
}

/** Does the request name nobody here? A signature is that of somebody elsewhere. */
function isStranger({ headers, parameters }: FastifyRequest): boolean {
  return (
    headers.authorization === undefined &&
    headers["access_token"] === undefined &&
    headers["sec-websocket-protocol"] === undefined &&
    parameters["access_token"] === undefined &&
    !SESSION.test(headers.cookie ?? "")
  );
}
