/** Any JSON value, as returned by `parseJson` and by the builders. */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object. Parsed objects have no prototype, so a member name can never reach one. */
export type JsonObject = { [key: string]: JsonValue };
