import { posix } from "node:path";

export function configPath(home) {
  return posix.join(home, ".config", "service.json");
}

export function isInside(folder, file) {
  return posix.resolve(folder, file).startsWith(folder);
}
