import { failed, ok, skipped, type Finding } from "../lib/finding.ts";
import type { MailServer } from "../lib/mail/mail-server.ts";

/** Does the mail server let this one in? Nothing is sent. */
export async function examineMail(
  server: Pick<MailServer, "check"> | undefined,
): Promise<Finding> {
  const check = "mail";
  if (!server)
    return skipped(check, "KITH_SMTP_URL is not set: no mails are sent.");
  const fault = await server.check();
  return fault === undefined
    ? ok(check, "The mail server lets this server in.")
    : failed(
        check,
        `The mail server does not let this server in: ${fault}`,
        "Correct KITH_SMTP_URL: host, port, name and password. Mails wait meanwhile. Then try kith mail test ADDRESS.",
      );
}
