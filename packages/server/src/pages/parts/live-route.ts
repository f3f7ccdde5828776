import type { FastifyInstance } from "fastify";
import type { LiveEvent } from "../../features/changes/index.ts";
import {
  EVENT_STREAM_HEADERS,
  openEventStream,
} from "../../http/event-stream.ts";
import type { PagesContext } from "../session/visitor.ts";
import { getSession } from "./part-routes.ts";

/**
 * Tells the open pages of a session what changes, as server-sent events with the Guid of the
 * post at most: what it is now is read with the part of the page. The stream ends with the
 * session.
 */
export function liveRoute(app: FastifyInstance, context: PagesContext): void {
  app.get(
    "/live",
    { config: { access: "session", limit: "costly" } },
    async (request, reply) => {
      const { user } = await getSession(context, request);
      const secret = context.cookie.read(request.headers.cookie) ?? "";
      void reply.headers(EVENT_STREAM_HEADERS);
      if (request.method === "HEAD") return reply.send();
      let leave = () => {};
      const stream = openEventStream(reply, () => leave());
      leave = context.changes.open({
        user,
        isSignedIn: async () =>
          (await context.accounts.findSession(secret))?.user.userId ===
          user.userId,
        send: (event) => {
          if (!UNSEEN.has(event.type)) stream.write(event.type, dataOf(event));
        },
        beat: () => stream.beat(),
        end: stream.end,
      });
      request.leaveLoad();
      return reply.send(stream.body);
    },
  );
}

/** Open homes count what is new in them; pages read the others when they are loaded. */
const UNSEEN: ReadonlySet<LiveEvent["type"]> = new Set([
  "filters",
  "post apart",
  "announcement",
  "announcement reaction",
  "announcement removal",
]);

/** An event without data is none. */
function dataOf(event: LiveEvent): string {
  return JSON.stringify("guid" in event ? { guid: event.guid } : {});
}
