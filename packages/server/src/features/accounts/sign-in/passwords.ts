import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../account.ts";
import { isBcryptHash, verifyBcrypt } from "./bcrypt-hash.ts";

const derive = promisify(argon2);

/** The cost parameters of a hash. */
export type PasswordCost = {
  readonly memoryKib: number;
  readonly passes: number;
};

/** From the OWASP password storage cheat sheet. */
const COST: PasswordCost = { memoryKib: 19_456, passes: 2 };
const PARALLELISM = 1;
const TAG_BYTES = 32;
const SALT_BYTES = 16;
const PHC =
  /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/**
 * Hashes passwords with Argon2id, in the thread pool, and checks them.
 * @see RFC 9106
 */
export type Passwords = ReturnType<typeof createPasswords>;

/** @param cost the default, except in tests */
export function createPasswords({ memoryKib, passes }: PasswordCost = COST) {
  const phcOf = (salt: Uint8Array, tag: Uint8Array): string =>
    `$argon2id$v=19$m=${memoryKib},t=${passes},p=${PARALLELISM}$${unpadded(salt)}$${unpadded(tag)}`;
  const nobodys = phcOf(randomBytes(SALT_BYTES), randomBytes(TAG_BYTES));
  return {
    /** @returns a PHC string, which contains its own parameters */
    hash: async (password: string): Promise<string> => {
      const salt = randomBytes(SALT_BYTES);
      const tag = await derive("argon2id", {
        message: password.normalize("NFC"),
        nonce: salt,
        memory: memoryKib,
        passes,
        parallelism: PARALLELISM,
        tagLength: TAG_BYTES,
      });
      return phcOf(salt, tag);
    },
    /** Is it the hash of another program, which the next sign-in replaces? */
    isBorrowed: isBcryptHash,
    /**
     * Is this the password that `phc` was made from? False for a malformed hash, and for a
     * missing one, which takes just as long.
     */
    verify: (phc: string | undefined, password: string): Promise<boolean> =>
      verify(phc ?? nobodys, password),
  };
}

async function verify(phc: string, password: string): Promise<boolean> {
  if (isBcryptHash(phc)) return verifyBcrypt(phc, password);
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(phc) ?? [];
  if (salt === undefined || tag === undefined) return false;
  const expected = Buffer.from(tag, "base64");
  const actual = await derive("argon2id", {
    message: password.normalize("NFC"),
    nonce: Buffer.from(salt, "base64"),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  });
  return timingSafeEqual(expected, actual);
}

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64").replaceAll("=", "");
}

/** Is the length of this new password allowed? Counted in code points. */
export function isPossiblePassword(password: string): boolean {
  const { length } = [...password];
  return length >= MIN_PASSWORD_LENGTH && length <= MAX_PASSWORD_LENGTH;
}
