import type { SubscriptionFault } from "../../db/schema/schema-events.ts";
import {
  FetchRefused,
  type GuardedFetch,
} from "../../lib/http-client/guarded-fetch.ts";
import type { SubscriptionState } from "./subscription.ts";

/** Of the text of a subscribed calendar: more than years of a busy one. */
export const MAX_CALENDAR_BYTES = 2 * 1024 * 1024;
const TIMEOUT_MS = 15_000;
const MAX_TAG_LENGTH = 1000;
const DAY_MS = 86_400_000;

export type ReadAnswer =
  | { readonly kind: "unchanged" }
  | {
      readonly kind: "read";
      readonly bytes: Uint8Array;
      readonly etag: string | null;
      readonly lastModified: string | null;
    }
  | {
      readonly kind: "failed";
      readonly fault: SubscriptionFault;
      /** How long its server wants to be left alone. */
      readonly afterMs?: number;
    };

/** Tags of a calendar from when it was read the last time. */
export type KnownTags = Pick<SubscriptionState, "etag" | "lastModified">;

/**
 * Reads a calendar elsewhere. The other server learns the address of this one, and nothing
 * about the reader.
 * @param known leaves out a text that has not changed since
 * @throws the reason of `signal`, if it is aborted
 */
export type ReadElsewhere = (
  url: string,
  known?: KnownTags,
  signal?: AbortSignal,
) => Promise<ReadAnswer>;

export function createReadElsewhere(
  fetch: Pick<GuardedFetch, "request">,
): ReadElsewhere {
  return async (url, known, signal) => {
    try {
      const answer = await fetch.request({
        ...{ method: "GET", url, maxBytes: MAX_CALENDAR_BYTES },
        headers: { accept: "text/calendar, */*;q=0.5", ...conditions(known) },
        ...{ timeoutMs: TIMEOUT_MS, accept2xxOnly: true },
        ...(signal && { signal }),
      });
      if (answer.status === 304 && known) return { kind: "unchanged" };
      if (answer.status !== 200) return failed(answer);
      return {
        ...{ kind: "read", bytes: answer.body },
        etag: tagOf(answer.headers["etag"]),
        lastModified: tagOf(answer.headers["last-modified"]),
      };
    } catch (error) {
      if (!(error instanceof FetchRefused)) throw error;
      const { reason } = error;
      const fault =
        reason === "blocked" || reason === "too_large" ? reason : "unreachable";
      return { kind: "failed", fault };
    }
  };
}

function conditions(known: KnownTags | undefined): Record<string, string> {
  return {
    ...(known?.etag && { "if-none-match": known.etag }),
    ...(known?.lastModified && { "if-modified-since": known.lastModified }),
  };
}

function tagOf(header: string | undefined): string | null {
  return header === undefined || header.length > MAX_TAG_LENGTH ? null : header;
}

function failed({
  status,
  headers,
}: {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}): ReadAnswer {
  const seconds = /^\d{1,9}$/.exec(headers["retry-after"] ?? "")?.[0];
  return {
    kind: "failed",
    fault: faultOf(status),
    ...(seconds !== undefined && {
      afterMs: Math.min(Number(seconds) * 1000, DAY_MS),
    }),
  };
}

function faultOf(status: number): SubscriptionFault {
  if (status === 404 || status === 410) return "gone";
  return status === 401 || status === 403 ? "forbidden" : "unreachable";
}
