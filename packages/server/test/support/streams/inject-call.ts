import { text as readText } from "node:stream/consumers";
import type { FastifyInstance, InjectOptions } from "fastify";

export type InjectedAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Empty for a stream of events, which would not end. */
  readonly text: string;
};

/** Calls a route, and leaves a stream of events as soon as it has begun. */
export async function injectCall(
  app: FastifyInstance,
  request: InjectOptions,
): Promise<InjectedAnswer> {
  const answer = await app.inject({ ...request, payloadAsStream: true });
  const { statusCode: status, headers } = answer;
  if (headers["content-type"] === "text/event-stream") {
    answer.raw.res.destroy();
    return { status, headers, text: "" };
  }
  return { status, headers, text: await readText(answer.stream()) };
}
