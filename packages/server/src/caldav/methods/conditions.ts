import type { FastifyRequest } from "fastify";
import type { CalendarObject } from "../../features/events/index.ts";
import { etagOf } from "../resources/resource.ts";

/**
 * The condition of a request that writes.
 * @see RFC 9110, sections 13.1.1 and 13.1.2
 */
export function conditionOf({ headers }: FastifyRequest) {
  const match = headers["if-match"];
  const noneMatch = headers["if-none-match"];
  return (object: CalendarObject | undefined): boolean => {
    if (match !== undefined && !isListed(match, object)) return false;
    return noneMatch === undefined || !isListed(noneMatch, object);
  };
}

function isListed(header: string, object: CalendarObject | undefined): boolean {
  if (!object) return false;
  const etag = etagOf(object);
  return header
    .split(",")
    .map((it) => it.trim())
    .some((it) => it === "*" || it === etag);
}
