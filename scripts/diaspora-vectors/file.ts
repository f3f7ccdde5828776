/** A person of the vectors. */
export type VectorPerson = {
  readonly name: string;
  readonly handle: string;
  readonly guid: string;
  readonly local: boolean;
  /** false: discovery of this person fails. */
  readonly discoverable: boolean;
  /** Base64 of the PKCS#8 DER. */
  readonly private_key_pkcs8: string;
  readonly public_key_pem: string;
};

/** The state of the receiving server before each vector. */
export type KnownEntity = {
  readonly type: string;
  readonly guid: string;
  /** Handle, like `root_author`. */
  readonly author: string;
  readonly public: boolean;
  readonly root_author: string;
  readonly parent?: { readonly type: string; readonly guid: string };
};

type Severity = "must" | "should" | "info";

export type ReceiveVector = {
  readonly kind: "receive";
  readonly id: string;
  readonly endpoint: "public" | "private";
  /** Name of the recipient; for private endpoints. */
  readonly recipient?: string;
  readonly content_type?: string;
  readonly body: string;
  readonly severity?: Severity;
  readonly note?: string;
  readonly expected: {
    readonly verdict: "accept" | "reject";
    readonly stage?: string;
    readonly sender?: string;
    readonly entity_type?: string;
    readonly entity?: Readonly<Record<string, unknown>>;
    readonly payload_xml?: string;
    readonly magic_envelope?: string;
    readonly signature_base_string?: string;
    readonly must_relay?: boolean;
  };
};

/** A vector that needs no server. */
export type PureVector = {
  readonly id: string;
  readonly severity?: Severity;
  readonly note?: string;
} & (
  | {
      readonly kind: "author_signature";
      readonly signer: string;
      readonly properties: [string, string][];
      readonly expected: {
        readonly signature_base_string: string;
        readonly author_signature: string;
      };
    }
  | {
      readonly kind: "build_envelope";
      readonly payload_xml: string;
      readonly sender: string;
      readonly key: string;
      readonly expected: {
        readonly data: string;
        readonly key_id: string;
        readonly signature_base_string: string;
        readonly sig: string;
      };
    }
  | {
      readonly kind: "base64url";
      readonly input: string;
      readonly expected: { readonly encoded: string };
    }
  | {
      readonly kind: "diaspora_id" | "guid";
      readonly input: string;
      readonly expected: { readonly valid: boolean };
    }
);

export type Vector = ReceiveVector | PureVector;

export type VectorFile = {
  readonly people: readonly VectorPerson[];
  readonly known_entities: readonly KnownEntity[];
  readonly vectors: readonly Vector[];
};

/** The file cannot be run; the message gives the reason. */
export class BadVectorFile extends Error {
  override readonly name = "BadVectorFile";
}

/** The person with that name or handle. */
export function personOf(
  { people }: VectorFile,
  nameOrHandle: string,
): VectorPerson {
  const found = people.find(
    ({ name, handle }) => name === nameOrHandle || handle === nameOrHandle,
  );
  if (!found) throw new Error(`Nobody is called ${nameOrHandle}`);
  return found;
}
