/** Any text as text of HTML or XML, in an attribute too. */
export function markup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The same for XML 1.0; what that cannot hold becomes U+FFFD. */
export function xmlText(text: string): string {
  return markup(text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD"));
}
