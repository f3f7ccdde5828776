import { failing, holding, type Outcome } from "../outcome.ts";
import type { World } from "../world.ts";

export async function status(world: World, value: unknown): Promise<Outcome> {
  const wanted = value as (number | string)[];
  if (world.answers.length === 0) return failing("nothing was answered");
  const seen = world.answers.map((one) => `${one.step} ${one.status}`);
  const fits = (code: number) =>
    code < 500 &&
    wanted.some((one) =>
      typeof one === "number"
        ? one === code
        : one.startsWith(String(Math.floor(code / 100))),
    );
  const isRight = world.answers.every((one) => fits(one.status));
  const evidence = seen.join(", ");
  return isRight
    ? holding(evidence)
    : failing(`answered ${evidence} instead of ${wanted.join(" or ")}`);
}

export async function answered(world: World, value: unknown): Promise<Outcome> {
  const { withinMs } = value as { withinMs: number };
  const slowest = Math.max(0, ...world.answers.map((one) => one.tookMs));
  const evidence = `answered within ${Math.ceil(slowest)} ms`;
  return slowest <= withinMs ? holding(evidence) : failing(evidence);
}

export async function answersEqual(world: World): Promise<Outcome> {
  const deliveries = world.answers.filter(({ step }) => step === "deliver");
  const seen = new Set(deliveries.map((one) => `${one.status} ${one.text}`));
  const evidence = [...seen].join(" / ");
  return seen.size === 1
    ? holding(`all answered ${evidence}`)
    : failing(`answered differently: ${evidence}`);
}

export async function alive(world: World, value: unknown): Promise<Outcome> {
  const { withinMs } = value as { withinMs: number };
  if (!world.server.isRunning) return failing("the process has ended");
  const answer = await world.server.caller
    .call({ method: "GET", path: "/.well-known/nodeinfo" })
    .catch(() => undefined);
  const took = Math.ceil(answer?.tookMs ?? Infinity);
  const evidence = `alive: ${answer?.status ?? "no answer"} within ${took} ms`;
  return answer?.status === 200 && took <= withinMs && world.server.isRunning
    ? holding(evidence)
    : failing(evidence);
}
