import assert from "node:assert/strict";
import { parseJson } from "../src/json/json.ts";
import type { JsonObject } from "../src/json/json-types.ts";
import { readActivity } from "../src/read/read-activity.ts";
import type { Activity } from "../src/read/read-activity.ts";
import { sampleBytes } from "./vectors.ts";

/** A sample payload, read as an activity. */
export function sampleActivity(name: string): Activity {
  return readActivity(parseJson(sampleBytes(name)));
}

/** The object embedded in a sample payload. */
export function sampleObject(name: string): JsonObject {
  const embedded = sampleActivity(name).object?.embedded;
  assert.ok(embedded, name);
  return embedded;
}

/** For `assert.throws`: our error with this code. */
export function refused(code: string) {
  return { name: "ActivityPubError", code };
}
