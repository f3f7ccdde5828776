import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  EVENT_STREAM_HEADERS,
  openEventStream,
} from "../../http/event-stream.ts";
import { Input } from "../kit/input.ts";
import { admitCaller } from "../kit/mastodon-route.ts";
import { notFound, Refusal } from "../kit/refusals.ts";
import { openLive, type LiveDeps } from "./open-live.ts";
import { readStreamName, type StreamArguments } from "./stream-name.ts";

/** The paths of the streams that are served, and their names. */
const STREAMS = {
  "/v1/streaming/user": "user",
  "/v1/streaming/user/notification": "user:notification",
  "/v1/streaming/direct": "direct",
  "/v1/streaming/list": "list",
  "/v1/streaming/public": "public",
  "/v1/streaming/public/local": "public:local",
  "/v1/streaming/public/remote": "public:remote",
  "/v1/streaming/hashtag": "hashtag",
  "/v1/streaming/hashtag/local": "hashtag:local",
} as const;

/** Serves streams as server-sent events. */
export function serveEventStreams(
  scope: FastifyInstance,
  deps: LiveDeps,
): void {
  for (const [path, name] of Object.entries(STREAMS))
    scope.route({
      method: "GET",
      url: `/api${path}`,
      config: { access: "token", limit: "costly" },
      handler: (request, reply) => answer(deps, name, request, reply),
    });
  scope.get(
    "/api/v1/streaming/health",
    { config: { access: "anyone", limit: "read" } },
    async (_request, reply) =>
      reply.type("text/plain; charset=utf-8").send("OK"),
  );
}

async function answer(
  deps: LiveDeps,
  name: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { user, token } = await getReader(deps, request);
  const input = Input.of(request.parameters);
  const isMedia = name.startsWith("public") && input.flag("only_media");
  const stream = readStreamName(
    isMedia ? `${name}:media` : name,
    readArguments(input),
  );
  if (!stream) throw notFound();
  void reply.headers(EVENT_STREAM_HEADERS);
  if (request.method === "HEAD") return reply.send();
  let leave = () => {};
  const { body, write, beat, end } = openEventStream(reply, () => leave());
  leave = openLive(deps, {
    ...{ user, token, end },
    streams: () => [stream],
    // An event without data is none.
    send: ({ event, payload = "{}" }) => write(event, payload),
    beat: () => beat(),
  });
  request.leaveLoad();
  return reply.send(body);
}

/** The arguments of the name of a stream. */
export const readArguments = (input: Input): StreamArguments => ({
  list: input.id("list"),
  tag: input.filled("tag"),
});

/** @throws {KithError} `unauthorized`, or {Refusal} for a token that may not read */
export async function getReader(
  deps: Pick<LiveDeps, "findAccess" | "oauth">,
  request: FastifyRequest,
) {
  const needs = { scope: "read:statuses", needsUser: true } as const;
  const { access, token } = await admitCaller(needs, request, deps);
  if (!access?.user || token === undefined)
    throw new Refusal(422, "This method requires an authenticated user");
  return { user: access.user, token };
}
