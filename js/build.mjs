// Builds the one module that anywidget loads, and puts the style sheet beside it.
import { copyFile, mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

await mkdir(here("../mcp_elicit_widget/static"), { recursive: true });
await build({
  entryPoints: [here("src/index.ts")],
  outfile: here("../mcp_elicit_widget/static/card.js"),
  bundle: true,
  format: "esm",
  target: "es2022",
  // Not minified: the bundle is committed, and people read it in reviews.
  minify: false,
  legalComments: "none",
  charset: "utf8",
  banner: { js: "// Built from js/src, do not edit." },
  logLevel: "warning",
});
await copyFile(here("src/card.css"), here("../mcp_elicit_widget/static/card.css"));
