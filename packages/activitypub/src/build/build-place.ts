import { membersOf } from "./build-parts.ts";
import type { JsonObject } from "../json/json-types.ts";
import { roundDegrees } from "../read/read-place.ts";
import type { Place } from "../read/read-place.ts";

/** Builds a Place: an address as text or in parts; a position only when it is complete. */
export function buildPlace(place: Place | undefined): JsonObject | undefined {
  if (place === undefined) return undefined;
  const { street, postalCode, locality, region, country } = place;
  const postal = membersOf({
    streetAddress: street,
    postalCode,
    addressLocality: locality,
    addressRegion: region,
    addressCountry: country,
  });
  const isPostal = Object.keys(postal).length > 0;
  const { latitude, longitude } = place;
  const hasPosition = latitude !== undefined && longitude !== undefined;
  return membersOf({
    id: place.id,
    type: "Place",
    name: place.name,
    address: isPostal ? { type: "PostalAddress", ...postal } : place.address,
    latitude: hasPosition ? withFraction(latitude) : undefined,
    longitude: hasPosition ? withFraction(longitude) : undefined,
  });
}

/** Mobilizon drops a coordinate written as an integer, and JavaScript writes 45.0 as 45. */
function withFraction(degrees: number): number {
  const rounded = roundDegrees(degrees);
  if (!Number.isInteger(rounded)) return rounded;
  return rounded > 0 ? rounded - 1e-7 : rounded + 1e-7;
}
