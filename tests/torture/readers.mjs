// Reads texts by readers of other makers. A line in is {form, text}, for tables with {delimiter, newline}; a line out has for each reader of the form either
// {value} or {error}. Values that JSON cannot say are objects of one key `$`.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(process.env.READERS_FROM ?? import.meta.url);
const yaml = await atHand("yaml");
const jsyaml = await atHand("js-yaml");
const papa = await atHand("papaparse");
const toml = await atHand("smol-toml");

const schema = jsyaml?.CORE_SCHEMA.withTags(jsyaml.mergeTag);

async function atHand(name) {
  try {
    const module = await import(require.resolve(name));
    return module.default ?? module;
  } catch {
    return undefined; // a reader that is not installed is left out
  }
}

function byYaml(text) {
  const [first] = yaml.parseAllDocuments(text, { uniqueKeys: false, merge: true, logLevel: "silent" });
  if (!first) return null;
  if (first.errors.length) throw first.errors[0];
  return first.toJS({ maxAliasCount: -1 });
}

function byPapa(text, { delimiter, newline }) {
  const { data, errors } = papa.parse(text, { delimiter, newline, skipEmptyLines: true });
  if (errors.length) throw new Error(errors[0].message);
  return data;
}

const READERS = {
  yaml: {
    ...(yaml && { yaml: byYaml }),
    ...(jsyaml && { "js-yaml": (text) => jsyaml.loadAll(text, { schema, json: true })[0] }),
  },
  toml: toml && { "smol-toml": (text) => toml.parse(text.replace(/^\ufeff/, ""), { maxDepth: 1e6, integersAsBigInt: "asNeeded" }) },
  csv: papa && { papaparse: byPapa },
  json: { "JSON.parse": (text) => JSON.parse(text.replace(/^\ufeff/, "")) },
};

function said(key, value) {
  const own = this[key];
  if (own instanceof Date) return { $: "date" };
  if (typeof value === "bigint") return { $: String(value) };
  if (typeof value === "number" && !Number.isFinite(value)) return { $: String(value) };
  return value === undefined ? null : value;
}

for await (const line of createInterface({ input: process.stdin })) {
  const { form, text, ...how } = JSON.parse(line);
  const found = {};
  for (const [name, read] of Object.entries(READERS[form] ?? {})) {
    try {
      found[name] = { value: read(text, how) };
    } catch (error) {
      found[name] = { error: String(error.message).split("\n")[0] };
    }
  }
  process.stdout.write(JSON.stringify(found, said) + "\n");
}
