/** Escapes text for HTML or XML, attributes included. */
export function markup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Escapes text for XML 1.0. Characters that XML cannot hold become U+FFFD. */
export function xmlText(text: string): string {
  return markup(text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD"));
}
