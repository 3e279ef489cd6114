import { posix } from "node:path";

export function configPath(home) {
  return posix.join(home, ".config", "service.json");
}

export function isInside(folder, file) {
  const root = posix.resolve(folder);
  const path = posix.resolve(root, file);
  return path === root || path.startsWith(root === "/" ? root : `${root}/`);
}
