import type { Timestamp } from "../time/clock.ts";
import type { Catalogue, MessageKey } from "./catalogue.ts";
import { german } from "./de.ts";
import { english } from "./en.ts";

/** The supported languages. A further one is its file and a line here. */
const CATALOGUES = {
  en: english,
  de: german,
} satisfies Record<string, Catalogue>;

export type Language = keyof typeof CATALOGUES;

export const LANGUAGES = Object.keys(CATALOGUES) as readonly Language[];

export function isLanguage(locale: string): locale is Language {
  return Object.hasOwn(CATALOGUES, locale);
}

/**
 * A sentence in the language of `locale`, in English if that is not supported.
 */
export function translate<K extends MessageKey>(
  locale: string,
  key: K,
  ...params: Parameters<Catalogue[K]>
): string {
  const catalogue: Catalogue = CATALOGUES[supportedLanguage(locale)];
  // The compiler cannot see that a key and its own parameters belong together.
  const message = catalogue[key] as (...all: typeof params) => string;
  return message(...params);
}

/** A day, or a point in time in a time zone, in words. */
export function describeTime(
  locale: string,
  time: Timestamp,
  shown: { readonly timeZone: string } | "day",
): string {
  const language = supportedLanguage(locale);
  const day = {
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
  } as const;
  const format =
    shown === "day"
      ? new Intl.DateTimeFormat(language, { ...day, timeZone: "UTC" })
      : new Intl.DateTimeFormat(language, {
          ...day,
          hour: "numeric",
          minute: "2-digit",
          timeZoneName: "short",
          timeZone: shown.timeZone,
        });
  return format.format(new Date(time));
}

/** For `de-AT` the language is supported, though not the region. */
export function supportedLanguage(locale: string): Language {
  const [language = ""] = locale.toLowerCase().split("-");
  return isLanguage(language) ? language : "en";
}
