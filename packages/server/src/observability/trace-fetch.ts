import {
  FetchRefused,
  type GuardedFetch,
} from "../lib/http-client/guarded-fetch.ts";
import type { Tracing } from "./tracing.ts";

/**
 * Traces requests to other servers by their host. No header tells those servers
 * of the trace.
 * @see OpenTelemetry semantic conventions, "HTTP spans"
 */
export function traceFetch(
  tracing: Pick<Tracing, "trace">,
  fetch: GuardedFetch,
): GuardedFetch {
  return {
    ...fetch,
    request: (r) => {
      const host = URL.parse(r.url)?.host ?? "";
      const attributes = {
        "http.request.method": r.method,
        "server.address": host,
      };
      const start = { name: r.method, kind: "client" as const, attributes };
      return tracing.trace(start, async (span) => {
        try {
          const answer = await fetch.request(r);
          span.set({ "http.response.status_code": answer.status });
          if (answer.status >= 400) span.fail(String(answer.status));
          return answer;
        } catch (error) {
          span.fail(error instanceof FetchRefused ? error.reason : "aborted");
          throw error;
        }
      });
    },
  };
}
