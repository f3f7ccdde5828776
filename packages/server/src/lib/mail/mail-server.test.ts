import assert from "node:assert/strict";
import { createServer, type AddressInfo, type Server } from "node:net";
import { after, before, test } from "node:test";
import { SMTPServer } from "smtp-server";
import { createMailServer, type Mail } from "./mail-server.ts";
import type { SmtpServer } from "./smtp-url.ts";

const MAIL: Mail = {
  ...{ to: "ann@mail.example", subject: "Hello", text: "Hello", html: "" },
  ...{ messageId: "1@kith.example", sentAt: new Date(0) },
};
const TIMEOUTS = { connectMs: 400, silenceMs: 400, wholeMs: 1_500 };

const portOf = (server: Pick<Server, "address">) =>
  (server.address() as AddressInfo).port;

const mailServerAt = (
  port: number,
  more: Partial<SmtpServer> = {},
  from = "kith@kith.example",
) =>
  createMailServer({
    server: {
      ...{ host: "127.0.0.1", port, isTls: false, isLoopback: true },
      ...more,
    },
    ...{ from, host: "kith.example" },
    findName: async () => 'Kith\r\nBcc: eve@mail.example "x"',
    timeouts: TIMEOUTS,
  });

/** The answers to a receiver, by the first part of its address. */
const ANSWERS: Readonly<Record<string, readonly [number, string]>> = {
  gone: [550, "5.1.1 no such user"],
  plain: [550, "no such user"],
  full: [452, "4.2.2 mailbox full"],
  policy: [550, "5.7.1 blocked"],
};

const smtp = new SMTPServer({
  authOptional: true,
  allowInsecureAuth: true,
  disabledCommands: ["STARTTLS"],
  onAuth: (_auth, _session, done) => done(new Error("Wrong password")),
  onMailFrom: ({ address }, _session, done) =>
    done(
      address.startsWith("kith@")
        ? null
        : Object.assign(new Error("5.7.1 not yours"), { responseCode: 550 }),
    ),
  onRcptTo: ({ address }, _session, done) => {
    const [code, words] = ANSWERS[address.split("@")[0] ?? ""] ?? [];
    done(
      code === undefined
        ? null
        : Object.assign(new Error(words), { responseCode: code }),
    );
  },
});
smtp.on("error", () => {});
before(
  () =>
    new Promise<void>((done) => {
      smtp.listen(0, "127.0.0.1", () => done());
    }),
);
after(() => new Promise<void>((done) => smtp.close(() => done())));

const smtpPort = () => portOf(smtp.server);

test("answers about an address, about a mail and about us are told apart", async () => {
  const server = mailServerAt(smtpPort());
  const kindOf = async (name: string) => {
    const to = `${name}@mail.example`;
    const outcome = await server.send({ ...MAIL, to });
    return outcome.kind === "deferred"
      ? `deferred ${outcome.isOfMail}`
      : outcome.kind;
  };
  assert.equal(await kindOf("ann"), "sent");
  assert.equal(await kindOf("gone"), "bounced");
  assert.equal(await kindOf("plain"), "bounced");
  assert.equal(await kindOf("full"), "deferred true");
  assert.equal(await kindOf("policy"), "refused");
});

test("a wrong password, and a sender that is refused, are for the operator", async () => {
  const credentials = { user: "kith", password: "geheim" };
  const server = mailServerAt(smtpPort(), { credentials });
  const sender = mailServerAt(smtpPort(), {}, "other@kith.example");
  for (const it of [server, sender]) {
    const outcome = await it.send(MAIL);
    assert.ok(outcome.kind === "deferred" && !outcome.isOfMail);
    assert.doesNotMatch(outcome.reason, /geheim/);
  }
  assert.match((await server.check()) ?? "", /Invalid login/);
  assert.equal(await mailServerAt(smtpPort()).check(), undefined);
});

test("without TLS nothing goes to another machine", async () => {
  const server = mailServerAt(smtpPort(), { isLoopback: false });
  const outcome = await server.send(MAIL);
  assert.equal(outcome.kind, "deferred");
  assert.match((await server.check()) ?? "", /STARTTLS/i);
});

test("a server that is away, silent or endless is left in time", async () => {
  const sockets = new Set<{ destroy: () => void }>();
  const silent = createServer((socket) => void sockets.add(socket));
  const endless = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.write("220");
    const timer = setInterval(() => socket.write("-wait\r\n220"), 100);
    socket.on("close", () => clearInterval(timer));
  });
  const listening = [silent, endless].map(
    (server) =>
      new Promise<void>((done) => server.listen(0, "127.0.0.1", done)),
  );
  await Promise.all(listening);
  const away = createServer();
  await new Promise<void>((done) => away.listen(0, "127.0.0.1", done));
  const port = portOf(away);
  await new Promise((done) => away.close(done));
  for (const at of [port, portOf(silent), portOf(endless)]) {
    const startedAt = performance.now();
    const outcome = await mailServerAt(at).send(MAIL);
    assert.equal(outcome.kind, "deferred");
    assert.ok(outcome.kind === "deferred" && !outcome.isOfMail);
    assert.ok(performance.now() - startedAt < 20_000);
  }
  for (const socket of sockets) socket.destroy();
  silent.close();
  endless.close();
});
