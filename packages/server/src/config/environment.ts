import type { Env } from "./reader.ts";

/** The environment of this process. Only `readConfig` interprets it. */
export function readEnvironment(): Env {
  return process.env;
}
