import type { FastifyInstance } from "fastify";

/**
 * What keeps this process from doing its work, in a few words for whoever asks
 * from outside: nothing private. Undefined where nothing does.
 */
export type Readiness = () => Promise<string | undefined>;

/** What a supervisor is told, as plain text. */
export type HealthAnswer = { readonly status: number; readonly text: string };

/** The process answers, so its event loop turns. */
export const ALIVE: HealthAnswer = { status: 200, text: "ok\n" };

/** 503 says: send nobody here just now. */
export async function answerReadiness(
  readiness: Readiness,
): Promise<HealthAnswer> {
  const reason = await readiness();
  return reason === undefined ? ALIVE : { status: 503, text: `${reason}\n` };
}

/** For load balancers and supervisors. What is asked every second is logged nowhere. */
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
