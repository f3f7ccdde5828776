import {
  DockerfileParser,
  ModifiableInstruction,
  type Instruction,
} from "dockerfile-ast";

/** A step of a stage that makes files. */
export type Step =
  | {
      readonly kind: "run";
      readonly command: string;
      /** As it is set by then. */
      readonly folder: string;
      readonly env: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: "copy";
      /** The stage that has the sources; the build context without one. */
      readonly from: string | undefined;
      readonly sources: readonly string[];
      /** Absolute; ends in a slash if the sources go into it. */
      readonly target: string;
    };

export type Stage = {
  readonly name: string | undefined;
  readonly image: string;
  readonly steps: readonly Step[];
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly user: string | undefined;
  /** ENTRYPOINT and CMD. */
  readonly command: readonly string[];
  readonly health: readonly string[];
};

type Growing = {
  -readonly [Key in keyof Stage]: Stage[Key];
};

/**
 * Reads the stages of a Containerfile, as far as ours uses its language: the exec form of
 * commands, the shell form of RUN, no variables.
 * @throws for anything else
 */
export function readStages(text: string): Stage[] {
  const stages: Growing[] = [];
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const stage = stages.at(-1);
    if (instruction.getKeyword() === "FROM") stages.push(begin(instruction));
    else if (stage) read(stage, instruction);
    else throw new Error(`${instruction.getInstruction()} before FROM`);
  }
  return stages;
}

function begin(from: Instruction): Growing {
  const [image = "", , name] = wordsOf(from);
  return {
    ...{ name, image, steps: [], env: {}, folder: "/", user: undefined },
    ...{ command: [], health: [] },
  };
}

function read(stage: Growing, instruction: Instruction): void {
  const words = wordsOf(instruction);
  const [first = ""] = words;
  switch (instruction.getKeyword()) {
    case "WORKDIR":
      stage.folder = first;
      return;
    case "RUN":
      stage.steps = [...stage.steps, runOf(stage, instruction)];
      return;
    case "COPY":
      stage.steps = [...stage.steps, copyOf(stage, instruction)];
      return;
    case "ENV":
      stage.env = { ...stage.env, ...Object.fromEntries(words.map(pairOf)) };
      return;
    case "USER":
      stage.user = first;
      return;
    case "ENTRYPOINT":
    case "CMD":
      stage.command = [...stage.command, ...execForm(instruction)];
      return;
    case "HEALTHCHECK":
      stage.health = execForm(instruction);
      return;
    case "EXPOSE":
    case "LABEL":
    case "STOPSIGNAL":
    case "VOLUME":
      return;
    default:
      throw new Error(`${instruction.getInstruction()} is not understood here`);
  }
}

function runOf({ folder, env }: Growing, run: Instruction): Step {
  return { kind: "run", command: rawOf(run), folder, env };
}

function copyOf({ folder }: Growing, copy: Instruction): Step {
  const words = wordsOf(copy);
  const flags = copy instanceof ModifiableInstruction ? copy.getFlags() : [];
  const [flag, ...others] = flags;
  if (others.length > 0 || (flag && flag.getName() !== "from"))
    throw new Error(
      `COPY has flags that are not understood here: ${flags.join(" ")}`,
    );
  const to = words.at(-1) ?? "";
  const target = to.startsWith("/")
    ? to
    : `${folder}/${to.replace(/^\.\//, "")}`;
  return {
    kind: "copy",
    from: flag?.getValue() ?? undefined,
    sources: words.slice(0, -1),
    target,
  };
}

function pairOf(text: string): readonly [string, string] {
  const [name = "", ...value] = text.split("=");
  return [name, value.join("=")];
}

/** The JSON of a command, which no shell reads. */
function execForm(instruction: Instruction): string[] {
  const [json] = /\[.*\]$/s.exec(rawOf(instruction)) ?? [];
  if (json === undefined)
    throw new Error(`${instruction.getInstruction()} is not in exec form`);
  return JSON.parse(json) as string[];
}

function wordsOf(instruction: Instruction): string[] {
  return instruction.getArguments().map((word) => word.getValue());
}

function rawOf(instruction: Instruction): string {
  return instruction.getRawArgumentsContent() ?? "";
}
