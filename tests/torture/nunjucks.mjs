// Reads the tests of Nunjucks below a folder, and prints each template that they render as a line of JSON: {file, template, variables} with what the
// nunjucks package makes of it, {value} or {error}. Templates whose variables or options JSON cannot say are counted alone, as {left}.
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { runInThisContext } from "node:vm";

const own = createRequire(process.env.READERS_FROM ?? import.meta.url);
const nunjucks = own("nunjucks");
const [folder] = process.argv.slice(2);
const anything = new Proxy(function () {}, { get: (_, key) => (key === Symbol.toPrimitive ? () => "" : anything), apply: () => anything, construct: () => anything });
const environment = new nunjucks.Environment(null, { autoescape: false });
let left = 0;

function plain(value) {
  if (value === null || ["string", "boolean"].includes(typeof value)) return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(plain);
  const prototype = typeof value === "object" ? Object.getPrototypeOf(value) : undefined;
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(plain);
}

function rendered(file, template, variables, options) {
  if (typeof template !== "string") return;
  if (variables === undefined || typeof variables === "function" || variables === anything) variables = null;
  const chosen = options && typeof options === "object" ? Object.keys(options) : [];
  if (!plain(variables) || chosen.some((key) => key !== "autoescape")) {
    left += 1;
    return;
  }
  const line = { file, template, variables: variables ?? {} };
  try {
    line.value = environment.renderString(template, variables ?? {});
  } catch (error) {
    line.error = String(error.message);
  }
  console.log(JSON.stringify(line));
}

for (const file of readdirSync(folder).filter((name) => name.endsWith(".js") && readFileSync(join(folder, name), "utf8").includes("util.equal")).sort()) {
  const util = new Proxy(
    {
      equal: (template, variables, options) =>
        rendered(file, template, typeof variables === "string" ? null : variables, typeof options === "string" ? null : options),
      jinjaEqual: (template, variables) => rendered(file, template, typeof variables === "string" ? null : variables),
      render: (template, variables, options) => (rendered(file, template, variables, options), ""),
      finish: () => {},
    },
    { get: (known, key) => known[key] ?? anything },
  );
  const asked = (name) => {
    if (name === "./util") return util;
    if (/^\.\.\/nunjucks\/src\/(lib|runtime)$/.test(name)) return own(`nunjucks/src/${name.split("/").pop()}`);
    return anything;
  };
  const run = (test) => {
    try {
      test?.(() => {});
    } catch (error) {
      if (error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error; // else: what a test needs beside templates is not here
    }
  };
  Object.assign(globalThis, {
    require: asked, module: { exports: {} }, describe: (_, body) => run(body), it: (_, body) => run(body),
    before: run, beforeEach: run, after: () => {}, afterEach: () => {}, __dirname: folder,
  });
  try {
    runInThisContext(readFileSync(join(folder, file), "utf8"), { timeout: 5000 });
  } catch (error) {
    console.error(`${file}: ${error.message}`);
  }
}
console.log(JSON.stringify({ left }));
process.exit(0);
