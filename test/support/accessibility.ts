import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { HtmlValidate } from "html-validate";
import type { BrowserContext, Page } from "playwright-core";

const AXE = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

const validator = new HtmlValidate({ extends: ["html-validate:standard"] });

/** Each fault of the HTML, with its line. */
export async function listHtmlFaults(
  path: string,
  source: string,
): Promise<string[]> {
  const { results } = await validator.validateString(source);
  return results.flatMap(({ messages }) =>
    messages.map(
      ({ ruleId, message, line }) =>
        `${path}: ${ruleId}: ${message} (${source.split("\n")[line - 1]?.trim()})`,
    ),
  );
}

/** Puts axe into each page of the context, for `listViolations`. */
export async function loadAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript(AXE);
}

/**
 * What axe finds, with the elements.
 * @param isApplied the rules that it is to apply, or not, other than it does by itself
 */
export function listViolations(
  page: Page,
  isApplied: Readonly<Record<string, boolean>> = {},
): Promise<string[]> {
  const rules = Object.fromEntries(
    Object.entries(isApplied).map(([id, enabled]) => [id, { enabled }]),
  );
  const options = { resultTypes: ["violations"], rules };
  return page.evaluate<
    string[]
  >(`axe.run(document, ${JSON.stringify(options)}).then(
    ({ violations }) => violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, any }) => [id, help, html.slice(0, 200),
        any.map(({ message }) => message).join(" ").slice(0, 200)].join(": "))))`);
}
