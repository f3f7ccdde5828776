/** Loaded with the first passkey alone, as all of that library. */
const load = () => import("@simplewebauthn/server/helpers");

const MIN_MODULUS_BYTES = 2048 / 8;
const MAX_MODULUS_BYTES = 8192 / 8;
/** What is in use; each check costs as many multiplications as the exponent has bits. */
const MAX_EXPONENT = 65_537;
const MAX_EXPONENT_BYTES = 3;

/**
 * Whether signatures of a passkey can be checked at the usual cost: an RSA key
 * with an exponent as long as its modulus costs a hundred times that.
 * @param publicKey COSE
 * @throws where it is no key at all
 */
export async function isUsablePasskeyKey(
  publicKey: Uint8Array,
): Promise<boolean> {
  const { cose, decodeCredentialPublicKey } = await load();
  const key = decodeCredentialPublicKey(new Uint8Array(publicKey));
  if (!cose.isCOSEPublicKeyRSA(key)) return true;
  const modulus = key.get(cose.COSEKEYS.n);
  const exponent = key.get(cose.COSEKEYS.e);
  return (
    modulus !== undefined &&
    modulus.length >= MIN_MODULUS_BYTES &&
    modulus.length <= MAX_MODULUS_BYTES &&
    exponent !== undefined &&
    isUsableExponent(exponent)
  );
}

function isUsableExponent(bytes: Uint8Array): boolean {
  if (bytes.length === 0 || bytes.length > MAX_EXPONENT_BYTES) return false;
  const exponent = Buffer.from(bytes).readUIntBE(0, bytes.length);
  return exponent >= 3 && exponent <= MAX_EXPONENT && exponent % 2 === 1;
}

/**
 * Leaves out what the maker of a device says of it, which nobody here asked for:
 * certificates of any number and with any keys, which would be checked.
 * @param attestationObject as the browser wrote it, base64url
 * @throws where it cannot be read
 */
export async function stripAttestation(attestationObject: string): Promise<{
  readonly attestationObject: string;
  /** COSE. */
  readonly publicKey: Uint8Array | undefined;
}> {
  const {
    decodeAttestationObject,
    isoBase64URL,
    isoCBOR,
    parseAuthenticatorData,
  } = await load();
  const given = isoBase64URL.toBuffer(attestationObject);
  const authData = decodeAttestationObject(given).get("authData");
  const bare = isoCBOR.encode(
    new Map<string, string | Uint8Array | Map<string, string>>([
      ["fmt", "none"],
      ["attStmt", new Map<string, string>()],
      ["authData", authData],
    ]),
  );
  return {
    attestationObject: isoBase64URL.fromBuffer(bare),
    publicKey: parseAuthenticatorData(authData).credentialPublicKey,
  };
}
