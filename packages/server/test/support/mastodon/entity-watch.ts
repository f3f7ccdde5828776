import type { FastifyInstance } from "fastify";
import {
  REFUSED_STATUS,
  runReport,
  type AnswerReport,
} from "../server/answer-watch.ts";
import { isMastodonPath } from "../../../src/mastodon-api/kit/unsupported.ts";
import { findFault, type EntityName } from "./entity-schemas.ts";

/** The client API without its streams; other unknown paths are of the service API. */
const isWatched = (path: string): boolean =>
  isMastodonPath(path) && !path.startsWith("/api/v1/streaming");

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ID = /^\d{1,19}$/;
const LINK =
  /^(?:<https?:\/\/[^>]+[?&]max_id=\d+(?:-\d+)?>; rel="next", )?<https?:\/\/[^>]+[?&]min_id=\d+(?:-\d+)?>; rel="prev"$/;
const CODES = new Set([
  ...[200, 202, 206, 400, 401, 403, 404, 410, 413, 414, 415, 422, 429, 503],
]);

/** Ids that are numbers, or none of ours. */
const NO_IDS = new Set([
  "most_recent_notification_id",
  "client_id",
  "vapid_id",
]);
const NO_TIMES = new Set([
  // A day.
  "last_status_at",
  // 0: never (RFC 7591, section 3.2.1).
  "client_secret_expires_at",
]);

/** The entity that a record with this key is, wherever it is. */
const SIGNS: readonly (readonly [string, EntityName])[] = [
  ["access_token", "Token"],
  ["text", "Anything"],
  ["reblogs_count", "Status"],
  ["followers_count", "Account"],
  ["preview_url", "MediaAttachment"],
  ["showing_reblogs", "Relationship"],
  ["server_key", "WebPushSubscription"],
];

/** Checks ids, times, addresses and entities in every answer. Before the application listens. */
export function watchEntities(
  app: FastifyInstance,
  report: AnswerReport = runReport,
): void {
  app.addHook("onSend", async (request, reply, payload) => {
    const [path = ""] = request.url.split("?", 1);
    if (!isWatched(path) || request.method === "OPTIONS") return payload;
    const fault = findFaultOf({
      status: reply.statusCode,
      type: String(reply.getHeader("content-type") ?? ""),
      link: linkOf(reply.getHeader("link")),
      body: typeof payload === "string" ? payload : "",
      isHead: request.method === "HEAD",
    });
    report.checked();
    if (fault === undefined) return payload;
    const complaint = `${request.method} ${request.url} answered ${reply.statusCode}: ${fault}`;
    report.refused(complaint);
    void reply.code(REFUSED_STATUS).type("text/plain; charset=utf-8");
    return complaint;
  });
}

const linkOf = (header: unknown): string | undefined =>
  header === undefined
    ? undefined
    : JSON.stringify(header).slice(1, -1).replaceAll('\\"', '"');

type Observed = {
  readonly status: number;
  readonly type: string;
  readonly link: string | undefined;
  readonly body: string;
  readonly isHead: boolean;
};

function findFaultOf(answer: Observed): string | undefined {
  const { status, type, link, body, isHead } = answer;
  if (!CODES.has(status)) return "the status is none of this API";
  if (!/^application\/json\b/.test(type)) return `the type is ${type}`;
  if (link !== undefined && !LINK.test(link))
    return `the header is Link: ${link}`;
  if (isHead) return undefined;
  const value: unknown = JSON.parse(body);
  return status >= 400
    ? findFault("Error", value)
    : findFaultIn(value, "answer");
}

function findFaultIn(value: unknown, path: string): string | undefined {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const fault = findFaultIn(item, `${path}[${index}]`);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const sign = SIGNS.find(([key]) => key in value);
  const fault = sign && findFault(sign[1], value);
  if (fault !== undefined) return `${path}: ${fault}`;
  // Its id is a number, and so is the time of a token.
  if (["Token", "WebPushSubscription"].includes(sign?.[1] ?? ""))
    return undefined;
  for (const [key, member] of Object.entries(value)) {
    const at = `${path}.${key}`;
    const wrong = findFaultOfMember(key, member, at) ?? findFaultIn(member, at);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function findFaultOfMember(
  key: string,
  value: unknown,
  at: string,
): string | undefined {
  if (value === null) return undefined;
  const isId = (key === "id" || key.endsWith("_id")) && !NO_IDS.has(key);
  if (isId && !(typeof value === "string" && ID.test(value)))
    return `${at} is the id ${JSON.stringify(value)}`;
  const isTime = key.endsWith("_at") && !NO_TIMES.has(key);
  if (isTime && !(typeof value === "string" && TIME.test(value)))
    return `${at} is the time ${JSON.stringify(value)}`;
  return undefined;
}
