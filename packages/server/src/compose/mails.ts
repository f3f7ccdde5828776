import type { CommandInput } from "./command-input.ts";
import type { Features } from "./features.ts";
import type { Config } from "../config/config.ts";
import { MAIL, MAIL_DIGESTS, RESET_MAIL } from "../features/mail/index.ts";
import type { Worker } from "../jobs/worker/worker.ts";
import { newGuid } from "../lib/guids.ts";
import { createMailServer, type MailServer } from "../lib/mail/mail-server.ts";
import type { SmtpServer } from "../lib/mail/smtp-url.ts";
import { systemClock } from "../lib/time/clock.ts";
import { UNSUBSCRIBE_PATH, withToken } from "../pages/mails/mail-paths.ts";
import { trialWords } from "../pages/mails/mail-words.ts";
import { createMailRenderers } from "../pages/mails/mail-renderers.ts";

/** The mail server of the settings, if there is one. */
export function mailServerOf(
  config: Config,
  smtp: SmtpServer | undefined,
  findName: () => Promise<string>,
): MailServer | undefined {
  if (!smtp || !config.mail) return undefined;
  const { hostname } = new URL(config.baseUrl);
  return createMailServer({
    ...{ server: smtp, from: config.mail.from, host: hostname },
    findName: async () => (await findName()) || config.baseHost,
  });
}

/** Registers the handlers of the jobs that send mails. */
export function handleMails(
  worker: Worker,
  features: Features,
  { config, smtp }: { config: Config; smtp?: SmtpServer | undefined },
): void {
  const { mails, serverProfile } = features;
  const { baseUrl, baseHost: handleHost } = config;
  const server = mailServerOf(
    ...([config, smtp, async () => (await serverProfile.get()).name] as const),
  );
  const render = createMailRenderers({ ...features, baseUrl, handleHost });
  const send = mails.createSend(
    {
      ...{ people: features.people, notifications: features.notifications },
      handleHost,
      unsubscribeUrlOf: (token) => baseUrl + withToken(UNSUBSCRIBE_PATH, token),
    },
    server,
    render,
  );
  worker.handle(MAIL, send);
  worker.handle(RESET_MAIL, mails.createResetMail());
  worker.handle(MAIL_DIGESTS, mails.createDigests());
}

/** Sends a mail for a trial; undefined without a mail server. */
export function trialOf({ config, secrets }: CommandInput) {
  const server = mailServerOf(config, secrets.smtp, async () => "");
  const { baseUrl, baseHost } = config;
  return (
    server &&
    ((to: string) =>
      server.send({
        ...{ to, sentAt: systemClock.now() },
        messageId: `kith.${newGuid()}@${new URL(baseUrl).hostname}`,
        ...trialWords(baseHost, baseUrl),
      }))
  );
}
