/** Any JSON value, as `parseJson` returns it and as the builders make it. */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object. Parsed ones have no prototype, so a member's name can never reach one. */
export type JsonObject = { [key: string]: JsonValue };
