import { OperatorError } from "../../lib/errors.ts";
import { readMailAddress } from "../../lib/mail/mail-address.ts";
import type { MailOutcome } from "../../lib/mail/mail-server.ts";
import { UsageError, type Write } from "../usage.ts";

/**
 * Sends a mail for a trial, past the queue.
 * @param send undefined without a mail server
 * @throws {UsageError} @throws {OperatorError} if it is not taken
 */
export async function runMailCommand(
  send: ((to: string) => Promise<MailOutcome>) | undefined,
  [verb, typed = "", ...more]: readonly string[],
  write: Write,
): Promise<void> {
  const to = readMailAddress(typed);
  if (verb !== "test" || to === undefined || more.length > 0)
    throw new UsageError("kith mail test ADDRESS");
  if (!send)
    throw new OperatorError(
      "No mails are sent: set KITH_SMTP_URL to a mail server.",
    );
  const outcome = await send(to);
  if (outcome.kind !== "sent")
    throw new OperatorError(
      `The mail server did not take it: ${outcome.reason}`,
    );
  write(`The mail server took a mail to ${to}.`);
}
