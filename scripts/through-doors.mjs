// An esbuild plugin that looks through doors: what is imported from the index.ts of a folder is imported from the file that has it.
// esbuild puts everything that a door leads to into one chunk, so that a program which needs one name would load the whole room.
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

/** The file that a door has a name from. A door may lead to another one. */
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
