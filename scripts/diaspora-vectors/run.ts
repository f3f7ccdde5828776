import { generateKeyPairSync } from "node:crypto";
import type { Vector, VectorFile, VectorPerson } from "./file.ts";
import { openHome } from "./home.ts";
import { judge, type Court, type Judgement } from "./judge.ts";
import { storeKnown } from "./known.ts";
import { checkPure } from "./kinds/pure.ts";
import { keepState } from "./tables.ts";
import { Tally } from "./tally.ts";

/**
 * Runs every vector of a file and prints deviations.
 * @returns the exit code
 * @throws {BadVectorFile} if its people or entities cannot be on one server
 */
export async function runVectors(file: VectorFile): Promise<number> {
  const witness = makeWitness(file);
  const hasMessages = file.vectors.some(({ kind }) => kind === "receive");
  const court = hasMessages ? await openCourt(file, witness) : undefined;
  const tally = new Tally(file.vectors.length);
  try {
    for (const vector of file.vectors)
      tally.add(vector, await attempt(file, court, vector));
  } finally {
    await court?.home.close();
  }
  return tally.finish();
}

async function openCourt(
  file: VectorFile,
  witness: VectorPerson,
): Promise<Court> {
  const url = process.env["KITH_TEST_DATABASE_URL"] ?? "";
  const home = await openHome(
    file,
    witness,
    url === "" ? "sqlite" : "postgres",
  );
  try {
    await storeKnown(home, file, witness);
    return { file, home, witness, state: await keepState(home.db) };
  } catch (error) {
    await home.close();
    throw error;
  }
}

/** The deviation reported by a vector's check, or its error. */
async function attempt(
  file: VectorFile,
  court: Court | undefined,
  vector: Vector,
): Promise<Judgement> {
  try {
    if (vector.kind !== "receive")
      return { difference: await checkPure(file, vector) };
    if (!court) throw new Error("no server was started");
    return await judge(court, vector);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { difference: `broke: ${message}` };
  }
}

/** A reader of everything the local people write, to whom it is therefore relayed. */
function makeWitness({ people }: VectorFile): VectorPerson {
  const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const der = keys.privateKey.export({ type: "pkcs8", format: "der" });
  const taken = new Set(people.flatMap(({ handle, guid }) => [handle, guid]));
  let number = 0;
  const free = (make: () => string): string => {
    while (taken.has(make())) number += 1;
    return make();
  };
  return {
    name: "",
    handle: free(() => `witness@witness${number}.example`),
    guid: free(() => `witness-of-the-vectors-${number}`),
    local: false,
    discoverable: true,
    private_key_pkcs8: der.toString("base64"),
    public_key_pem: String(
      keys.publicKey.export({ type: "spki", format: "pem" }),
    ),
  };
}
