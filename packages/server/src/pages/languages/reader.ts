import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyInstance, FastifyRequest } from "fastify";
import {
  supportedLanguage,
  type Language,
} from "../../lib/messages/messages.ts";
import { preferredLanguage } from "./preferred-language.ts";

/** Where a reader is, in which language a page speaks, and its times' zone. */
type Reader = {
  readonly path: string;
  language: Language;
  timeZone: string;
};

const storage = new AsyncLocalStorage<Reader>();
const readers = new WeakMap<FastifyRequest, Reader>();

/** English where no request is being answered. */
export function currentLanguage(): Language {
  return storage.getStore()?.language ?? "en";
}

/** The IANA name; UTC for visitors without an account. */
export function currentTimeZone(): string {
  return storage.getStore()?.timeZone ?? "UTC";
}

/** The path of the requested page, without its query. */
export function currentPath(): string | undefined {
  return storage.getStore()?.path;
}

/** The settings of an account go before what its browser prefers. */
export function readAs(settings: {
  readonly locale: string;
  readonly timeZone: string;
}): void {
  const reader = storage.getStore();
  if (!reader) return;
  reader.language = supportedLanguage(settings.locale);
  reader.timeZone = settings.timeZone;
}

/** Runs the function with the reader of this request. */
export function withReader<Result>(
  request: FastifyRequest,
  run: () => Result,
): Result {
  return storage.run(readerOf(request), run);
}

/** Lets all handlers of these routes know their reader. */
export function knowReaders(scope: FastifyInstance): void {
  scope.addHook("onRequest", (request, _reply, done) => {
    withReader(request, done);
  });
  // The parser of a body goes on in the context of the connection.
  scope.addHook("preValidation", (request, _reply, done) => {
    withReader(request, done);
  });
}

function readerOf(request: FastifyRequest): Reader {
  const known = readers.get(request);
  if (known) return known;
  const language = preferredLanguage(request.headers["accept-language"]);
  const [path = ""] = request.url.split("?", 1);
  const reader = { path, language, timeZone: "UTC" };
  readers.set(request, reader);
  return reader;
}
