import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

// Server-sent events (WHATWG HTML, section 9.2).

const MEDIA_TYPE = "text/event-stream";

/**
 * Unread bytes of one client, beside what the system keeps for its connection: some hundred
 * events. A slower reader is dropped, and continues when it connects again.
 */
const MAX_UNREAD = 64 * 1024;

/** How long clients wait before they connect again, if a stream ends. */
const RETRY_MS = 3_000;

export const EVENT_STREAM_HEADERS = {
  "content-type": MEDIA_TYPE,
  "cache-control": "private, no-store",
  // nginx would keep events back until they fill a buffer.
  "x-accel-buffering": "no",
  // Nothing else is answered on a connection that ends with its stream.
  connection: "close",
};

/** Is this the answer of a stream, whose end is decided by its reader? */
export function isEventStream(reply: FastifyReply): boolean {
  return reply.getHeader("content-type") === MEDIA_TYPE;
}

/** An open answer to which events are written. */
export type EventStream = {
  readonly body: Readable;
  /** @param data in one line */
  readonly write: (event: string, data: string, id?: string) => void;
  /** Writes something that is no event, but moves the place to continue from, if it is given. */
  readonly beat: (id?: string) => void;
  readonly end: () => void;
};

const placeOf = (id: string | undefined): string =>
  id === undefined ? "" : `id: ${id}\n`;

/** @param onClose called once, whoever ends it */
export function openEventStream(
  reply: FastifyReply,
  onClose: () => void,
): EventStream {
  const body = new Readable({ read: () => {} });
  let isOpen = true;
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    onClose();
  };
  const push = (text: string) => {
    if (!isOpen) return;
    body.push(text);
    if (body.readableLength <= MAX_UNREAD) return;
    close();
    reply.raw.destroy();
  };
  reply.raw.once("close", close);
  body.push(`retry: ${RETRY_MS}\n\n`);
  return {
    body,
    write: (event, data, id) =>
      push(`event: ${event}\n${placeOf(id)}data: ${data}\n\n`),
    beat: (id) => push(`:\n${placeOf(id)}\n`),
    end: () => {
      close();
      body.push(null);
    },
  };
}
