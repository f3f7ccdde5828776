import type { Note } from "@kith/activitypub";
import {
  readLocation,
  type PostLocation,
} from "../../../features/posts/index.ts";

/**
 * The location of a Note. A place without coordinates is ignored: its address alone may be
 * anything.
 */
export function readPlaceOf({ place }: Note): PostLocation | null {
  if (place?.latitude === undefined || place.longitude === undefined)
    return null;
  const { street, postalCode, locality, region, country } = place;
  const town = [postalCode, locality].filter(Boolean).join(" ");
  const parts = [street, town, region, country].filter(Boolean);
  return readLocation({
    address: place.name ?? place.address ?? parts.join(", "),
    lat: place.latitude.toFixed(6),
    lng: place.longitude.toFixed(6),
  });
}
