import { appendFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { createLog, type Log } from "../../../src/observability/log.ts";
import type { ApiDocument } from "../../../src/http/api-document.ts";
import { createAnswerCheck, type AnswerCheck } from "./answer-check.ts";

/** The handling of observed answers. */
export type AnswerReport = {
  checked(): void;
  refused(complaint: string): void;
};

/** The effect of an undocumented answer: its test fails. */
export const REFUSED_STATUS = 599;

const CHECKED = "x-answer-checked";
const LOADING = "x-answer-check-loading";
const DOCUMENT_PATH = "/api/v0/openapi.json";

/** For the whole run: `scripts/test.ts` names the file and reads it at the end. */
export const runReport: AnswerReport = {
  checked: () => {
    checkedInProcess += 1;
  },
  refused: (complaint) => write({ refused: complaint }),
};

let checkedInProcess = 0;
process.on("exit", () => {
  if (checkedInProcess > 0) write({ checked: checkedInProcess });
});

function write(line: object): void {
  const file = process.env["KITH_TEST_ANSWERS"];
  if (file) appendFileSync(file, `${JSON.stringify(line)}\n`);
}

/** Fastify's log message about a request that was answered a second time. */
const ANSWERED_TWICE = "FST_ERR_REP_ALREADY_SENT";

/** A log that says nothing, and reports each request that was answered twice. */
export function watchedLog(report: AnswerReport = runReport): Log {
  return createLog("warn", undefined, {
    write: (line) => {
      if (line.includes(ANSWERED_TWICE)) report.refused(line.trim());
    },
  });
}

/** The service API, without its ActivityPub routes. */
function isWatched(url: string): boolean {
  return /^\/api\/v0(?!\/ap(?:[/?]|$))(?:[/?]|$)/.test(url);
}

function pathOf(url: string): string {
  return url.slice("/api/v0".length).split("?", 1)[0] ?? "";
}

/** Applications with the same document but for their address. */
export type AnswerWatch = {
  readonly report: AnswerReport;
  /** Made from the document of the first one that answers. */
  check?: Promise<AnswerCheck>;
};

const kithServers: AnswerWatch = { report: runReport };

/** Checks every answer of an application of this process. Before it listens. */
export function watchAnswers(
  app: FastifyInstance,
  watch: AnswerWatch = kithServers,
): void {
  const { report } = watch;
  const load = async (): Promise<AnswerCheck> => {
    const headers = { [LOADING]: "yes" };
    const answer = await app.inject({ url: DOCUMENT_PATH, headers });
    return createAnswerCheck(answer.json());
  };
  app.addHook("onSend", async (request, reply, payload) => {
    if (!isWatched(request.url) || LOADING in request.headers) return payload;
    watch.check ??= load();
    const check = await watch.check;
    const fields = request.parameters?.["fields"];
    const complaint = check({
      method: request.method,
      path: pathOf(request.url),
      selected: fields !== undefined && fields !== null && fields !== "",
      status: reply.statusCode,
      contentType: String(reply.getHeader("content-type") ?? ""),
      body: textOf(payload),
    });
    void reply.header(CHECKED, "yes");
    report.checked();
    if (complaint === undefined) return payload;
    report.refused(complaint);
    void reply.code(REFUSED_STATUS).type("text/plain; charset=utf-8");
    return complaint;
  });
}

function textOf(payload: unknown): string | undefined {
  if (payload === null || payload === undefined) return "";
  if (typeof payload === "string") return payload;
  return Buffer.isBuffer(payload) ? payload.toString() : undefined;
}

type Fetch = typeof fetch;

/** Checks the answers of Kith servers in other processes, and those that no hook of ours saw. */
export function watchFetch(
  fetch: Fetch,
  report: AnswerReport = runReport,
): Fetch {
  let check: AnswerCheck | undefined;
  return async (input, init) => {
    const response = await fetch(input, init);
    const url = new URL(input instanceof Request ? input.url : input);
    const isOurs = url.hostname === "localhost" && isWatched(url.pathname);
    if (!isOurs || response.headers.has(CHECKED)) return response;
    check ??= await loadFrom(fetch, url.origin);
    const complaint = check?.({
      method: init?.method ?? "GET",
      path: pathOf(url.pathname),
      selected: url.searchParams.has("fields") || hasFields(init?.body),
      status: response.status,
      contentType: response.headers.get("content-type") ?? "",
      body: await response.clone().text(),
    });
    if (check) report.checked();
    if (complaint === undefined) return response;
    report.refused(complaint);
    return new Response(complaint, { status: REFUSED_STATUS });
  };
}

function hasFields(body: RequestInit["body"]): boolean {
  if (body instanceof URLSearchParams || body instanceof FormData)
    return body.has("fields");
  return typeof body === "string" && /["&]?fields["=]/.test(body);
}

/** @returns undefined where that is no Kith, or it is gone by now */
async function loadFrom(
  fetch: Fetch,
  origin: string,
): Promise<AnswerCheck | undefined> {
  const answer = await fetch(origin + DOCUMENT_PATH).catch(() => undefined);
  if (answer?.status !== 200) return undefined;
  return createAnswerCheck((await answer.json()) as ApiDocument);
}
