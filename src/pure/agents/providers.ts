import { providers as modelProviders, objectOf, parseObject } from "../base/index.ts";
import type { Provider } from "../pipeline/index.ts";

// Addresses and variables as the programs have them (docs/reference/agents). Whether an address can be moved was tried with the real CLIs.

export const claudeProviders: readonly Provider[] = [
  {
    url: "https://api.anthropic.com",
    keys: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
    variables: ["ANTHROPIC_BASE_URL"],
    logins: ["console.anthropic.com", "platform.claude.com"],
  },
];

export const codexProviders: readonly Provider[] = [
  {
    url: "https://api.openai.com/v1",
    keys: ["OPENAI_API_KEY", "CODEX_API_KEY"],
    /** It ignores OPENAI_BASE_URL. */
    at: (url) => ({ args: ["-c", `openai_base_url=${JSON.stringify(url)}`] }),
    logins: ["chatgpt.com", "auth.openai.com"],
  },
  { url: "https://chatgpt.com", keys: ["CODEX_ACCESS_TOKEN"], logins: ["auth.openai.com"] },
];

export const geminiProviders: readonly Provider[] = [
  {
    url: "https://generativelanguage.googleapis.com",
    keys: ["GEMINI_API_KEY"],
    variables: ["GOOGLE_GEMINI_BASE_URL"],
    logins: ["cloudcode-pa.googleapis.com", "oauth2.googleapis.com"],
  },
  { url: "https://aiplatform.googleapis.com", keys: ["GOOGLE_API_KEY"] },
];

export const gooseProviders: readonly Provider[] = [
  { url: "https://api.openai.com", keys: ["OPENAI_API_KEY"], variables: ["OPENAI_HOST"] },
  { url: "https://api.anthropic.com", keys: ["ANTHROPIC_API_KEY"], variables: ["ANTHROPIC_HOST"] },
  { url: "https://generativelanguage.googleapis.com", keys: ["GOOGLE_API_KEY"] },
  { url: "https://openrouter.ai", keys: ["OPENROUTER_API_KEY"] },
  { url: "https://api.groq.com", keys: ["GROQ_API_KEY"] },
];

/** OpenCode and Kilo take settings from a variable; `prefix` is the start of its name. */
export function opencodeProviders(prefix: "OPENCODE" | "KILO"): readonly Provider[] {
  const variable = `${prefix}_CONFIG_CONTENT`;
  const movable = (name: string, url: string, ...keys: readonly string[]): Provider => ({
    url,
    keys,
    at(moved, environment) {
      const settings = settingsIn(environment[variable]);
      if (settings === undefined) return undefined;
      const provider = objectOf(settings["provider"]) ?? {};
      const own = objectOf(provider[name]) ?? {};
      const options = { ...objectOf(own["options"]), baseURL: moved };
      return { env: { [variable]: JSON.stringify({ ...settings, provider: { ...provider, [name]: { ...own, options } } }) } };
    },
  });
  return [
    movable("anthropic", "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"),
    movable("openai", "https://api.openai.com/v1", "OPENAI_API_KEY"),
    movable("google", "https://generativelanguage.googleapis.com/v1beta", "GOOGLE_GENERATIVE_AI_API_KEY"),
    movable("openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    prefix === "OPENCODE"
      ? { url: "https://opencode.ai", keys: ["OPENCODE_API_KEY"] }
      : { url: "https://api.kilo.ai", keys: ["KILO_API_KEY"] },
  ];
}

function settingsIn(text = "{}") {
  return parseObject(text); // undefined: with comments, perhaps
}

/** No variable moves the addresses of Pi and Cline. */
export const plainProviders: readonly Provider[] = [
  { url: "https://api.anthropic.com", keys: ["ANTHROPIC_API_KEY", "ANTHROPIC_OAUTH_TOKEN"], logins: ["console.anthropic.com"] },
  { url: "https://api.openai.com", keys: ["OPENAI_API_KEY"] },
  { url: "https://generativelanguage.googleapis.com", keys: ["GEMINI_API_KEY"] },
  { url: "https://openrouter.ai", keys: ["OPENROUTER_API_KEY"] },
];

export const nativeProviders: readonly Provider[] = [...modelProviders.values()].map(({ baseUrl, keys, urls }) => ({
  url: baseUrl,
  keys,
  variables: urls,
}));
