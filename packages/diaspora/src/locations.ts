import { DiasporaError } from "./errors.ts";
import { isGuid } from "./identifiers.ts";
import { isHttpUrl } from "./values.ts";

/**
 * Truncates a URL to `scheme://host[:port]/`, the only part of a seed location that peers use.
 * @throws {DiasporaError} stage `discovery`, `invalid_property` if it is not an absolute http or https URL
 * @see diaspora* federation protocol, WebFinger
 */
export function seedLocationOf(url: string): string {
  if (!isHttpUrl(url)) {
    throw invalid("The seed location is no absolute URL");
  }
  return `${new URL(url).origin}/`;
}

/** The URL at which a server receives public envelopes. Errors as {@link seedLocationOf}. */
export function receivePublicUrl(seedLocation: string): string {
  return `${seedLocationOf(seedLocation)}receive/public`;
}

/**
 * The URL at which a server receives encrypted envelopes for one of its people.
 * @throws {DiasporaError} stage `discovery`, `invalid_property`
 */
export function receivePrivateUrl(seedLocation: string, guid: string): string {
  return `${seedLocationOf(seedLocation)}receive/users/${checkedGuid(guid)}`;
}

/**
 * The URL at which a server serves an entity.
 * @param type name of the entity in snake_case, or `post`
 * @throws {DiasporaError} stage `discovery`, `invalid_property`
 * @see diaspora* federation protocol, Fetching
 */
export function fetchUrl(
  seedLocation: string,
  type: string,
  guid: string,
): string {
  if (!/^[a-z][a-z_]{0,63}$/.test(type)) {
    throw invalid("Not the name of an entity");
  }
  return `${seedLocationOf(seedLocation)}fetch/${type}/${checkedGuid(guid)}`;
}

/**
 * The URL at which a server lists a person's last public posts, when asked for JSON.
 * @throws {DiasporaError} stage `discovery`, `invalid_property`
 */
export function personStreamUrl(seedLocation: string, guid: string): string {
  return `${seedLocationOf(seedLocation)}people/${checkedGuid(guid)}/stream`;
}

/** All characters of a guid are valid in a path, and pods send them unescaped. */
function checkedGuid(guid: string): string {
  if (!isGuid(guid)) throw invalid("Not a guid");
  return guid;
}

function invalid(message: string): DiasporaError {
  return new DiasporaError("discovery", "invalid_property", message);
}
