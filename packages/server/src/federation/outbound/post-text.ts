import type { Poll } from "../../features/polls/index.ts";
import { escapeText } from "../../lib/markdown/markdown-escape.ts";

/** A post's text with its poll written out, for readers who are shown no poll. Markdown. */
export function withPoll(text: string, poll: Poll | undefined): string {
  if (!poll) return text;
  const options = poll.answers.map((answer) => `- ${escapeText(answer.text)}`);
  return `${withQuestion(text, poll)}\n\n${options.join("\n")}`;
}

/**
 * A post's text with what its poll asks, for readers who are shown the answers
 * beside it. Polls from ActivityPub ask in the text itself. Markdown.
 */
export function withQuestion(text: string, { question }: Poll): string {
  return question === "" ? text : `${text}\n\n**${escapeText(question)}**`;
}
