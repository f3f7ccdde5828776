import type {
  Decision,
  Suspensions,
} from "../../../features/suspensions/index.ts";
import { KithError } from "../../../lib/errors.ts";
import { inOneLine } from "../../in-one-line.ts";
import { UsageError, type CommandOptions, type Write } from "../../usage.ts";

const DECISIONS: readonly Decision[] = [
  "suspend",
  "unsuspend",
  "silence",
  "unsilence",
  "warn",
];

/** `kith person …` @throws {UsageError} */
export async function runPersonCommand(
  { suspensions }: { readonly suspensions: Suspensions },
  words: readonly string[],
  { reason, message }: Pick<CommandOptions, "message" | "reason">,
  write: Write,
): Promise<void> {
  const [verb = "", handle, ...more] = words;
  const decision = DECISIONS.find((one) => one === verb);
  if ((!decision && verb !== "show") || more.length > 0)
    throw new UsageError(
      "kith person show|suspend|unsuspend|silence|unsilence|warn HANDLE [--reason TEXT] [--message TEXT]",
    );
  if (handle === undefined) throw new UsageError("The handle is missing.");
  const found = await suspensions.findByHandle(handle);
  if (!found) throw new UsageError(`There is no person ${handle} here.`);
  if (!decision) return show(suspensions, handle, write);
  const personId = found.person.id;
  const input = { by: null, personId, decision, reason, message };
  const isChanged = await explain(() => suspensions.decide(input));
  write(isChanged ? "Done." : "Nothing has changed.");
}

async function show(
  suspensions: Suspensions,
  handle: string,
  write: Write,
): Promise<void> {
  const found = await suspensions.findByHandle(handle);
  if (!found) return;
  const { person, role, decision } = found;
  const lines: readonly (string | false)[] = [
    person.handle,
    role === null ? "a remote person" : `a local account: ${role}`,
    person.state === "closed" && "has left",
    decision.suspended &&
      `suspended since ${decision.suspendedAt}: ${decision.suspensionReason}`,
    decision.silenced &&
      `silenced since ${decision.silencedAt}: ${decision.silenceReason}`,
    person.state === "shut_out" &&
      !decision.suspended &&
      "hidden, as its server is blocked",
  ];
  for (const line of lines) if (line !== false) write(inOneLine(line));
}

async function explain<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
    throw new UsageError(error.message);
  }
}
