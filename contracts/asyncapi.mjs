// Reads the AsyncAPI document of the file that it is given; prints what is wrong with it, and fails if anything is.
import { Parser } from "@asyncapi/parser";
import { readFileSync } from "node:fs";

const { diagnostics } = await new Parser().parse(readFileSync(process.argv[2], "utf8"));
for (const { code, message, path, severity } of diagnostics) {
  console.error(`${severity} ${code} ${path.join(".")}: ${message}`);
}
process.exit(diagnostics.length === 0 ? 0 : 1);
