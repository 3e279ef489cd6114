// An esbuild plugin that replaces an import from a folder's index.ts by an import from the file with the name. Without it, esbuild puts
// everything behind an index.ts into one chunk, and a program that needs one name loads the whole folder.
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** `import { a, type B } from "…/index.ts";`, or `export { … } from …` */
const STATEMENT = /^(import|export) \{([^}]*)\} from "(\.[^"]*\/index\.ts)";$/gm;

export const throughDoors = {
  name: "through-doors",
  setup(build) {
    build.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const contents = text.replace(STATEMENT, (_, kind, names, door) =>
        names
          .split(",")
          .map((name) => name.trim())
          .filter((name) => name !== "" && !name.startsWith("type "))
          .map((name) => {
            const [outside, local = outside] = name.split(" as ");
            const { file, name: found } = behind(join(dirname(path), door), outside);
            return `${kind} { ${found} as ${local} } from ${JSON.stringify(file)};`;
          })
          .join(" "),
      );
      return { contents, loader: "ts" };
    });
  },
};

const doors = new Map();

/** The file that an index.ts exports a name from, also through another index.ts. */
function behind(file, name) {
  if (!file.endsWith("/index.ts")) return { file, name };
  const found = namesOf(file).get(name);
  return found === undefined ? { file, name } : behind(found.file, found.name);
}

function namesOf(door) {
  const known = doors.get(door);
  if (known !== undefined) return known;
  const names = new Map();
  for (const [, list, from] of readFileSync(door, "utf8").matchAll(/^export \{([^}]*)\} from "(\.[^"]*)";$/gm))
    for (const each of list.split(",").map((name) => name.trim())) {
      const [name, outside = name] = each.split(" as ");
      names.set(outside, { file: join(dirname(door), from), name });
    }
  doors.set(door, names);
  return names;
}
