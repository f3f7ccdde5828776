import { describeOpenSecret } from "../features/accounts/index.ts";
import type { SecretKeyPlace } from "../lib/secret-key-place.ts";

/** Warns the operator where other users can read the secret key. */
export function warnOfOpenSecret(
  place: SecretKeyPlace,
  warn: (line: string) => void,
): void {
  const open = describeOpenSecret(place);
  if (open !== undefined) warn(`${open} Run kith doctor.`);
}
