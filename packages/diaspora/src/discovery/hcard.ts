import { DiasporaError } from "../errors.ts";
import type { DiasporaErrorCode } from "../errors.ts";
import { readHcardHtml } from "./hcard-html.ts";
import type { HcardValues } from "./hcard-html.ts";
import { isGuid } from "../identifiers.ts";
import { toSpkiPem } from "../envelopes/keys.ts";
import { seedLocationOf } from "../locations.ts";
import { isUrlOrPath, isWithinLength } from "../values.ts";

const MAX_CHARACTERS = 512 * 1024;

/** The data of a person's hCard. Names may be empty; image URLs may be paths, from careless peers. */
export interface Hcard {
  readonly guid: string;
  /** SPKI, whatever the encoding in the card. */
  readonly publicKeyPem: string;
  readonly nickname?: string;
  /** Peers only check it; they display first and last name. */
  readonly fullName: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly searchable: boolean;
  /** 300 pixels wide; the other two are 100 and 50. */
  readonly imageUrl: string;
  readonly imageUrlMedium: string;
  readonly imageUrlSmall: string;
  readonly podLocation?: string;
}

/** The input of {@link buildHcard}: names within the limits of `splitName`, absolute image URLs. */
export interface HcardInput {
  readonly guid: string;
  readonly nickname: string;
  readonly fullName: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly publicKeyPem: string;
  readonly searchable: boolean;
  readonly imageUrl: string;
  readonly imageUrlMedium: string;
  readonly imageUrlSmall: string;
  readonly baseUrl: string;
}

/**
 * Reads an hCard. Nothing is loaded or executed; only a dozen class names are read.
 * @param fallback data from WebFinger, for cards without guid or key (Hubzilla)
 * @throws {DiasporaError} stage `discovery`: `incomplete_document`, `invalid_property`, `bad_key` or `too_large`
 * @see diaspora* federation protocol, hCard
 */
export function parseHcard(
  html: string,
  fallback: { readonly guid?: string; readonly publicKeyPem?: string } = {},
): Hcard {
  if (html.length > MAX_CHARACTERS) {
    throw fault("too_large", "The hCard is larger than 512 KiB");
  }
  const values = readHcardHtml(html);
  const card = {
    guid: required(values.uid ?? fallback.guid, "uid"),
    publicKeyPem: toSpkiPem(
      required(values.key ?? fallback.publicKeyPem, "key"),
    ),
    ...(values.nickname !== undefined && { nickname: values.nickname }),
    ...readNames(values),
    searchable: values.searchable === "true",
    imageUrl: imageUrl(values.photo, "entity_photo"),
    imageUrlMedium: imageUrl(values.photoMedium, "entity_photo_medium"),
    imageUrlSmall: imageUrl(values.photoSmall, "entity_photo_small"),
    ...(values.podLocation !== undefined && {
      podLocation: values.podLocation,
    }),
  };
  if (!isGuid(card.guid)) throw fault("invalid_property", "uid is no guid");
  return card;
}

/**
 * Builds an hCard that diaspora*, Friendica and Socialhome can read. Serve it as `text/html; charset=utf-8`.
 * @throws {DiasporaError} stage `discovery`: `bad_key`, or `invalid_property` for `baseUrl`
 * @see diaspora* federation protocol, hCard
 */
export function buildHcard(person: HcardInput): string {
  const base = seedLocationOf(person.baseUrl);
  // No white space inside .uid: pods use the text untrimmed. Friendica requires an enclosing div.vcard.
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(person.fullName)}</title></head>
<body>
<div class="vcard">
<p>ID <span class="uid">${escapeHtml(person.guid)}</span></p>
<p>User name <span class="nickname">${escapeHtml(person.nickname)}</span></p>
<p>Name <span class="fn">${escapeHtml(person.fullName)}</span></p>
<p>First name <span class="given_name">${escapeHtml(person.firstName)}</span></p>
<p>Last name <span class="family_name">${escapeHtml(person.lastName)}</span></p>
<p>Searchable <span class="searchable">${person.searchable}</span></p>
<p>Server <a id="pod_location" class="url" href="${escapeHtml(base)}">${escapeHtml(base)}</a></p>
<pre class="key">${escapeHtml(toSpkiPem(person.publicKeyPem))}</pre>
${photo("entity_photo", 300, person.imageUrl)}
${photo("entity_photo_medium", 100, person.imageUrlMedium)}
${photo("entity_photo_small", 50, person.imageUrlSmall)}
</div>
</body>
</html>
`;
}

function photo(container: string, size: number, url: string): string {
  return `<div class="${container}"><img class="photo avatar" alt="" width="${size}" height="${size}" src="${escapeHtml(url)}"></div>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

function readNames(
  values: HcardValues,
): Pick<Hcard, "fullName" | "firstName" | "lastName"> {
  return {
    fullName: name(required(values.fn, "fn"), 70, "fn"),
    firstName: name(values.givenName ?? "", 32, "given_name"),
    lastName: name(values.familyName ?? "", 32, "family_name"),
  };
}

function name(text: string, maxLength: number, what: string): string {
  if (text.includes(";") || !isWithinLength(text, maxLength)) {
    throw fault("invalid_property", `${what} is too long or has a semicolon`);
  }
  return text;
}

function imageUrl(src: string | undefined, container: string): string {
  const url = required(src, container);
  if (!isUrlOrPath(url)) {
    throw fault("invalid_property", `${container} has no URL`);
  }
  return url;
}

function required(text: string | undefined, what: string): string {
  if (text === undefined) throw fault("incomplete_document", `No ${what}`);
  return text;
}

function fault(code: DiasporaErrorCode, message: string): DiasporaError {
  return new DiasporaError("discovery", code, message);
}
