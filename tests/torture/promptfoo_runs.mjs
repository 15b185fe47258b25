// Runs promptfoo on plans: a line in is {out, tests, repeat}, a line out {done}. A provider of its own answers by the
// name of the test and by how often it was asked already; an answer that begins with "!" is an error.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const main = `${process.env.PROMPTFOO_FROM}/node_modules/promptfoo/dist/src/index.js`;
const { default: promptfoo } = await import(pathToFileURL(main).href);

for await (const line of createInterface({ input: process.stdin })) {
  const { out, tests, repeat } = JSON.parse(line);
  const asked = new Map();
  const provider = async (_prompt, context) => {
    const { answers } = context.test.metadata;
    const place = context.test.description;
    const before = asked.get(place) ?? 0;
    asked.set(place, before + 1);
    const said = answers[before % answers.length];
    return said.startsWith("!") ? { error: said } : { output: said };
  };
  const suite = { prompts: ["Say {{q}}"], providers: [provider], tests, writeLatestResults: false, outputPath: out };
  await promptfoo.evaluate(suite, { maxConcurrency: 1, cache: false, repeat, showProgressBar: false });
  process.stdout.write(`${JSON.stringify({ done: out })}\n`);
}
process.exit(0);
