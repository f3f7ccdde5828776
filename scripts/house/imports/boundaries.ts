import path from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import extractConfig from "dependency-cruiser/config-utl/extract-depcruise-config";
import { root } from "../../project-files.ts";

/** One import that a rule of dependency-cruiser.config.mjs forbids. */
type Breach = { rule: string; from: string; to: string };

export type Boundaries = {
  breaches: Breach[];
  /** the files of the project that were read, relative to the base folder */
  modules: string[];
  /** why each rule exists, by its name */
  comments: Map<string, string>;
};

/** Reads every import below `folders` of `baseDir` and checks it against the rules. */
export async function cruiseBoundaries(
  baseDir: string,
  folders: string[],
): Promise<Boundaries> {
  const config = await extractConfig(
    path.join(root, "dependency-cruiser.config.mjs"),
  );
  const { output } = await cruise(folders, {
    ...config.options,
    baseDir,
    validate: true,
    ruleSet: { forbidden: config.forbidden ?? [] },
  });
  if (typeof output === "string") throw new Error(output);
  return {
    breaches: breachesIn(output),
    modules: output.modules
      .map((module) => module.source)
      .filter((source) => folders.some((it) => source.startsWith(`${it}/`))),
    comments: new Map(
      config.forbidden?.map((rule) => [rule.name ?? "", rule.comment ?? ""]),
    ),
  };
}

function breachesIn(result: ICruiseResult): Breach[] {
  return result.summary.violations.map(({ rule, from, to, cycle }) => ({
    rule: rule.name,
    from,
    to: cycle ? cycle.map((step) => step.name).join(" -> ") : to,
  }));
}
