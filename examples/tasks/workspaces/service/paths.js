const path = require("node:path");

function configPath(home) {
  return path.posix.join(home, ".config", "service.json");
}

function isInside(folder, file) {
  return path.posix.resolve(folder, file).startsWith(folder);
}

module.exports = { configPath, isInside };
