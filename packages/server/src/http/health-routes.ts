import type { FastifyInstance } from "fastify";
import type { Readiness } from "./readiness.ts";

/** The plain text answer to a probe. */
export type HealthAnswer = { readonly status: number; readonly text: string };

/** An answer of any kind shows that the event loop runs. */
export const ALIVE: HealthAnswer = { status: 200, text: "ok\n" };

/** 503 tells a load balancer to send requests elsewhere. */
export async function answerReadiness(
  readiness: Readiness,
): Promise<HealthAnswer> {
  const reason = await readiness();
  return reason === undefined ? ALIVE : { status: 503, text: `${reason}\n` };
}

/** Probes for load balancers and supervisors. They come every second, so they are not logged. */
export function registerHealth(
  app: FastifyInstance,
  readiness: Readiness,
): void {
  const answers = {
    "/healthz": async () => ALIVE,
    "/readyz": () => answerReadiness(readiness),
  };
  const config = { access: "anyone", limit: "none", isProbe: true } as const;
  for (const [path, answer] of Object.entries(answers))
    app.get(path, { config }, async (_request, reply) => {
      const { status, text } = await answer();
      return reply
        .code(status)
        .header("cache-control", "no-store")
        .type("text/plain; charset=utf-8")
        .send(text);
    });
}
