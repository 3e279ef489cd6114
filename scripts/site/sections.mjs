const ENTITIES = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };

/** A page cut at its headings, as plain text: what the search reads. */
export function sectionsOf({ url, title, html }) {
  const parts = html.split(/(?=<h[1-6] id=")/);
  return parts.flatMap((part) => {
    const [, level, id, heading] = /^<h([1-6]) id="([^"]*)">([\s\S]*?)<\/h/.exec(part) ?? [];
    const body = textOf(heading === undefined ? part : part.slice(part.indexOf("</h") + 5));
    if (heading === undefined && body === "") return [];
    const isWhole = heading === undefined || level === "1";
    return [{ url: isWhole ? url : `${url}#${id}`, title, heading: isWhole ? "" : textOf(heading), text: body }];
  });
}

function textOf(html) {
  return html
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/<\/?(?:code|b|strong|em|a)\b[^>]*>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity])
    .replace(/\s+/g, " ")
    .trim();
}
