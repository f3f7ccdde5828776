import type { Poll } from "../features/polls/index.ts";
import { escapeText } from "../lib/markdown-escape.ts";

/** A post's text with its poll written out, for readers who are shown no poll. Markdown. */
export function withPoll(text: string, poll: Poll | undefined): string {
  if (!poll) return text;
  const options = poll.answers.map((answer) => `- ${escapeText(answer.text)}`);
  return `${text}\n\n**${escapeText(poll.question)}**\n\n${options.join("\n")}`;
}
