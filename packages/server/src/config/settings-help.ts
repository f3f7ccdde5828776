import { SETTINGS } from "./settings.ts";

/** The settings as text for `--help`. */
export function settingsHelp(): string {
  const blocks = SETTINGS.map((setting) =>
    [
      setting.flag === null
        ? `  ${setting.name}=${setting.value}  (not by flag)`
        : `  --${setting.flag} ${setting.value}  (${setting.name})`,
      ...wrapped(`${setting.doc} Default: ${setting.default}.`, 72),
    ].join("\n"),
  );
  return `Settings: a flag wins over the environment, and that over the file:\n\n${blocks.join("\n\n")}\n`;
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(`      ${line}`);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, `      ${line}`];
}
