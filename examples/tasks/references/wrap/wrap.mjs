/** Breaks a text between words into lines of at most `width` characters; cuts a longer word. */
export function wrap(text, width) {
  const lines = [];
  let line = "";
  for (let word of text.split(/\s+/).filter(Boolean)) {
    if (line !== "" && line.length + 1 + word.length <= width) {
      line += ` ${word}`;
      continue;
    }
    if (line !== "") lines.push(line);
    for (; word.length > width; word = word.slice(width)) lines.push(word.slice(0, width));
    line = word;
  }
  return line === "" ? lines : [...lines, line];
}
