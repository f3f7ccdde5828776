import { generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";

/** The key pair of a person on the simulated network. */
export type KeyPair = {
  readonly privateKey: KeyObject;
  /** SPKI in PEM. */
  readonly publicPem: string;
};

const generate = promisify(generateKeyPair);

/** One pair for each key id, created on demand. */
export class KeyRing {
  readonly #pairs = new Map<string, Promise<KeyPair>>();

  /** A crowd shares one pair: its members differ in everything else. */
  get(keyId: string): Promise<KeyPair> {
    const name = keyId.startsWith("https://crowd.example/") ? "crowd" : keyId;
    const known = this.#pairs.get(name);
    if (known) return known;
    const made = makePair();
    this.#pairs.set(name, made);
    return made;
  }
}

async function makePair(): Promise<KeyPair> {
  const pair = await generate("rsa", { modulusLength: 2048 });
  const pem = pair.publicKey.export({ type: "spki", format: "pem" });
  return { privateKey: pair.privateKey, publicPem: String(pem) };
}
