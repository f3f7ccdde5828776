/** The beginning of a text, cut between two words unless the last one is very long. */
export function beginning(text: string, letters: number): string {
  const all = [...text];
  if (all.length <= letters) return text;
  const cut = all.slice(0, Math.max(1, letters - 1)).join("");
  const end = cut.search(/\s\S*$/);
  return `${end > 0 && end >= cut.length - 21 ? cut.slice(0, end) : cut}…`;
}
