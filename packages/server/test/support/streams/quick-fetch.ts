import { once } from "node:events";
import { Agent, request, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { watchFetch } from "../server/answer-watch.ts";

type Init = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | URLSearchParams | FormData | null;
};

const agent = new Agent({ keepAlive: true });

/** The headers that `fetch` adds, without `accept-encoding`. */
const OWN_HEADERS = { accept: "*/*", "user-agent": "node" };

const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * `fetch` without following redirects, at a third of its processor time: a run of the tests
 * sends hundreds of thousands of requests. The answer has been read, but for a stream of
 * events, which would not end and is closed.
 */
export function quickFetch(url: string, init: Init = {}): Promise<Response> {
  return init.body instanceof FormData
    ? fetch(url, { ...init, body: init.body, redirect: "manual" })
    : watched(url, init);
}

const watched = watchFetch((url, init) => send(url as string, init as Init));

async function send(url: string, init: Init): Promise<Response> {
  const { method = "GET", body } = init;
  const bytes = bytesOf(body);
  // Node sends no length with the body of a DELETE.
  const length = bytes && { "content-length": bytes.length };
  const sent = request(url, {
    ...{ agent, method },
    headers: {
      ...OWN_HEADERS,
      ...typeOf(body),
      ...init.headers,
      ...length,
    },
  });
  sent.end(bytes);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  // A server may refuse a body, and close, before it has all of it.
  sent.on("error", () => undefined);
  const { statusCode: status = 0 } = answer;
  const response = { status, headers: headersOf(answer) };
  if (answer.headers["content-type"] === "text/event-stream") {
    answer.destroy();
    return new Response("", response);
  }
  const read = await buffer(answer);
  return new Response(WITHOUT_BODY.has(status) ? null : read, response);
}

function bytesOf(body: Init["body"]): Buffer | undefined {
  if (body instanceof URLSearchParams) return Buffer.from(body.toString());
  if (typeof body === "string") return Buffer.from(body);
  return Buffer.isBuffer(body) ? body : undefined;
}

/** The type that `fetch` derives from a body. */
function typeOf(body: Init["body"]): Record<string, string> {
  if (body instanceof URLSearchParams)
    return {
      "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
    };
  return typeof body === "string"
    ? { "content-type": "text/plain;charset=UTF-8" }
    : {};
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, lines = []] of Object.entries(headersDistinct))
    for (const line of lines) headers.append(name, line);
  return headers;
}
