/** The rows of a CSV text (RFC 4180), each a list of fields. */
export function parseCsv(text) {
  const rows = [];
  let row = [];
  let field = "";
  let isQuoted = false;
  const endRow = () => {
    rows.push([...row, field]);
    [row, field] = [[], ""];
  };
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (isQuoted) {
      if (character !== '"') field += character;
      else if (text[i + 1] === '"') field += text[i++];
      else isQuoted = false;
    } else if (character === '"' && field === "") isQuoted = true;
    else if (character === ",") {
      row.push(field);
      field = "";
    } else if (character === "\n") endRow();
    else if (character !== "\r" || text[i + 1] !== "\n") field += character;
  }
  if (field !== "" || row.length > 0) endRow();
  return rows;
}
