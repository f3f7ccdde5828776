/** The library is loaded only with the first passkey. */
const load = () => import("@simplewebauthn/server/helpers");

const MIN_MODULUS_BYTES = 2048 / 8;
const MAX_MODULUS_BYTES = 8192 / 8;
/**
 * The exponent in common use; each check costs as many multiplications as the exponent has
 * bits.
 */
const MAX_EXPONENT = 65_537;
const MAX_EXPONENT_BYTES = 3;

/**
 * Can signatures of a passkey be checked at the usual cost? An RSA key with an exponent as
 * long as its modulus costs a hundred times as much.
 * @param publicKey COSE
 * @throws if it is not a key
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
 * Removes the manufacturer's attestation, which was not requested: it may contain any
 * number of certificates with any keys, which would all be checked.
 * @param attestationObject from the browser, base64url
 * @throws if it cannot be parsed
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
