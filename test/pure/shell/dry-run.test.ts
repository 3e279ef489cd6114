import { expect, test } from "vitest";
import { isDryRun } from "../../../src/pure/shell/dry-run.ts";

const argv = (line: string) => line.split(" ");

test.each([
  "git push --dry-run origin main",
  "git push -nq origin main",
  "git -C x push -n",
  "git commit --dry-run -am x",
  "make -n build",
  "make -sn build",
  "make --just-print build",
  "make -t build",
  "make -q build",
  "npm install --dry-run left-pad",
  "npm publish --dry-run",
  "npm run build --if-present",
  "apt-get -s install x",
  "kubectl apply --dry-run=client -f x",
  "terraform plan",
  "timeout 60 make -n test",
  "cargo test --no-run",
])("%s only pretends", (line) => expect(isDryRun(argv(line))).toBe(true));

test.each([
  "git push origin main",
  "git commit -nm x",
  "git log -n 5",
  "make build",
  "make -j4 -s build",
  "make -C sub test",
  "npm install left-pad",
  "npm test -- -n",
  "kubectl apply --dry-run=none -f x",
  "rsync -a x y",
])("%s does not", (line) => expect(isDryRun(argv(line))).toBe(false));
