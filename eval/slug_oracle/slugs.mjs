// Prints the slugs that github-slugger gives to lists of heading texts.
// Run: npm install && node slugs.mjs > ../../libs/markdown/tests/fixtures/slugs.json
import GithubSlugger from "github-slugger";

const lists = [
  ["Foo & Bar", "Fleet — operator", "a  b", " lead", "trail ", "a\tb", "a\nb"],
  ["a", "a", "a-1", "a", "a-1", "a-1-1"],
  ["", "", "!", "😀", "-0", "-1"],
  ["__proto__", "constructor", "toString", "__proto__", "hasOwnProperty"],
  ["😀 Hi", ":smiley: Hi", "👩‍👩‍👧 family", "🇹🇷 flag", "1️⃣ one"],
  ["1\u2003ab", "a\u00a0b", "a\u200bb", "a\u00adb", "\ufeffa", "a\u2028b"],
  ["İstanbul", "IŞIK", "ΟΔΟΣ", "ΟΔΟΣ α", "ẞ", "ǅ", "K", "Å"],
  ["中文 标题", "日本語、です。", "한국어 제목", "العربية", "हिन्दी", "ไทย", "עברית"],
  ["é", "e\u0301", "ﬁ", "①", "½", "²", "Ⅷ", "ª"],
  ["C++", "C#", "F*", "a_b", "a-b", "a.b.c", "a/b", "a\\b", "{#id}", "x=y", "a@b", "100%"],
  ["𝒜 math", "𐐀 deseret", "𠀀 han", "🅰 squared"],
  ["Section 1", "section 1", "SECTION 1", "Section-1", "section-1-1"],
];

const cases = lists.map((texts) => {
  const slugger = new GithubSlugger();
  return { texts, slugs: texts.map((text) => slugger.slug(text)) };
});
console.log(JSON.stringify(cases, null, 1));
