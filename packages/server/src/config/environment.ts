import type { Env } from "./reader.ts";

/** The environment of this process. Only `readConfig` makes anything of it. */
export function readEnvironment(): Env {
  return process.env;
}
