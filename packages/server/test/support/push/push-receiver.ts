import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
  type ECDH,
} from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach } from "node:test";

/** The keys of one receiver. */
export type ReceiverKeys = { readonly pair: ECDH; readonly auth: Buffer };

export function newReceiverKeys(): ReceiverKeys {
  const pair = createECDH("prime256v1");
  pair.generateKeys();
  return { pair, auth: randomBytes(16) };
}

const derive = (secret: Buffer, salt: Buffer, info: Buffer, length: number) =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, length));

const named = (name: string) => Buffer.from(`${name}\0`);

function open(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer {
  const decipher = createDecipheriv("aes-128-gcm", key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const text = decipher.update(sealed.subarray(0, -16));
  return Buffer.concat([text, decipher.final()]);
}

/** Decrypts one record. @see RFC 8291, section 3.4; RFC 8188, section 2 */
export function openAes128gcm(
  { pair, auth }: ReceiverKeys,
  body: Buffer,
): string {
  const salt = body.subarray(0, 16);
  const idLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + idLength);
  const info = Buffer.concat([
    named("WebPush: info"),
    pair.getPublicKey(),
    sender,
  ]);
  const secret = derive(pair.computeSecret(sender), auth, info, 32);
  const key = derive(secret, salt, named("Content-Encoding: aes128gcm"), 16);
  const nonce = derive(secret, salt, named("Content-Encoding: nonce"), 12);
  const padded = open(key, nonce, body.subarray(21 + idLength));
  const end = padded.lastIndexOf(2);
  return padded.subarray(0, end).toString();
}

const withLength = (bytes: Buffer) =>
  Buffer.concat([Buffer.from([0, bytes.length]), bytes]);

/** Decrypts one record. @see draft-ietf-webpush-encryption-04, section 3 */
export function openAesgcm(
  { pair, auth }: ReceiverKeys,
  body: Buffer,
  headers: IncomingHttpHeaders,
): string {
  const partOf = (header: unknown, name: string) =>
    Buffer.from(
      new RegExp(`(?:^|[;,])\\s*${name}=([\\w-]+)`).exec(String(header))?.[1] ??
        "",
      "base64url",
    );
  const sender = partOf(headers["crypto-key"], "dh");
  const salt = partOf(headers["encryption"], "salt");
  const shared = pair.computeSecret(sender);
  const secret = derive(shared, auth, named("Content-Encoding: auth"), 32);
  const context = Buffer.concat([
    named("P-256"),
    withLength(pair.getPublicKey()),
    withLength(sender),
  ]);
  const info = (name: string) =>
    Buffer.concat([named(`Content-Encoding: ${name}`), context]);
  const key = derive(secret, salt, info("aesgcm"), 16);
  const nonce = derive(secret, salt, info("nonce"), 12);
  const padded = open(key, nonce, body);
  return padded.subarray(2 + padded.readUInt16BE(0)).toString();
}

/** Checks the token of the sender (RFC 8292). @returns its claims */
export function readVapid(
  token: string,
  publicKey: string,
): Readonly<Record<string, unknown>> {
  const point = Buffer.from(publicKey, "base64url");
  const key = createPublicKey({
    format: "jwk",
    key: {
      ...{ kty: "EC", crv: "P-256" },
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
    },
  });
  const [head = "", claims = "", signature = ""] = token.split(".");
  const isValid = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isValid) throw new Error("The token is not signed by this key");
  return JSON.parse(Buffer.from(claims, "base64url").toString()) as Record<
    string,
    unknown
  >;
}

export type ReceivedPush = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

/** A push service on a loopback port, which answers as the test wants. */
export function usePushService() {
  const received: ReceivedPush[] = [];
  const service = {
    received,
    answer: { status: 201, headers: {} as Record<string, string> },
    at: (path: string) =>
      `http://localhost:${(server.address() as AddressInfo).port}${path}`,
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { url: path = "", headers } = request;
      received.push({ path, headers, body: Buffer.concat(parts) });
      response
        .writeHead(service.answer.status, service.answer.headers)
        .end("x".repeat(100_000));
    });
  });
  before(
    () => new Promise<void>((done) => server.listen(0, "127.0.0.1", done)),
  );
  beforeEach(() => {
    received.length = 0;
    service.answer = { status: 201, headers: {} };
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return service;
}
