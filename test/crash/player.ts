import type { Json } from "../support/api-client.ts";
import type { Ledger, Outcome } from "./ledger.ts";
import type { Citizen } from "./town.ts";

/** A person who performs random actions during the game, one after the other. */
export type Player = {
  readonly citizen: Citizen;
  readonly ledger: Ledger;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** This person's objects, and their places. */
  readonly posts: Map<string, string>;
  readonly comments: Map<
    string,
    { readonly post: string; readonly id: string }
  >;
};

export type Act = (player: Player, name: string) => Promise<void>;

type Tried = { readonly outcome: Outcome; readonly body: Json };

/** Calls a server that may be down, or crashing. */
export async function attempt(
  { citizen, ledger }: Player,
  method: string,
  path: string,
  parameters?: Readonly<Record<string, string | readonly string[]>>,
): Promise<Tried> {
  try {
    const { status, body } = await citizen.who.api.call(
      method,
      path,
      parameters,
    );
    const outcome: Outcome =
      status === 200 ? "done" : status < 500 ? "refused" : "unknown";
    return { outcome: ledger.count(outcome), body: body as Json };
  } catch {
    return { outcome: ledger.count("unknown"), body: {} };
  }
}
