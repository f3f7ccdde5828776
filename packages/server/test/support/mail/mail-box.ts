import type { AddressInfo } from "node:net";
import { after, before, beforeEach } from "node:test";
import { simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";

/** A mail as its receiver's program reads it. */
export type ReceivedMail = {
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId: string;
  /** The header lines as they came, with their ends. */
  readonly head: string;
  /** A header, unfolded; empty if it is not there. */
  readonly header: (name: string) => string;
};

/** What the mail server answers to a receiver, or to a whole mail. */
type Refusal = { readonly code: number; readonly words: string };

/** A mail server on a loopback port, which answers as the test wants. */
export function useMailBox() {
  const received: ReceivedMail[] = [];
  let closing: Promise<void> | undefined;
  const box = {
    received,
    /** Of a receiver; undefined takes it. */
    refuse: (_address: string): Refusal | undefined => undefined,
    /** Of a whole mail, after it came. */
    refuseMail: (): Refusal | undefined => undefined,
    /** Of a mail that was taken all the same: its sender never learns it. */
    loseAnswer: (): Refusal | undefined => undefined,
    /** Called before a mail is taken: it may wait. */
    hold: async () => {},
    /** Number of connections so far. */
    connections: 0,
    url: () => `smtp://127.0.0.1:${(tcp.address() as AddressInfo).port}`,
    /** The mails to an address. */
    to: (address: string) => received.filter((mail) => mail.to === address),
    /** From then on nobody answers. */
    close: () => {
      closing ??= new Promise<void>((done) => server.close(() => done()));
      return closing;
    },
  };
  const errorOf = ({ code, words }: Refusal) =>
    Object.assign(new Error(words), { responseCode: code });
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onConnect: (_session, done) => {
      box.connections += 1;
      done();
    },
    onRcptTo: ({ address }, _session, done) => {
      const refusal = box.refuse(address);
      done(refusal ? errorOf(refusal) : null);
    },
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const raw = Buffer.concat(parts);
        const take = async () => {
          await box.hold();
          const refusal = box.refuseMail();
          if (refusal) throw errorOf(refusal);
          const [{ address = "" } = {}] = session.envelope.rcptTo;
          received.push(await read(raw, address));
          const lost = box.loseAnswer();
          if (lost) throw errorOf(lost);
        };
        take().then(
          () => done(),
          (error: Error) => done(error),
        );
      });
    },
  });
  // A client that goes away is no failure of a test.
  server.on("error", () => {});
  const tcp = server.server;
  before(
    () =>
      new Promise<void>((done) => {
        server.listen(0, "127.0.0.1", () => done());
      }),
  );
  beforeEach(() => {
    received.length = 0;
    box.refuse = () => undefined;
    box.refuseMail = () => undefined;
    box.loseAnswer = () => undefined;
    box.hold = async () => {};
  });
  after(() => box.close());
  return box;
}

async function read(raw: Buffer, to: string): Promise<ReceivedMail> {
  const mail = await simpleParser(raw);
  const [head = ""] = raw.toString("latin1").split("\r\n\r\n", 1);
  const unfolded = head.replaceAll(/\r\n[ \t]+/g, " ");
  return {
    to,
    from: mail.from?.text ?? "",
    subject: mail.subject ?? "",
    text: mail.text ?? "",
    html: mail.html || "",
    messageId: mail.messageId ?? "",
    head,
    header: (name) =>
      new RegExp(`^${name}: (.*)$`, "im").exec(unfolded)?.[1] ?? "",
  };
}

/** The path and query of the first link to a page. */
export function linkIn({ text }: ReceivedMail, page: string): string {
  const [, link] =
    new RegExp(`https?://[^/\\s]+(${page}\\?token=[\\w.-]+)`).exec(text) ?? [];
  if (link === undefined) throw new Error(`No link to ${page} in: ${text}`);
  return link;
}

/** The token of such a link. */
export function tokenIn(mail: ReceivedMail, page: string): string {
  const query = linkIn(mail, page).split("?")[1];
  return new URLSearchParams(query).get("token") ?? "";
}
