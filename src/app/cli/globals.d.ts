/** scripts/build.mjs sets these from package.json. */
declare const HARNESS_VERSION: string;
declare const HARNESS_NODE: string;

/** Shell scripts are bundled as text. */
declare module "*.bash" {
  const text: string;
  export default text;
}
declare module "*.fish" {
  const text: string;
  export default text;
}
declare module "*.zsh" {
  const text: string;
  export default text;
}
