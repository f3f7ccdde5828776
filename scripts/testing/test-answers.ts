import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

type Line = { checked?: number; refused?: string };

/** The API answers seen by the test processes. */
type SeenAnswers = {
  readonly checked: number;
  /** The reasons for refusing undocumented answers. */
  readonly refused: readonly string[];
};

/** The folder where the test processes of this run write it. */
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

/** The report at the end, and whether every answer is as documented. */
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
