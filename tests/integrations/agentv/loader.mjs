// Loads eval files by AgentV's own loader: node loader.mjs CORE FILE…, where CORE is the built module of @agentv/core. A line out for each file: {file} with
// {tests}, of which each has {id, assertions}, or with {error}, and the lines of its log.
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [core, ...files] = process.argv.slice(2);
const module = await import(pathToFileURL(resolve(core)).href);
const load = module.loadTestSuite ?? module.default.loadTestSuite;
let log = [];
for (const name of ["log", "warn", "error"]) console[name] = (...words) => log.push(words.join(" "));

for (const file of files) {
  log = [];
  const line = { file };
  try {
    const { tests } = await load(resolve(file), dirname(resolve(file)));
    line.tests = tests.map(({ id, assertions }) => ({ id, assertions: assertions ?? [] }));
  } catch (error) {
    line.error = String(error.message);
  }
  process.stdout.write(`${JSON.stringify({ ...line, log })}\n`);
}
