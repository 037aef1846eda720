// Prints what remark and github-slugger make of Markdown: [line, level, slug, is top level] each.
// Run: npm install && node headings.mjs < ../../libs/markdown/tests/fixtures/headings_source.json \
//        > ../../libs/markdown/tests/fixtures/headings.json
import { readFileSync } from "node:fs";
import GithubSlugger from "github-slugger";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";

const parser = unified().use(remarkParse).use(remarkGfm);

// GitHub slugs the text a reader sees: no tags, no image texts
const textOf = (node) => {
  if (["html", "image", "imageReference"].includes(node.type)) return "";
  if (node.type === "break") return "\n";
  if ("value" in node) return node.value;
  return (node.children ?? []).map(textOf).join("");
};

const headingsOf = (source) => {
  const slugger = new GithubSlugger();
  const found = [];
  const visit = (node, isTop) => {
    for (const child of node.children ?? []) {
      if (child.type === "heading") {
        found.push([child.position.start.line, child.depth, slugger.slug(textOf(child)), isTop]);
      } else {
        visit(child, false);
      }
    }
  };
  visit(parser.parse(source), true);
  return found;
};

const sources = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(sources.map((source) => ({ source, headings: headingsOf(source) })), null, 1));
