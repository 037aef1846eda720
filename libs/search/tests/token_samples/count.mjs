// Counts the samples with real tokenizers and writes ../token_counts.json.
// Run in a folder with `npm install gpt-tokenizer @anthropic-ai/tokenizer llama3-tokenizer-js
// mistral-tokenizer-js`: node count.mjs FOLDER_OF_SAMPLES
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRequire } from "node:module";

const require = createRequire(join(process.cwd(), "x.js"));
const load = async (name) => import(require.resolve(name));
const o200k = await load("gpt-tokenizer/encoding/o200k_base");
const cl100k = await load("gpt-tokenizer/encoding/cl100k_base");
const claude = await load("@anthropic-ai/tokenizer");
const llama3 = (await load("llama3-tokenizer-js")).default;
const mistral = (await load("mistral-tokenizer-js")).default;

const folder = process.argv[2];
const counts = {};
for (const name of readdirSync(folder).sort()) {
  if (name.endsWith(".mjs")) continue;
  const text = readFileSync(join(folder, name), "utf8");
  counts[name] = {
    claude: claude.countTokens(text),
    cl100k: cl100k.encode(text).length,
    llama3: llama3.encode(text, { bos: false, eos: false }).length,
    mistral: mistral.encode(text, false, false).length,
    o200k: o200k.encode(text).length,
  };
}
writeFileSync(join(folder, "..", "token_counts.json"), JSON.stringify(counts, null, 2) + "\n");
