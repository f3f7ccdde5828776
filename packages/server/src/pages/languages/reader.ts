import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyInstance, FastifyRequest } from "fastify";
import {
  isLanguage,
  supportedLanguage,
  type Language,
} from "../../lib/messages/messages.ts";
import type { ShownServer } from "../../features/server-profile/index.ts";
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
  /** The version of the server's own style sheet; null without one. */
  styleVersion: string | null;
};

/** The choices of the admins for all pages. */
type ShownBy = Pick<ShownServer, "language" | "name" | "sheet">;

/** The way to the form that removes a style sheet cannot be broken by it. */
const PLAIN = /^\/(?:admin|users|setup)(?:\/|$)/;

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

/** The version of the server's own style sheet, where it is used. */
export function currentStyleVersion(): string | null {
  const reader = storage.getStore();
  return reader && !PLAIN.test(reader.path) ? reader.styleVersion : null;
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
    styleVersion: null,
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
 * @param findServer as its admins describe it
 */
export function knowReaders(
  scope: FastifyInstance,
  findServer: () => Promise<ShownBy>,
): void {
  scope.addHook("onRequest", async (request) => {
    knowReader(request, await findServer());
  });
  scope.addHook("onRequest", (request, _reply, done) => {
    withReader(request, done);
  });
  // The parser of a body goes on in the context of the connection.
  scope.addHook("preValidation", (request, _reply, done) => {
    withReader(request, done);
  });
}

/** Shows the server to the reader of this request as its admins describe it. */
export function knowReader(
  request: FastifyRequest,
  { language, name, sheet }: ShownBy,
): void {
  const reader = readerOf(request);
  reader.serverName = name;
  reader.styleVersion = sheet?.version ?? null;
  const wanted = request.headers["accept-language"];
  reader.language = preferredLanguage(wanted, language);
}

function readerOf(request: FastifyRequest): Reader {
  const known = readers.get(request);
  if (known) return known;
  const language = preferredLanguage(request.headers["accept-language"]);
  const [path = ""] = request.url.split("?", 1);
  const appearance = readAppearance(request.headers.cookie);
  const reader = {
    ...{ path, language, timeZone: "UTC", appearance, serverName: "" },
    styleVersion: null,
  };
  readers.set(request, reader);
  return reader;
}
