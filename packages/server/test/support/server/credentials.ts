import { generateKeyPairSync } from "node:crypto";
import {
  createPasswords,
  type Credentials,
} from "../../../src/features/accounts/index.ts";
import { takeRsaPair } from "./rsa-pairs.ts";

/** As the real ones, but quick: hundreds of people sign up and in. */
export const testCredentials: Credentials = {
  passwords: createPasswords({ memoryKib: 8, passes: 1 }),
  makeKeyPairs: async () => {
    const { publicKeyPem, privateKey } = takeRsaPair();
    const ed25519 = generateKeyPairSync("ed25519").privateKey;
    const sealed = { format: "pem", type: "pkcs8" } as const;
    return {
      rsaPublicPem: publicKeyPem,
      rsaPrivatePem: String(privateKey.export(sealed)),
      ed25519PrivatePem: String(ed25519.export(sealed)),
    };
  },
};
