import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isNotModified } from "../../http/not-modified.ts";
import type { Timestamp } from "../../lib/time/clock.ts";

type CalendarFile = {
  /** The name of the saved file. */
  readonly name: string;
  readonly text: string;
  readonly modifiedAt: Timestamp;
  readonly headers: Readonly<Record<string, string>>;
};

const MAX_NAME_LENGTH = 60;

/**
 * Sends an iCalendar file, or 304 to a client that has it already. The ETag
 * alone decides: an event may go without any later time.
 */
export function sendCalendarFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, text, modifiedAt, headers }: CalendarFile,
): FastifyReply {
  const etag = `"${createHash("sha256").update(text).digest("base64url")}"`;
  void reply.headers({
    ...headers,
    etag,
    "last-modified": new Date(modifiedAt).toUTCString(),
  });
  if (isNotModified(request.headers, etag)) return reply.code(304).send();
  return reply
    .header("content-disposition", dispositionOf(name))
    .type("text/calendar; charset=utf-8")
    .send(text);
}

/** By RFC 8187, so that a name of any characters stays within its header. */
function dispositionOf(name: string): string {
  const short = [...name.replace(/[\p{C}/\\]/gu, " ").trim()]
    .slice(0, MAX_NAME_LENGTH)
    .join("");
  const encoded = encodeURIComponent(`${short || "calendar"}.ics`).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `inline; filename="calendar.ics"; filename*=UTF-8''${encoded}`;
}
