import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

type Line = { checked?: number; refused?: string };

/** What the test processes saw of the API's answers. */
type SeenAnswers = {
  readonly checked: number;
  /** Why each answer that is not as documented was refused. */
  readonly refused: readonly string[];
};

/** Where the test processes write it, in this run and in no other. */
export class AnswerLog {
  readonly file: string;
  readonly #folder: string;

  constructor() {
    this.#folder = mkdtempSync(path.join(tmpdir(), "kith-answers-"));
    this.file = path.join(this.#folder, "answers.jsonl");
  }

  read(): SeenAnswers {
    if (!existsSync(this.file)) return { checked: 0, refused: [] };
    const lines = readFileSync(this.file, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Line);
    return {
      checked: lines.reduce((sum, line) => sum + (line.checked ?? 0), 0),
      refused: lines.flatMap((line) => line.refused ?? []),
    };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const MAX_LISTED = 50;

/** What to say of them at the end, and whether every answer is as documented. */
export function summarizeAnswers({ checked, refused }: SeenAnswers): {
  readonly lines: readonly string[];
  readonly isGood: boolean;
} {
  const sum = `${checked} answers of the API checked against its document, ${refused.length} refused`;
  const isSilent = checked === 0 && refused.length === 0;
  return {
    lines: isSilent ? [] : [...refused.slice(0, MAX_LISTED), sum],
    isGood: refused.length === 0,
  };
}
