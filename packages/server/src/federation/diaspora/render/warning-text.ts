import { escapeText } from "../../../lib/markdown/markdown-escape.ts";

/**
 * A text with its content warning. diaspora* has no property for that: the first line is the
 * warning, and a post has the tag #nsfw, behind which pods hide it.
 */
export function withWarning(text: string, warning: string | null): string {
  return warning === null ? text : `**${escapeText(warning)}**\n\n${text}`;
}
