import type { FastifyInstance, FastifyRequest } from "fastify";
import type { LiveEvent, Changes } from "../../../features/changes/index.ts";
import {
  EVENT_STREAM_HEADERS,
  openEventStream,
} from "../../../http/event-stream.ts";
import { text } from "../../../http/input/input.ts";
import { Type } from "../../../lib/json-schema.ts";
import {
  getCaller,
  readCommon,
  readSent,
  type Authenticate,
} from "../../kit/route.ts";

/** The stream of changes, described for the document. */
export const CHANGES_ROUTE = {
  method: "GET",
  limit: "costly",
  scope: "read",
  name: "watchChanges",
  path: "/changes",
  summary: "Tells you what changes, as server-sent events, until you leave.",
  description: [
    "`post`: a new post by one of your contacts, with a tag you follow, or of your own. `edit`: such a post, or a comment on it (`CommentID`), was edited. `count`: it has other comments, likes or reshares; a comment by a contact is announced in no other way, also to those who read their home with replies. `deletion`: it was deleted. `message`: a conversation has a new message. `notification`: you have a new one.",
    'The data has ids alone: `{"ID":1,"Guid":"…"}`, for a notification `{"ID":1}`. Read what is new with the calls for it.',
    "`reset`: something may have been missed, so read your lists again. It comes first if you continue (`Last-Event-ID`) from a place that is too old.",
    "A comment every 15 seconds keeps the connection open. The stream ends when its token does. An account has at most 10 streams (429).",
  ].join("\n\n"),
  input: Type.Object({
    lastEventID: text(
      "The id of the last event that you got, unless the header Last-Event-ID has it",
    ),
  }),
  output: Type.String(),
  errors: [429, 503],
  contentType: "text/event-stream",
} as const;

export type ChangesRouteDeps = { readonly changes: Changes };

/** Serves the stream of changes. */
export function registerChanges(
  app: FastifyInstance,
  prefix: string,
  authenticate: Authenticate,
  { changes }: ChangesRouteDeps,
): void {
  // A server that stops does not wait for its readers.
  app.addHook("preClose", async () => changes.close());
  app.route({
    method: CHANGES_ROUTE.method,
    url: prefix + CHANGES_ROUTE.path,
    config: { access: "token", limit: CHANGES_ROUTE.limit },
    handler: async (request, reply) => {
      const { user, token } = await getCaller(
        request,
        authenticate,
        CHANGES_ROUTE,
      );
      const { input } = readSent(CHANGES_ROUTE, request);
      readCommon(request);
      const since = lastEventId(request) ?? input.lastEventID;
      void reply.headers(EVENT_STREAM_HEADERS);
      // A HEAD request opens nothing.
      if (request.method === "HEAD") return reply.send();
      let leave = () => {};
      const stream = openEventStream(reply, () => leave());
      leave = changes.open(
        {
          user,
          isSignedIn: async () =>
            (await authenticate(token, CHANGES_ROUTE.scope))?.userId ===
            user.userId,
          send: (event, cursor) => {
            const record = toRecord(event);
            if (record)
              stream.write(event.type, JSON.stringify(record), cursor);
          },
          beat: stream.beat,
          end: stream.end,
        },
        since === "" ? undefined : since,
      );
      request.leaveLoad();
      return reply.send(stream.body);
    },
  });
}

function lastEventId({ headers }: FastifyRequest): string | undefined {
  const value = headers["last-event-id"];
  return typeof value === "string" ? value : undefined;
}

/** @returns undefined for what is in no list that this stream speaks of */
function toRecord(
  event: LiveEvent,
): Readonly<Record<string, unknown>> | undefined {
  switch (event.type) {
    case "filters":
    case "post apart":
    case "announcement":
    case "announcement reaction":
    case "announcement removal":
      return undefined;
    case "reset":
      return {};
    case "notification":
      return { ID: event.notificationId };
    case "message":
      return { ID: event.postId, Guid: event.guid };
    case "post":
    case "edit":
    case "count":
    case "deletion":
      return {
        ID: event.postId,
        Guid: event.guid,
        ...(event.commentId !== undefined && { CommentID: event.commentId }),
      };
  }
}
