import type { SMTPTransportOptions } from "nodemailer";
import { messageOf } from "../errors.ts";
import { keepOnce } from "../caching/keep-once.ts";
import { inMailLine } from "./mail-text.ts";
import type { SmtpServer } from "./smtp-url.ts";

/** A mail to one receiver. Its texts may hold anything; the headers may not. */
export type Mail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Fixed by what is sent, without brackets: a repetition has the same. */
  readonly messageId: string;
  readonly sentAt: Date;
  /** The address at which one click ends such mails (RFC 8058). */
  readonly unsubscribeUrl?: string;
};

/** How a mail was received, with the answer of the mail server in one line. */
export type MailOutcome =
  | { readonly kind: "sent" }
  | {
      readonly kind: "deferred";
      readonly reason: string;
      /** Does it concern this mail alone, and not all of that server? */
      readonly isOfMail: boolean;
    }
  /** No mail reaches that address. */
  | { readonly kind: "bounced"; readonly reason: string }
  /** This mail is not taken, for another reason than its address. */
  | { readonly kind: "refused"; readonly reason: string };

/** Hands mails to the mail server. */
export type MailServer = {
  send(mail: Mail): Promise<MailOutcome>;
  /** Connects and signs in. @returns what went wrong, if anything did */
  check(): Promise<string | undefined>;
};

export type MailServerInput = {
  readonly server: SmtpServer;
  /** The address of the sender. */
  readonly from: string;
  /** How the sender is called: a text of the operators. */
  readonly findName: () => Promise<string>;
  /** The host of Kith, by which it greets. */
  readonly host: string;
  /** How long a mail server may take, which tests shorten. */
  readonly timeouts?: Timeouts;
};

type Timeouts = {
  readonly connectMs: number;
  /** Without a sign of life. */
  readonly silenceMs: number;
  /** A server that sends a letter now and then is not silent, and must end all the same. */
  readonly wholeMs: number;
};

const TIMEOUTS: Timeouts = {
  connectMs: 15_000,
  silenceMs: 30_000,
  wholeMs: 120_000,
};
/** In characters, of an answer of a mail server. */
const MAX_REASON = 300;

/** Loaded with the first mail: most servers send one now and then, and many never do. */
const loadLibrary = keepOnce(async () => import("nodemailer"));

export function createMailServer(input: MailServerInput): MailServer {
  const { timeouts = TIMEOUTS } = input;
  const options = optionsOf(input, timeouts);
  const inTime = <T>(sending: Promise<T>) =>
    endAfter(timeouts.wholeMs, sending);
  return {
    send: async (mail) => {
      const { createTransport } = await loadLibrary();
      const transport = createTransport(options);
      const name = inMailLine(await input.findName(), 60);
      const sending = transport.sendMail({
        from: { name, address: input.from },
        to: { name: "", address: mail.to },
        envelope: { from: input.from, to: [mail.to] },
        subject: inMailLine(mail.subject),
        ...{ text: mail.text, html: mail.html, date: mail.sentAt },
        messageId: `<${mail.messageId}>`,
        headers: {
          // No machine should answer (RFC 3834).
          "Auto-Submitted": "auto-generated",
          ...unsubscribeHeaders(mail),
        },
        ...{ disableFileAccess: true, disableUrlAccess: true },
      });
      try {
        await inTime(sending);
        return { kind: "sent" };
      } catch (error) {
        return outcomeOf(error);
      } finally {
        transport.close();
      }
    },
    check: async () => {
      const { createTransport } = await loadLibrary();
      const transport = createTransport(options);
      try {
        await inTime(transport.verify());
        return undefined;
      } catch (error) {
        return reasonOf(error);
      } finally {
        transport.close();
      }
    },
  };
}

function optionsOf(
  { server, host }: MailServerInput,
  { connectMs, silenceMs }: Timeouts,
): SMTPTransportOptions {
  const { credentials, isLoopback, isTls } = server;
  return {
    ...{ host: server.host, port: server.port, secure: isTls, name: host },
    // Passwords and addresses cross no network in the clear.
    requireTLS: !isTls && !isLoopback,
    // Of this machine itself, whose certificate has no name that could be checked.
    ...(isLoopback && { tls: { rejectUnauthorized: false } }),
    ...(credentials && {
      auth: { user: credentials.user, pass: credentials.password },
    }),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: silenceMs,
    maxResponseSize: 64 * 1024,
    logger: false,
  };
}

function unsubscribeHeaders({ unsubscribeUrl }: Mail): Record<string, string> {
  if (unsubscribeUrl === undefined) return {};
  return {
    "List-Unsubscribe": `<${unsubscribeUrl}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}

class TooSlow extends Error {}

async function endAfter<T>(ms: number, sending: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new TooSlow("The mail server is too slow")),
      ms,
    );
    timer.unref();
  });
  // It may fail after its time, when nobody waits for it any more.
  sending.catch(() => {});
  return Promise.race([sending, late]).finally(() => clearTimeout(timer));
}

/** The parts of an error of the library that say who refused what. */
type SmtpFailure = {
  readonly responseCode?: unknown;
  readonly command?: unknown;
  readonly response?: unknown;
};

function outcomeOf(error: unknown): MailOutcome {
  const reason = reasonOf(error);
  const { responseCode, command, response } = failureOf(error);
  const status = typeof responseCode === "number" ? responseCode : 0;
  const isOfReceiver = command === "RCPT TO";
  const isOfMail = isOfReceiver || command === "DATA";
  // A wrong password, sender or certificate is the operator's to mend: the mails wait for it.
  if (status < 500 || !isOfMail)
    return { kind: "deferred", reason, isOfMail: status >= 400 && isOfMail };
  const enhanced = /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(String(response));
  const detail = enhanced?.[1];
  // 5.1.x is about addresses (RFC 3463), 5.7.x about what we may send.
  const isAddress =
    detail === undefined ? isOfReceiver : isAboutAddress(detail, isOfReceiver);
  return { kind: isAddress ? "bounced" : "refused", reason };
}

function failureOf(error: unknown): SmtpFailure {
  return typeof error === "object" && error !== null ? error : {};
}

function isAboutAddress(detail: string, isOfReceiver: boolean): boolean {
  if (/^5\.1\.[78]$/.test(detail)) return false; // Of the sender.
  if (detail.startsWith("5.1.")) return true;
  return isOfReceiver && !/^5\.[37]\./.test(detail);
}

function reasonOf(error: unknown): string {
  return inMailLine(messageOf(error), MAX_REASON);
}
