import type { Migration } from "../migration.ts";

/**
 * Private keys are sealed from now on; what is there is sealed at the next start,
 * which has the secret for it. The columns get other names, so that an older Kith
 * that still runs beside this one cannot put in a key in the clear.
 */
export const sealedKeys: Migration = {
  number: 27,
  name: "sealed-keys",
  statements: () => [
    `alter table user_keys rename column rsa_private_pem to rsa_private_key`,
    `alter table user_keys rename column ed25519_private_pem to ed25519_private_key`,
    `alter table server_keys rename column private_pem to private_key`,
  ],
};
