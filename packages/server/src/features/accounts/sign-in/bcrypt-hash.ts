/** A hash of a password by another program, as bcrypt writes it. */
const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;

/** Each step doubles the work; those that hash passwords for the web take 10 or 11. */
const MAX_COST = 12;

/** Is it a hash by bcrypt that may be checked here? */
export function isBcryptHash(hash: string): boolean {
  const [, cost] = BCRYPT.exec(hash) ?? [];
  return cost !== undefined && Number(cost) <= MAX_COST;
}

/** Is this the password of the hash? Only its first 72 bytes count. */
export async function verifyBcrypt(
  hash: string,
  password: string,
): Promise<boolean> {
  const { compare } = await import("bcryptjs");
  return compare(password, hash);
}
