import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from "node:crypto";
import {
  decryptEnvelope,
  encryptEnvelope,
  isRelayable,
  migrationIdentities,
  parseEntity,
  relayableSignatureBase,
  verifyAuthorSignature,
  verifyMigrationSignature,
  type Entity,
} from "@kith/diaspora";
import type {
  PureVector,
  ReceiveVector,
  VectorFile,
  VectorPerson,
} from "../../scripts/diaspora-vectors/file.ts";

/** The people of a variant: for each name in the original the new one, its handle, and the bits of its key. */
export type Cast = Readonly<
  Record<
    string,
    { readonly name: string; readonly handle: string; readonly bits: number }
  >
>;

/** Texts of the same length, since some vectors test lengths, and with only one XML form. */
const WORDS: readonly [string, string][] = [
  ["interesting", "captivating"],
  ["informative", "instructive"],
  ["Vienna", "Prague"],
];

/** Forms of Guids on other servers; each ends in a letter or digit. */
const GUID_FORMS: readonly ((digest: string) => string)[] = [
  (digest) => digest.slice(0, 32),
  (digest) => digest.slice(0, 16).toUpperCase(),
  (digest) =>
    `${digest.slice(0, 8)}-${digest.slice(8, 12)}-${digest.slice(12, 40)}`,
  (digest) => `urn:x-${digest.slice(0, 20)}@host.example:${digest.slice(20)}`,
  (digest) => `_${digest.slice(0, 30)}.${digest.slice(30, 60)}Z`,
];

const TAIL = [
  "",
  encode("application/xml"),
  encode("base64url"),
  encode("RSA-SHA256"),
].join(".");

type Actor = {
  readonly old: VectorPerson;
  readonly now: VectorPerson;
  readonly oldKey: KeyObject;
  readonly nowKey: KeyObject;
};

/** Texts with their replacements. */
type Swap = (text: string) => string;

/**
 * The same vectors with other people, keys, Guids and texts. Valid signatures are made again
 * with the signer's new key; invalid ones stay invalid. Each private vector without a specific
 * recipient is repeated for `second`.
 */
export function makeVariant(
  file: VectorFile,
  cast: Cast,
  second?: { readonly name: string; readonly handle: string },
): Promise<VectorFile> {
  return new Variant(file, cast, second).make();
}

class Variant {
  readonly #file: VectorFile;
  readonly #actors: readonly Actor[];
  readonly #second: VectorPerson | undefined;
  readonly #swap: Swap;

  constructor(
    file: VectorFile,
    cast: Cast,
    second: { readonly name: string; readonly handle: string } | undefined,
  ) {
    this.#file = file;
    this.#actors = file.people.map((old) => {
      const role = cast[old.name];
      if (!role) throw new Error(`The cast has nobody for ${old.name}`);
      const now = { ...old, ...role, ...makeKeys(role.bits) };
      return {
        old,
        now: { ...now, guid: otherGuid(old.guid) },
        oldKey: keyOf(old),
        nowKey: keyOf(now),
      };
    });
    this.#swap = makeSwap(this.#actors);
    const [template] = file.people;
    this.#second = second &&
      template && {
        ...template,
        ...second,
        ...makeKeys(2048),
        guid: otherGuid(second.handle),
        local: true,
        discoverable: true,
      };
  }

  async make(): Promise<VectorFile> {
    const vectors: VectorFile["vectors"][number][] = [];
    for (const vector of this.#file.vectors) {
      if (vector.kind !== "receive") vectors.push(this.#pure(vector));
      else vectors.push(...(await this.#received(vector)));
    }
    const known = JSON.stringify(this.#file.known_entities);
    return {
      ...this.#file,
      people: [
        ...this.#actors.map(({ now }) => now),
        ...(this.#second ? [this.#second] : []),
      ],
      known_entities: JSON.parse(
        this.#swap(known),
      ) as VectorFile["known_entities"],
      vectors,
    };
  }

  #pure(vector: PureVector): PureVector {
    const swap = this.#swap;
    if (vector.kind === "author_signature") {
      const actor = this.#actorOf(vector.signer);
      const properties = vector.properties.map(
        ([name, value]): [string, string] => [name, swap(value)],
      );
      const base = properties.map(([, value]) => value).join(";");
      const author_signature = signed(base, actor.nowKey).toString("base64");
      const expected = { signature_base_string: base, author_signature };
      return { ...vector, signer: actor.now.handle, properties, expected };
    }
    if (vector.kind !== "build_envelope") return vector;
    const { nowKey, now } = this.#actorOf(vector.key);
    const payload_xml = swap(vector.payload_xml);
    const sender = swap(vector.sender);
    const data = encode(payload_xml);
    const base = data + TAIL;
    const expected = {
      data,
      key_id: encode(sender),
      signature_base_string: base,
      sig: encode(signed(base, nowKey)),
    };
    return { ...vector, payload_xml, sender, key: now.name, expected };
  }

  #actorOf(nameOrHandle: string): Actor {
    const found = this.#actors.find(
      ({ old }) => old.name === nameOrHandle || old.handle === nameOrHandle,
    );
    if (!found) throw new Error(`Nobody is called ${nameOrHandle}`);
    return found;
  }

  async #received(vector: ReceiveVector): Promise<ReceiveVector[]> {
    if (vector.endpoint === "public") {
      const written = await this.#envelope(vector.body);
      return [this.#expect(vector, { body: written.xml }, written)];
    }
    const recipient = this.#actorOf(vector.recipient ?? "");
    const xml = await tryDecrypt(vector.body, recipient.oldKey);
    const named = { recipient: recipient.now.name };
    if (xml === undefined) return [{ ...vector, ...named }];
    const written = await this.#envelope(xml);
    const inner = written.xml;
    const to = (key: string) => ({ body: encryptEnvelope(inner, key) });
    const own = { ...named, ...to(recipient.now.public_key_pem) };
    const variants = [this.#expect(vector, own, written)];
    if (this.#second && isForAnybody(vector)) {
      const { name, public_key_pem } = this.#second;
      const again = { recipient: name, ...to(public_key_pem) };
      const copy = { ...vector, id: `${vector.id}-second` };
      variants.push(this.#expect(copy, again, written));
    }
    return variants;
  }

  /** The envelope with replaced values, and the replaced signatures. */
  async #envelope(xml: string): Promise<Written> {
    const data = /(<\w+:data\b[^>]*>)([^<]*)(<)/.exec(xml);
    const sig = /(<\w+:sig\b[^>]*>)([^<]*)(<)/.exec(xml);
    if (!data?.[2] || !sig) return { xml, signatures: [] };
    const payload = decode(data[2]);
    const base = encode(payload) + TAIL;
    const signer = this.#actors.find(({ old }) =>
      isSigned(base, decode(sig[2] ?? ""), old),
    );
    const next = await this.#payload(payload.toString("utf8"));
    const newBase = encode(next.xml) + TAIL;
    const signature = signer
      ? like(sig[2] ?? "", encode(signed(newBase, signer.nowKey)))
      : (sig[2] ?? "");
    const key = /key_id="([^"]*)"/.exec(xml)?.[1];
    const keyId = key && this.#swap(decode(key).toString("utf8"));
    const written = xml
      .replace(
        data[0],
        () => data[1] + like(data[2] ?? "", encode(next.xml)) + data[3],
      )
      .replace(sig[0], () => sig[1] + signature + sig[3])
      .replace(
        /key_id="[^"]*"/,
        () => `key_id="${like(key ?? "", encode(keyId ?? ""))}"`,
      );
    return { xml: written, signatures: next.signatures };
  }

  async #payload(xml: string): Promise<Written> {
    const swapped = this.#swap(xml);
    const name = /<(author_signature|signature)>([^<]+)</.exec(swapped);
    const [before, after] = [tryParse(xml), tryParse(swapped)];
    if (!name?.[2] || !before || !after)
      return { xml: swapped, signatures: [] };
    const signer = await this.#secondSigner(before);
    if (!signer) return { xml: swapped, signatures: [] };
    const text = signed(baseOf(after), signer.nowKey).toString("base64");
    const next = like(name[2], text);
    return {
      xml: swapped.replace(name[2], () => next),
      signatures: [[name[2], next]],
    };
  }

  async #secondSigner(entity: Entity): Promise<Actor | undefined> {
    for (const actor of this.#actors) {
      const key = actor.old.public_key_pem;
      const isHis =
        entity.type === "account_migration"
          ? actor.old.handle === migrationIdentities(entity).signer &&
            (await verifyMigrationSignature(entity, key))
          : isRelayable(entity) && (await verifyAuthorSignature(entity, key));
      if (isHis) return actor;
    }
    return undefined;
  }

  #expect(
    vector: ReceiveVector,
    changed: Partial<ReceiveVector>,
    { xml, signatures }: Written,
  ): ReceiveVector {
    const walk = (value: unknown): unknown => {
      if (typeof value === "string")
        return signatures.reduce(
          (text, [old, now]) => text.replaceAll(old, () => now),
          this.#swap(value),
        );
      if (Array.isArray(value)) return value.map(walk);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value).map(([name, one]) => [name, walk(one)]),
      );
    };
    const expected = walk(vector.expected) as ReceiveVector["expected"];
    return {
      ...vector,
      ...changed,
      expected: {
        ...expected,
        ...(vector.endpoint === "private" && { magic_envelope: xml }),
      },
    };
  }
}

type Written = {
  readonly xml: string;
  /** Each renewed signature in the payload, with the new one. */
  readonly signatures: readonly [string, string][];
};

function makeKeys(modulusLength: number) {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength,
  });
  const der = privateKey.export({ type: "pkcs8", format: "der" });
  return {
    private_key_pkcs8: der.toString("base64"),
    public_key_pem: String(publicKey.export({ type: "spki", format: "pem" })),
  };
}

function keyOf({ private_key_pkcs8 }: { private_key_pkcs8: string }) {
  const key = Buffer.from(private_key_pkcs8, "base64");
  return createPrivateKey({ key, format: "der", type: "pkcs8" });
}

function otherGuid(guid: string): string {
  const digest = createHash("sha256").update(guid).digest("hex");
  const form = GUID_FORMS[Number.parseInt(digest.slice(0, 4), 16) % 5];
  return form ? form(digest) : digest;
}

function makeSwap(actors: readonly Actor[]): Swap {
  const hostOf = ({ handle }: VectorPerson) =>
    handle.slice(handle.indexOf("@") + 1);
  const pairs = new Map<string, string>(WORDS);
  for (const { old, now } of actors) {
    pairs.set(old.handle, now.handle);
    pairs.set(hostOf(old), hostOf(now));
  }
  // Longer ones first: a host is the end of many handles.
  const found = [...pairs.keys()]
    .sort((a, b) => b.length - a.length)
    .map((text) => text.replace(/[.]/g, "\\$&"));
  const words = new RegExp(found.join("|"), "g");
  const guids = /(?<![0-9A-Za-z])[0-9a-f]{32}(?![0-9A-Za-z])/g;
  return (text) =>
    text
      .replace(guids, (guid) => otherGuid(guid))
      .replace(words, (word) => pairs.get(word) ?? word);
}

function encode(value: string | Uint8Array): string {
  return Buffer.from(value as string, "utf8")
    .toString("base64")
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

function decode(text: string): Buffer {
  return Buffer.from(text, "base64url");
}

/** Base64 in the form of another: without padding, with a line break, in the other alphabet. */
function like(model: string, text: string): string {
  const plain = model.replace(/\s/g, "");
  let form = text;
  if (/[+/]/.test(plain) && !/[-_]/.test(plain))
    form = form.replaceAll("-", "+").replaceAll("_", "/");
  if (plain.length % 4 !== 0) form = form.replace(/=+$/, "");
  return /\s/.test(model.trim())
    ? `${form.slice(0, 60)}\n${form.slice(60)}`
    : form;
}

function signed(base: string, key: KeyObject): Buffer {
  return sign("sha256", Buffer.from(base, "utf8"), key);
}

function isSigned(base: string, signature: Buffer, by: VectorPerson): boolean {
  const text = Buffer.from(base, "utf8");
  return verify("sha256", text, by.public_key_pem, signature);
}

async function tryDecrypt(
  body: string,
  key: KeyObject,
): Promise<string | undefined> {
  try {
    return await decryptEnvelope(body, key);
  } catch {
    return undefined;
  }
}

function tryParse(xml: string): Entity | undefined {
  try {
    return parseEntity(xml);
  } catch {
    return undefined;
  }
}

function baseOf(entity: Entity): string {
  if (isRelayable(entity)) return relayableSignatureBase(entity);
  if (entity.type !== "account_migration") return "";
  const { oldHandle, newHandle } = migrationIdentities(entity);
  return `AccountMigration:${oldHandle}:${newHandle}`;
}

/** Whether it is accepted for every local recipient. */
function isForAnybody({ expected }: ReceiveVector): boolean {
  return (
    expected.verdict === "accept" &&
    ["status_message", "profile"].includes(expected.entity_type ?? "")
  );
}
