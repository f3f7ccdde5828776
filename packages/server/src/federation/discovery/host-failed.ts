import type { FetchRefused } from "../../lib/http-client/guarded-fetch.ts";
import type { Handle } from "../../lib/handle.ts";

/** A host could not be asked at all, so it need not be asked for others either. */
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
