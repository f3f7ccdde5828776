import type { ServerResponse } from "node:http";
import websocket, { type WebSocket } from "@fastify/websocket";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { SignedIn } from "../../features/accounts/index.ts";
import { pathOf } from "../../http/input/request-path.ts";
import { Input } from "../kit/input.ts";
import {
  openLive,
  type LiveDeps,
  type LiveReader,
  type SentEvent,
} from "./open-live.ts";
import { getReader, readArguments } from "./sse-routes.ts";
import {
  readStreamName,
  type StreamArguments,
  type StreamName,
} from "./stream-name.ts";

const PATH = "/api/v1/streaming";

/** Of one message of a client. */
const MAX_MESSAGE_BYTES = 4_096;
/** Unsent bytes of one client; a slower one is dropped, and connects again. */
const MAX_UNSENT = 512 * 1024;
const MAX_SUBSCRIPTIONS = 20;
/** A client that sends more of them has gone astray. */
const MAX_MESSAGES = 1_000;

/** Of the servers of Node 26: which wishes for another protocol are heard? */
type UpgradeChoice = {
  shouldUpgradeCallback?: (request: { readonly url?: string }) => boolean;
};

/** Serves all streams over one WebSocket (RFC 6455). */
export async function serveWebSocket(
  scope: FastifyInstance,
  deps: LiveDeps,
): Promise<void> {
  // Everything else that asks for another protocol is answered in this one.
  const server: typeof scope.server & UpgradeChoice = scope.server;
  server.shouldUpgradeCallback = ({ url = "" }) =>
    /^\/api\/v1\/streaming\/?$/.test(pathOf(url));
  await scope.register(websocket, {
    options: { maxPayload: MAX_MESSAGE_BYTES },
  });
  scope.route({
    method: "GET",
    url: PATH,
    config: { access: "token", limit: "costly" },
    // Before the handshake, so that a wrong token is refused with 401.
    preHandler: async (request, { raw }) => {
      await getReader(deps, request);
      responses.set(request, raw);
    },
    handler: async (_request, reply) =>
      reply
        .code(426)
        .headers({ upgrade: "websocket", connection: "upgrade" })
        .type("application/json; charset=utf-8")
        .send(JSON.stringify({ error: "This is a WebSocket" })),
    wsHandler: (socket, request) => void serve(deps, socket, request),
  });
}

async function serve(
  deps: LiveDeps,
  socket: WebSocket,
  request: FastifyRequest,
): Promise<void> {
  const subscriptions = readSubscriptions(socket, request);
  // The one there holds the request as long as the socket is open.
  socket.removeAllListeners("error").on("error", drop);
  try {
    const { user, token } = await getReader(deps, request);
    const reader = new SocketReader(user, token, socket, subscriptions);
    const leave = openLive(deps, reader);
    socket.on("close", leave);
    leaveHandshake(request);
    if (socket.readyState !== socket.OPEN) leave();
  } catch {
    // Too many are open, or the token has ended meanwhile.
    socket.close(1013);
  }
}

class SocketReader implements LiveReader {
  readonly user: SignedIn;
  readonly token: string;
  readonly #socket: WebSocket;
  readonly #subscriptions: ReadonlyMap<string, StreamName>;

  constructor(
    user: SignedIn,
    token: string,
    socket: WebSocket,
    subscriptions: ReadonlyMap<string, StreamName>,
  ) {
    this.user = user;
    this.token = token;
    this.#socket = socket;
    this.#subscriptions = subscriptions;
  }

  streams(): readonly StreamName[] {
    return [...this.#subscriptions.values()];
  }

  send(event: SentEvent, to: readonly StreamName[]): void {
    for (const { label } of to) sendText(this.#socket, frameOf(event, label));
  }

  beat(): void {
    this.#socket.ping();
  }

  end(): void {
    this.#socket.close();
  }
}

/** Of the handshakes under way. */
const responses = new WeakMap<FastifyRequest, ServerResponse>();

function drop(this: WebSocket): void {
  this.terminate();
}

/**
 * Ends the exchange that led to a socket, which lasts and has a limit of its own. Its records
 * take a quarter of the memory of an idle socket.
 */
function leaveHandshake(request: FastifyRequest): void {
  request.leaveLoad();
  const response = responses.get(request);
  if (response?.socket) response.detachSocket(response.socket);
}

/** Keeps the subscriptions of a socket: that of its address, and those of its messages. */
function readSubscriptions(
  socket: WebSocket,
  request: FastifyRequest,
): ReadonlyMap<string, StreamName> {
  const streams = new Map<string, StreamName>();
  const subscribe = (name: string, given: StreamArguments): void => {
    const stream = readStreamName(name, given);
    if (!stream || streams.size >= MAX_SUBSCRIPTIONS)
      return complain(socket, "Unknown stream type");
    streams.set(stream.label.join(), stream);
  };
  const input = Input.of(request.parameters);
  const first = input.filled("stream");
  if (first !== undefined) subscribe(first, readArguments(input));
  let left = MAX_MESSAGES;
  socket.on("message", (data: Buffer) => {
    left -= 1;
    if (left < 0) return socket.terminate();
    const asked = readMessage(data.toString());
    if (!asked) return complain(socket, "The message cannot be read");
    const { type, stream, given } = asked;
    if (type === "subscribe") subscribe(stream, given);
    else streams.delete(readStreamName(stream, given)?.label.join() ?? "");
  });
  return streams;
}

const frames = new WeakMap<SentEvent, Map<string, string>>();

/** Many connections get the same text, which is written once. */
function frameOf(sent: SentEvent, label: readonly string[]): string {
  const known = frames.get(sent) ?? new Map<string, string>();
  frames.set(sent, known);
  const name = label.join();
  const before = known.get(name);
  if (before !== undefined) return before;
  const { event, payload } = sent;
  const text = JSON.stringify({ stream: label, event, payload });
  known.set(name, text);
  return text;
}

const say = (socket: WebSocket, message: object): void =>
  sendText(socket, JSON.stringify(message));

function sendText(socket: WebSocket, text: string): void {
  if (socket.readyState !== socket.OPEN) return;
  socket.send(text);
  if (socket.bufferedAmount > MAX_UNSENT) socket.terminate();
}

const complain = (socket: WebSocket, error: string): void =>
  say(socket, { error, status: 400 });

type Asked = {
  readonly type: "subscribe" | "unsubscribe";
  readonly stream: string;
  readonly given: StreamArguments;
};

/** @returns undefined for anything else */
function readMessage(text: string): Asked | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return undefined;
  const input = new Input({ ...value });
  try {
    const type = input.text("type");
    const stream = input.text("stream");
    if (type !== "subscribe" && type !== "unsubscribe") return undefined;
    return stream === undefined
      ? undefined
      : { type, stream, given: readArguments(input) };
  } catch {
    return undefined;
  }
}
