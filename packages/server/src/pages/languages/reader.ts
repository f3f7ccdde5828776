import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyInstance, FastifyRequest } from "fastify";
import {
  isLanguage,
  supportedLanguage,
  type Language,
} from "../../lib/messages/messages.ts";
import { readAppearance, type Appearance } from "./appearance.ts";
import { preferredLanguage } from "./preferred-language.ts";

/**
 * Where a reader is, in which language and colours a page is shown, and its
 * times' zone.
 */
type Reader = {
  readonly path: string;
  language: Language;
  timeZone: string;
  appearance: Appearance;
  /** Empty if the admins have given none. */
  serverName: string;
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

/** The name that the admins have given to the server. */
export function currentServerName(): string {
  return storage.getStore()?.serverName || "Kith";
}

/** In which colours the page is shown. */
export function currentAppearance(): Appearance {
  return storage.getStore()?.appearance ?? "system";
}

/** The page that is being answered is shown in these colours already. */
export function showIn(appearance: Appearance): void {
  const reader = storage.getStore();
  if (reader) reader.appearance = appearance;
}

/** A page was asked for in this language; one without pages changes nothing. */
export function preferLanguage(wanted: string): void {
  const reader = storage.getStore();
  const [language = ""] = wanted.toLowerCase().split("-");
  if (reader && isLanguage(language)) reader.language = language;
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

/** Runs the function for somebody who is told something without asking for a page. */
export function withSettings<Result>(
  settings: { readonly locale: string; readonly timeZone: string },
  run: () => Result,
): Result {
  const reader: Reader = {
    ...{ path: "", appearance: "system", serverName: "" },
    language: supportedLanguage(settings.locale),
    timeZone: settings.timeZone,
  };
  return storage.run(reader, run);
}

/** Runs the function with the reader of this request. */
export function withReader<Result>(
  request: FastifyRequest,
  run: () => Result,
): Result {
  return storage.run(readerOf(request), run);
}

/**
 * Lets all handlers of these routes know their reader.
 * @param findName of the server
 */
export function knowReaders(
  scope: FastifyInstance,
  findName: () => Promise<string>,
): void {
  scope.addHook("onRequest", async (request) => {
    readerOf(request).serverName = await findName();
  });
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
  const appearance = readAppearance(request.headers.cookie);
  const reader = {
    ...{ path, language, timeZone: "UTC", appearance, serverName: "" },
  };
  readers.set(request, reader);
  return reader;
}
