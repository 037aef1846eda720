// Prints the module brain.markdown.slug_ranges: every code point that github-slugger removes.
// Run: npm install && node ranges.mjs > ../../libs/markdown/src/brain/markdown/slug_ranges.py
import { slug } from "github-slugger";

const isSurrogate = (point) => point >= 0xd800 && point <= 0xdfff;
const isRemoved = (point) =>
  isSurrogate(point) || (point !== 0x20 && slug(String.fromCodePoint(point), true) === "");

const ranges = [];
let start = null;
for (let point = 0; point <= 0x110000; point++) {
  const removed = point <= 0x10ffff && isRemoved(point);
  if (removed && start === null) start = point;
  if (!removed && start !== null) {
    const [first, last] = [start, point - 1].map((each) => each.toString(16).toUpperCase());
    ranges.push(first === last ? first : `${first}-${last}`);
    start = null;
  }
}

const lines = [""];
for (const range of ranges) {
  const line = lines[lines.length - 1];
  if (line && line.length + 1 + range.length > 96) lines.push(range);
  else lines[lines.length - 1] = line ? `${line} ${range}` : range;
}
console.log(
  '"""Code points that GitHub drops from an anchor; written by ``eval/slug_oracle/ranges.mjs``."""',
);
console.log("\n#: Inclusive hexadecimal ranges, ascending, of what npm github-slugger 2.0.0 removes.");
console.log(`REMOVED = """\n${lines.join("\n")}\n"""`);
