import { isStorageFailure } from "../../db/refusal.ts";
import { FetchRefused } from "../../lib/http-client/guarded-fetch.ts";
import type { Handle } from "../../lib/handle.ts";

/** The host did not respond, so further look-ups there can be skipped. */
export class HostFailed extends Error {
  readonly key: string;
  constructor(handle: Handle, cause: FetchRefused) {
    super(cause.message, { cause });
    this.key = hostKey(handle);
  }
}

/**
 * Did our own database fail, rather than the other server? Such an error says
 * nothing about the person, and must not be remembered as an answer.
 */
export function isOwnFailure(error: unknown): boolean {
  return (
    !(error instanceof FetchRefused || error instanceof HostFailed) &&
    isStorageFailure(error)
  );
}

export function hostKey({ host }: Handle): string {
  return `//${host}`;
}
