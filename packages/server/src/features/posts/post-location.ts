import { KithError } from "../../lib/errors.ts";
import { storableText } from "../../lib/well-formed.ts";

/** Where a post was written, according to its author. */
export type PostLocation = {
  /** One line of plain text; may be empty. */
  readonly address: string;
  /** Decimal degrees as text: at most six decimals. */
  readonly lat: string;
  readonly lng: string;
};

/** A place as a request describes it. */
export type TypedLocation = {
  readonly address?: string | undefined;
  readonly lat?: string | undefined;
  readonly lng?: string | undefined;
};

/** In code points. */
const MAX_ADDRESS_LENGTH = 255;
const DEGREES = /^[+-]?\d{1,3}(?:\.\d{1,20})?$/;

/**
 * Reads a local author's location.
 * @returns undefined if none is given
 * @throws {KithError} `bad_request` if it is incomplete, not on the earth or its address
 *   is too long
 */
export function checkLocation(typed: TypedLocation): PostLocation | undefined {
  const address = line(typed.address ?? "");
  const [lat = "", lng = ""] = [typed.lat?.trim(), typed.lng?.trim()];
  if (address === "" && lat === "" && lng === "") return undefined;
  const position = readPosition(lat, lng);
  if (!position)
    throw new KithError(
      "bad_request",
      "A location must have location_lat from -90 to 90 and location_lng from -180 to 180; location_address may be added.",
    );
  if ([...address].length > MAX_ADDRESS_LENGTH)
    throw new KithError(
      "bad_request",
      `The location_address must have at most ${MAX_ADDRESS_LENGTH} characters.`,
    );
  return { address, ...position };
}

/**
 * Reads a remote post's location, truncating an address that is too long.
 * @returns null if it is not on the earth
 */
export function readLocation(received: {
  readonly address?: string | undefined;
  readonly lat: string;
  readonly lng: string;
}): PostLocation | null {
  const position = readPosition(received.lat.trim(), received.lng.trim());
  const address = [...line(received.address ?? "")];
  return position
    ? { address: address.slice(0, MAX_ADDRESS_LENGTH).join(""), ...position }
    : null;
}

function readPosition(
  lat: string,
  lng: string,
): Pick<PostLocation, "lat" | "lng"> | undefined {
  const north = readDegrees(lat, 90);
  const east = readDegrees(lng, 180);
  return north === undefined || east === undefined
    ? undefined
    : { lat: north, lng: east };
}

function readDegrees(text: string, most: number): string | undefined {
  if (!DEGREES.test(text)) return undefined;
  const degrees = Number(text);
  // Adding zero turns -0 into 0.
  return Math.abs(degrees) <= most
    ? String(Number(degrees.toFixed(6)) + 0)
    : undefined;
}

function line(text: string): string {
  return storableText(text).replace(/\s+/g, " ").trim();
}
