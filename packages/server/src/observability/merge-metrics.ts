type Family = { readonly heading: string[]; readonly samples: string[] };

/**
 * Joins the metrics of several processes into one text, each sample with the
 * label `process` of its process. Queries sum over it, or take the maximum of
 * what all processes read from the same database.
 * @param texts by the names of the processes, which need no escaping
 * @see Prometheus, Exposition formats, "Text-based format" (version 0.0.4)
 */
export function mergeMetrics(texts: ReadonlyMap<string, string>): string {
  const families = new Map<string, Family>();
  for (const [name, text] of texts)
    for (const [family, { heading, samples }] of readFamilies(text)) {
      const merged = families.get(family) ?? { heading, samples: [] };
      families.set(family, merged);
      for (const sample of samples) merged.samples.push(label(sample, name));
    }
  return [...families.values()]
    .flatMap(({ heading, samples }) => [...heading, ...samples])
    .map((line) => `${line}\n`)
    .join("");
}

function readFamilies(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  let current: Family = { heading: [], samples: [] };
  for (const line of text.split("\n")) {
    if (line === "") continue;
    if (!line.startsWith("# ")) {
      current.samples.push(line);
      continue;
    }
    const name = line.split(" ", 3)[2] ?? "";
    current = families.get(name) ?? { heading: [], samples: [] };
    families.set(name, current);
    current.heading.push(line);
  }
  return families;
}

/** The name of a metric is followed by its labels, or by its value. */
function label(sample: string, name: string): string {
  const end = sample.search(/[{ ]/);
  const [metric, rest] = [sample.slice(0, end), sample.slice(end)];
  return rest.startsWith("{")
    ? `${metric}{process="${name}",${rest.slice(1)}`
    : `${metric}{process="${name}"}${rest}`;
}
