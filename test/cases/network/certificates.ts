import {
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
} from "node:crypto";

/** A certificate with its key, both as PEM. */
export type Certificate = { readonly key: string; readonly cert: string };

/** Creates the certificates of every host of a network, and their authority. */
export type Authority = {
  /** To be trusted by clients of these hosts. */
  readonly certificate: string;
  /** A certificate of one host; the same for every call. */
  issue(host: string): Certificate;
};

const DAY_MS = 24 * 3_600_000;

/** Creates a separate authority, which is trusted nowhere else (X.509 v3, RFC 5280). */
export function createAuthority(): Authority {
  const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = "Simulated network";
  const root = certify({
    issuer: name,
    subject: name,
    publicKey: pair.publicKey,
    signer: pair.privateKey,
    extensions: [extension("551d13", sequence(der(0x01, [0xff])))],
  });
  const host = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = host.privateKey.export({ type: "pkcs8", format: "pem" });
  const issued = new Map<string, Certificate>();
  return {
    certificate: root,
    issue: (subject) => {
      const known = issued.get(subject);
      if (known) return known;
      const names = sequence(der(0x82, Buffer.from(subject)));
      const cert = certify({
        issuer: name,
        subject: "host",
        publicKey: host.publicKey,
        signer: pair.privateKey,
        extensions: [extension("551d11", names)],
      });
      const made = { key: String(key), cert };
      issued.set(subject, made);
      return made;
    },
  };
}

type Certified = {
  issuer: string;
  subject: string;
  publicKey: KeyObject;
  signer: KeyObject;
  extensions: Buffer[];
};

function certify(what: Certified): string {
  const now = Date.now();
  // ecdsa-with-SHA256
  const algorithm = sequence(identifier("2a8648ce3d040302"));
  const body = sequence(
    der(0xa0, der(0x02, [2])),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    nameOf(what.issuer),
    sequence(timeOf(now - DAY_MS), timeOf(now + 30 * DAY_MS)),
    nameOf(what.subject),
    what.publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(...what.extensions)),
  );
  const signature = sign("sha256", body, what.signer);
  const bits = der(0x03, Buffer.concat([Buffer.from([0]), signature]));
  const base64 = sequence(body, algorithm, bits).toString("base64");
  const lines = base64.replace(/.{64}(?!$)/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

function der(tag: number, content: Buffer | number[]): Buffer {
  const bytes = Buffer.from(content);
  const { length } = bytes;
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), bytes]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function identifier(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, "hex"));
}

function extension(hex: string, value: Buffer): Buffer {
  return sequence(identifier(hex), der(0x04, value));
}

function nameOf(common: string): Buffer {
  const text = der(0x0c, Buffer.from(common));
  return sequence(der(0x31, sequence(identifier("550403"), text)));
}

function timeOf(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\D/g, "");
  return der(0x17, Buffer.from(`${digits.slice(2, 14)}Z`));
}
