import type { FetchRefused } from "../../lib/http-client/guarded-fetch.ts";
import type { Handle } from "../../lib/handle.ts";

/** The host did not respond, so further look-ups there can be skipped. */
export class HostFailed extends Error {
  readonly key: string;
  constructor(handle: Handle, cause: FetchRefused) {
    super(cause.message, { cause });
    this.key = hostKey(handle);
  }
}

export function hostKey({ host }: Handle): string {
  return `//${host}`;
}
