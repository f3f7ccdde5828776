import { readFileSync } from "node:fs";
import { checkProof } from "./signature-vectors/proofs.ts";
import { checkRequest } from "./signature-vectors/requests.ts";
import type { VectorFile } from "./signature-vectors/file.ts";

// npm run vectors:signatures -- <signatures.json>
//
// Runs a file of signature vectors, in the form of test/vectors/activitypub,
// against the verifier and the signer of @kith/activitypub. Prints a line for
// each deviating vector; exits with 1 if there is one.

const [name, ...rest] = process.argv.slice(2);
if (name === undefined || rest.length > 0) {
  console.error("npm run vectors:signatures -- <signatures.json>");
  process.exit(2);
}
const file = JSON.parse(readFileSync(name, "utf8")) as VectorFile;

let passed = 0;
let failed = 0;
for (const vector of file.vectors ?? []) {
  report(vector.name, await attempt(() => checkRequest(file, vector)));
}
for (const proof of file.documentProofs ?? []) {
  report(proof.name, await attempt(() => checkProof(file, proof)));
}
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0 || passed === 0) process.exitCode = 1;

/** The deviation reported by a check, or its error. */
async function attempt(
  check: () => Promise<string | undefined>,
): Promise<string | undefined> {
  try {
    return await check();
  } catch (error) {
    return `broke: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function report(vector: string, difference: string | undefined): void {
  if (difference === undefined) passed += 1;
  else {
    failed += 1;
    console.log(`${vector}: ${difference}`);
  }
}
