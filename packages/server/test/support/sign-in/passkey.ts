import {
  createHash,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
} from "node:crypto";

/** The deviations of an answer from that of an honest device. */
export type Lie = {
  readonly origin?: string;
  readonly host?: string;
  readonly type?: string;
  readonly challenge?: string;
  readonly crossOrigin?: boolean;
  /** The authenticator's flags: 1 user present, 4 user verified. */
  readonly flags?: number;
  readonly counter?: number;
  readonly userHandle?: string;
  readonly key?: KeyObject;
  /** An RSA key that it makes known in place of its own. */
  readonly publicKey?: KeyObject;
  /** The attestation: CBOR of `fmt` and `attStmt`. */
  readonly attestation?: { readonly fmt: string; readonly attStmt: Buffer };
  readonly credentialId?: Buffer;
  /** Changes a bit of the signed data. */
  readonly spoil?: "authenticatorData" | "signature" | "clientDataJSON";
};

const PRESENT = 1;
const VERIFIED = 4;
const HAS_CREDENTIAL = 64;

/**
 * A device with one passkey (ES256), as seen through a browser, with the required subset
 * of CBOR and COSE.
 * @see Web Authentication Level 3, sections 6.1 and 6.5; RFC 9052; RFC 8949
 */
export class PasskeyDevice {
  readonly credentialId = randomBytes(32);
  readonly keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  readonly #origin: string;
  counter = 0;
  userHandle = "";

  constructor(baseUrl: string) {
    this.#origin = new URL(baseUrl).origin;
  }

  /** Makes the passkey. @param options as the server wrote them */
  create(options: string, lie: Lie = {}): string {
    const { challenge, user } = JSON.parse(options) as {
      challenge: string;
      user: { id: string };
    };
    this.userHandle = user.id;
    const id = lie.credentialId ?? this.credentialId;
    const credential = Buffer.concat([
      Buffer.alloc(16),
      uint16(id.length),
      id,
      lie.publicKey ? rsaCoseKey(lie.publicKey) : coseKey(this.keys.publicKey),
    ]);
    const flags = (lie.flags ?? PRESENT | VERIFIED) | HAS_CREDENTIAL;
    const data = this.#authData({ ...lie, flags }, credential);
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      text("fmt"),
      text(lie.attestation?.fmt ?? "none"),
      text("attStmt"),
      lie.attestation?.attStmt ?? Buffer.from([0xa0]),
      text("authData"),
      bytes(lie.spoil === "authenticatorData" ? data.subarray(1) : data),
    ]);
    return this.#answer(id, {
      clientDataJSON: this.#client("webauthn.create", challenge, lie),
      attestationObject: attestation.toString("base64url"),
      transports: ["internal"],
    });
  }

  /** Shows that it has the passkey. @param options as the server wrote them */
  get(options: string, lie: Lie = {}): string {
    const { challenge } = JSON.parse(options) as { challenge: string };
    const data = this.#authData(lie, Buffer.alloc(0));
    const client = this.#client("webauthn.get", challenge, lie);
    const hash = sha256(Buffer.from(client, "base64url"));
    const key = lie.key ?? this.keys.privateKey;
    const signature = sign("sha256", Buffer.concat([data, hash]), key);
    const spoilt = (part: Lie["spoil"], of: Buffer) => {
      if (lie.spoil === part) of[of.length - 1] = (of.at(-1) ?? 0) ^ 1;
      return of.toString("base64url");
    };
    return this.#answer(lie.credentialId ?? this.credentialId, {
      clientDataJSON:
        lie.spoil === "clientDataJSON"
          ? this.#client("webauthn.get", challenge, { ...lie, type: "x" })
          : client,
      authenticatorData: spoilt("authenticatorData", data),
      signature: spoilt("signature", signature),
      userHandle: lie.userHandle ?? this.userHandle,
    });
  }

  #client(type: string, challenge: string, lie: Lie): string {
    const data = {
      type: lie.type ?? type,
      challenge: lie.challenge ?? challenge,
      origin: lie.origin ?? this.#origin,
      crossOrigin: lie.crossOrigin ?? false,
    };
    return Buffer.from(JSON.stringify(data)).toString("base64url");
  }

  #authData(lie: Lie, credential: Buffer): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(lie.counter ?? this.counter);
    const host = lie.host ?? new URL(this.#origin).hostname;
    const flags = lie.flags ?? PRESENT | VERIFIED;
    return Buffer.concat([
      sha256(Buffer.from(host)),
      Buffer.from([flags]),
      counter,
      credential,
    ]);
  }

  #answer(id: Buffer, response: object): string {
    const name = id.toString("base64url");
    return JSON.stringify({
      ...{ id: name, rawId: name, type: "public-key", response },
      clientExtensionResults: {},
    });
  }
}

function sha256(data: Uint8Array): Buffer {
  return createHash("sha256").update(data).digest();
}

function uint16(number: number): Buffer {
  const buffer = Buffer.alloc(2);
  buffer.writeUInt16BE(number);
  return buffer;
}

/** CBOR of items shorter than 24 bytes. */
function text(short: string): Buffer {
  return Buffer.concat([
    Buffer.from([0x60 + short.length]),
    Buffer.from(short),
  ]);
}

/** CBOR: with a length of two bytes. */
function bytes(data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x59]), uint16(data.length), data]);
}

/** `{1: 2, 3: -7, -1: 1, -2: x, -3: y}` */
function coseKey(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const coordinate = (name: number, value: string) =>
    Buffer.concat([
      Buffer.from([name, 0x58, 32]),
      Buffer.from(value, "base64url"),
    ]);
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]),
    coordinate(0x21, x),
    coordinate(0x22, y),
  ]);
}

/** `{1: 3, 3: -257, -1: n, -2: e}` */
export function rsaCoseKey(key: KeyObject): Buffer {
  const { n = "", e = "" } = key.export({ format: "jwk" });
  const exponent = Buffer.from(e, "base64url");
  return Buffer.concat([
    Buffer.from([0xa4, 0x01, 0x03, 0x03, 0x39, 0x01, 0x00, 0x20]),
    bytes(Buffer.from(n, "base64url")),
    Buffer.from([0x21, 0x40 + exponent.length]),
    exponent,
  ]);
}
