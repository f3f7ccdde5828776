import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import {
  buildEntity,
  decryptEnvelope,
  diasporaLinksIn,
  DiasporaError,
  isGuid,
  isHandle,
  isRelayable,
  mentionsIn,
  migrationIdentities,
  parseEntity,
  parseEnvelope,
  parseHcard,
  parsePersonStream,
  parseWebfinger,
  relayableSignatureBase,
  splitName,
  tagsIn,
  verifyAuthorSignature,
  verifyEnvelope,
  verifyMigrationSignature,
} from "../src/index.ts";
import type { Entity } from "../src/index.ts";
import { mutate, pick } from "./mutate.ts";
import type { Random } from "./mutate.ts";
import {
  findPerson,
  privateKeyOf,
  publicKeyOf,
  readFixture,
  vectorFile,
  vectorsOf,
} from "./vectors.ts";

/** One kind of untrusted input, and the property that must hold for it. */
export type FuzzTarget = {
  name: string;
  /** Makes a hostile input. */
  next(random: Random): Uint8Array;
  /**
   * Reads it.
   * @returns whether it was accepted
   * @throws any error other than ours, and when an unsigned input was trusted
   */
  run(input: Uint8Array): Promise<boolean> | boolean;
};

/** True when `read` returns, false when it refuses with our error. */
async function understands(read: () => unknown): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (error) {
    if (error instanceof DiasporaError) return false;
    throw error;
  }
}

const receivable = vectorsOf("receive").filter(
  ({ expected }) =>
    expected.verdict === "accept" && expected.payload_xml !== undefined,
);
const publicVectors = receivable.filter(
  ({ endpoint }) => endpoint === "public",
);
const privateVectors = receivable.filter(
  ({ endpoint, recipient }) => endpoint === "private" && recipient === "bob",
);
const keys = new Map(
  vectorFile.people.map(({ handle }) => [handle, publicKeyOf(handle)]),
);
const bobsKey = privateKeyOf("bob");
/** All signed data, with its signers. */
const signedPayloads = new Set(
  vectorsOf("receive").flatMap(({ expected: { sender, payload_xml: xml } }) =>
    sender !== undefined && xml !== undefined ? [`${sender} ${xml}`] : [],
  ),
);

/** Opens an envelope; it must not open unless its sender signed exactly this form. */
async function open(xml: Uint8Array | string): Promise<string> {
  const envelope = parseEnvelope(xml);
  const key = keys.get(envelope.claimedSender);
  if (!key) throw new DiasporaError("envelope_signature", "bad_key", "Unknown");
  const { sender, payloadXml } = await verifyEnvelope(envelope, key);
  const isSigned = signedPayloads.has(`${sender} ${payloadXml}`);
  assert.ok(isSigned, `${sender} never signed this: ${payloadXml}`);
  return payloadXml;
}

const envelopes: FuzzTarget = {
  name: "envelope",
  next: (random) =>
    mutate(Buffer.from(pick(publicVectors, random).body), random),
  run: (input) => understands(() => open(input)),
};

const encrypted: FuzzTarget = {
  name: "encrypted envelope",
  next: (random) => {
    // Nearly every change fails at decryption; some have to get further.
    const body = Buffer.from(pick(privateVectors, random).body);
    return random(20) === 0 ? body : mutate(body, random);
  },
  run: (input) =>
    understands(async () => open(await decryptEnvelope(input, bobsKey))),
};

const samples = readdirSync(
  new URL("../../../test/vectors/diaspora/entities/", import.meta.url),
)
  .filter((file) => file.endsWith(".xml"))
  .map((file) => readFixture(`entities/${file}`));
const payloads = [
  ...samples,
  ...receivable.map(({ expected }) => expected.payload_xml ?? ""),
];

/** The parsed entity can be serialized, and parses to the same value. */
const entities: FuzzTarget = {
  name: "entity",
  next: (random) => mutate(Buffer.from(pick(payloads, random)), random),
  run: (input) =>
    understands(() => {
      const entity = parseEntity(Buffer.from(input).toString("utf8"));
      const written = buildEntity(entity);
      assert.deepEqual(parseEntity(written), entity);
    }),
};

type Signed = { xml: string; entity: Entity };
const signed: Signed[] = receivable
  .map(({ expected }) => expected.payload_xml ?? "")
  .map((xml) => ({ xml, entity: parseEntity(xml) }))
  .filter(
    ({ entity }) =>
      entity.type === "account_migration" ||
      (isRelayable(entity) && entity.signed?.authorSignature !== undefined),
  );
/** The signed base strings of relayables, and the signed pairs of names of migrations. */
const signedBases = new Set(signed.map(({ entity }) => meaningOf(entity)));

function meaningOf(entity: Entity): string {
  if (isRelayable(entity)) return relayableSignatureBase(entity);
  if (entity.type !== "account_migration") return "";
  const { oldHandle, newHandle } = migrationIdentities(entity);
  return `${oldHandle} ${newHandle}`;
}

/** A second signature is valid for the signed text, and for other spellings with the same meaning. */
const secondSignatures: FuzzTarget = {
  name: "second signature",
  next: (random) => mutate(Buffer.from(pick(signed, random).xml), random),
  run: (input) =>
    understands(async () => {
      const entity = parseEntity(Buffer.from(input).toString("utf8"));
      if (!(await isSignedBySomebody(entity))) {
        throw new DiasporaError("author_signature", "bad_signature", "No");
      }
      if (signedBases.has(meaningOf(entity))) return;
      const { signed: _, ...values } = entity as { signed?: unknown };
      const same = signed.some(({ entity: original }) => {
        const { signed: _was, ...known } = original as { signed?: unknown };
        return JSON.stringify(known) === JSON.stringify(values);
      });
      assert.ok(same, "accepted what nobody signed");
    }),
};

async function isSignedBySomebody(entity: Entity): Promise<boolean> {
  if (isRelayable(entity)) {
    const key = keys.get(entity.author);
    return key !== undefined && (await verifyAuthorSignature(entity, key));
  }
  if (entity.type !== "account_migration") return false;
  const signer = findPerson(migrationIdentities(entity).signer);
  if (!signer) return false;
  return verifyMigrationSignature(entity, publicKeyOf(signer.handle));
}

function discovery(
  name: string,
  pattern: RegExp,
  read: (text: string) => void,
): FuzzTarget {
  const folder = "../../../test/vectors/diaspora/discovery/";
  const originals = readdirSync(new URL(folder, import.meta.url))
    .filter((file) => pattern.test(file))
    .map((file) => readFixture(`discovery/${file}`));
  return {
    name,
    next: (random) => mutate(Buffer.from(pick(originals, random)), random),
    run: (input) =>
      understands(() => read(Buffer.from(input).toString("utf8"))),
  };
}

const isAbsolute = (url: string) => /^https?:\/\//i.test(url);

const webfingers = discovery("WebFinger", /^webfinger\..*\.json$/, (text) => {
  const found = parseWebfinger(text, "alice@pod-a.example");
  assert.equal(found.handle, "alice@pod-a.example");
  assert.ok(isAbsolute(found.hcardUrl) && isAbsolute(found.seedLocation));
});

const hcards = discovery("hCard", /^hcard\..*\.html$/, (text) => {
  const card = parseHcard(text);
  assert.ok(isGuid(card.guid));
  assert.match(card.publicKeyPem, /^-----BEGIN PUBLIC KEY-----/);
  for (const url of [card.imageUrl, card.imageUrlMedium, card.imageUrlSmall]) {
    assert.ok(isAbsolute(url) || url.startsWith("/"), url);
  }
});

const streams = discovery("person stream", /^people-stream\.json$/, (text) => {
  for (const entry of parsePersonStream(text)) assert.ok(isGuid(entry.guid));
});

const TEXT =
  "Hi @{Alice; alice@pod-a.example} and @{bob@pod-b.example}: #tag #<3 " +
  "diaspora://alice@pod-a.example/post/3a0808264e17aa0f65e7fbdb12ad452b";

const texts: FuzzTarget = {
  name: "text",
  next: (random) => {
    const text = mutate(Buffer.from(TEXT), random);
    // Long runs of one character reveal superlinear time.
    const from = random(text.length + 1);
    const part = text.subarray(from, from + 1 + random(6));
    const repeated = Buffer.concat(Array<Buffer>(random(8000)).fill(part));
    return Buffer.concat([text, repeated]);
  },
  run: (input) => {
    const text = Buffer.from(input).toString("utf8");
    const mentions = mentionsIn(text);
    const links = diasporaLinksIn(text);
    assert.ok(mentions.every(({ handle }) => isHandle(handle)));
    assert.ok(
      links.every(({ guid, author }) => isGuid(guid) && isHandle(author)),
    );
    assert.ok([...splitName(text).firstName].length <= 32);
    return mentions.length + links.length + tagsIn(text).length > 0;
  },
};

/** Everything in this package that reads untrusted input. */
export const fuzzTargets: readonly FuzzTarget[] = [
  envelopes,
  encrypted,
  entities,
  secondSignatures,
  webfingers,
  hcards,
  streams,
  texts,
];
