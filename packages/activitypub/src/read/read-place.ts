import { isJsonObject } from "../json/json.ts";
import type { JsonObject, JsonValue } from "../json/json-types.ts";
import { firstOf, linkOf, listOf, present, textOf } from "../values.ts";

/** A place, as described by peers. All texts are plain. */
export type Place = {
  /** Id, when the place has a URL of its own. */
  id?: string;
  name?: string;
  /** The whole address as one text, as Gancio sends it. */
  address?: string;
  street?: string;
  postalCode?: string;
  locality?: string;
  region?: string;
  country?: string;
  /** Decimal degrees to six digits, about ten centimetres; both or neither. */
  latitude?: number;
  longitude?: number;
};

/** The location of an event, physical and online. */
export type Locations = {
  place?: Place;
  /** The URL of a VirtualLocation (FEP-8a8e). */
  onlineUrl?: string;
};

const MAX_LOCATIONS = 20;
const MAX_TEXT = 2048;

/**
 * Reads `location`: a Place, a text, a VirtualLocation, or a list of these, of which the first of each kind is used. An
 * address may be a text or a schema.org PostalAddress.
 */
export function readLocations(value: JsonValue | undefined): Locations {
  let place: Place | undefined;
  let onlineUrl: string | undefined;
  for (const item of listOf(value, MAX_LOCATIONS)) {
    if (!isJsonObject(item)) {
      const name = textOf(item, MAX_TEXT);
      if (name !== undefined) place ??= { name };
    } else if (textOf(item["type"]) === "VirtualLocation") {
      onlineUrl ??= linkOf(firstOf(item["url"]) ?? null)?.url;
    } else {
      place ??= readPlace(item);
    }
  }
  return {
    ...(place !== undefined && { place }),
    ...(onlineUrl !== undefined && { onlineUrl }),
  };
}

function readPlace(item: JsonObject): Place | undefined {
  const address = firstOf(item["address"]);
  const postal = isJsonObject(address) ? address : {};
  const part = (name: string) => textOf(postal[name], MAX_TEXT);
  const place = present<Place>({
    id: textOf(item["id"], MAX_TEXT),
    name: textOf(item["name"], MAX_TEXT),
    address: isJsonObject(address) ? undefined : textOf(address, MAX_TEXT),
    street: part("streetAddress"),
    postalCode: part("postalCode"),
    locality: part("addressLocality"),
    region: part("addressRegion"),
    country: part("addressCountry"),
    ...readPosition(item),
  });
  return Object.keys(place).length > 0 ? place : undefined;
}

function readPosition(item: JsonObject): {
  latitude: number | undefined;
  longitude: number | undefined;
} {
  const latitude = degreesOf(item["latitude"], 90);
  const longitude = degreesOf(item["longitude"], 180);
  return latitude === undefined || longitude === undefined
    ? { latitude: undefined, longitude: undefined }
    : { latitude, longitude };
}

function degreesOf(
  value: JsonValue | undefined,
  most: number,
): number | undefined {
  const first = firstOf(value);
  const text = typeof first === "string" ? first.trim() : "";
  const degrees = typeof first === "number" ? first : Number(text || "none");
  return Math.abs(degrees) <= most ? roundDegrees(degrees) : undefined;
}

/** Rounds to six digits. Also removes the fraction that `buildPlace` adds to whole degrees, and the sign of zero. */
export function roundDegrees(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6 + 0;
}
